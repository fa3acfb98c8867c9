package exec_test

import (
	"context"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// TestGatherLife: see exectest.RunLife.
func TestGatherLife(t *testing.T) { exectest.RunLife(t, exec.NewGather) }

func TestCloseMidStream(t *testing.T) {
	leaktest.Check(t)
	op := exec.NewGather([]exec.Operator{exectest.NewEndless(0, nil), exectest.NewEndless(0, nil), exectest.NewEndless(0, nil)})
	for range 5 {
		b, err := op.Next(context.Background())
		if b == nil || err != nil {
			t.Fatal(b, err)
		}
	}
	if err := op.Close(); err != nil {
		t.Error(err)
	}
	if b, err := op.Next(context.Background()); b != nil || err != nil {
		t.Error("rows after Close", b, err)
	}
}
