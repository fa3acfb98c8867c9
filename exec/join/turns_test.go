package join_test

import (
	"context"
	"errors"
	"testing"

	"github.com/parquetsql/parquetsql/exec/join"
)

// TestTurns lets a worker wait for another one that gives memory back, ends, or is gone with its
// query; a worker that is alone does not wait.
func TestTurns(t *testing.T) {
	turns := join.NewTurns(3)
	for _, give := range []func(){turns.Gave, turns.Ended} {
		waited := make(chan bool)
		go func() {
			alone, err := turns.Wait(t.Context())
			if err != nil {
				t.Error(err)
			}
			waited <- alone
		}()
		for !turns.Waits() {
		}
		give()
		if <-waited {
			t.Error("the worker did not wait")
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := turns.Wait(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a query that was cancelled", err)
	}
	turns.Ended()
	if alone, err := turns.Wait(t.Context()); !alone || err != nil {
		t.Errorf("alone %v, error %v of the last worker", alone, err)
	}
}
