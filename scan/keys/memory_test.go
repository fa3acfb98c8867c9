package keys

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestAskedOnce: many goroutines that want two keys ask for each once.
func TestAskedOnce(t *testing.T) {
	var m memory[string]
	var asked atomic.Int64
	var wg sync.WaitGroup
	begin := make(chan struct{})
	for range 50 {
		for _, k := range []string{"a", "b"} {
			wg.Go(func() {
				<-begin
				key, err := m.get(context.Background(), k, func() ([]byte, error) {
					asked.Add(1)
					time.Sleep(time.Millisecond) // so that others come meanwhile
					return []byte(k), nil
				})
				if string(key) != k || err != nil {
					t.Errorf("%s: %s, %v", k, key, err)
				}
			})
		}
	}
	close(begin)
	wg.Wait()
	if asked.Load() != 2 {
		t.Errorf("asked %d times for two keys", asked.Load())
	}
}

// TestErrorIsNotKept: a goroutine that waits has the error too; the next one asks again.
func TestErrorIsNotKept(t *testing.T) {
	var m memory[string]
	if _, err := m.get(context.Background(), "a", func() ([]byte, error) { return nil, errDenied }); !errors.Is(err, errDenied) {
		t.Error(err)
	}
	key, err := m.get(context.Background(), "a", func() ([]byte, error) { return []byte("k"), nil })
	if string(key) != "k" || err != nil {
		t.Errorf("%s, %v", key, err)
	}
}

// TestCancelled: where the query of the goroutine that asks is cancelled, or its ask
// panics, one that waits asks again; one that waits and is cancelled ends at once.
func TestCancelled(t *testing.T) {
	for _, panics := range []bool{false, true} {
		var m memory[string]
		asking, cancel := context.WithCancel(context.Background())
		begun, ended := make(chan struct{}), make(chan error)
		go func() {
			var err error
			defer func() { _ = recover(); ended <- err }()
			_, err = m.get(asking, "a", func() ([]byte, error) {
				close(begun)
				<-asking.Done()
				if panics {
					panic("in the user's function")
				}
				return nil, asking.Err()
			})
		}()
		<-begun
		impatient, stop := context.WithCancel(context.Background())
		stop()
		if _, err := m.get(impatient, "a", nil); !errors.Is(err, context.Canceled) {
			t.Errorf("the goroutine whose context had ended: %v", err)
		}
		waiting := make(chan string)
		go func() {
			key, err := m.get(context.Background(), "a", func() ([]byte, error) { return []byte("k"), nil })
			if err != nil {
				t.Error(err)
			}
			waiting <- string(key)
		}()
		cancel()
		if key := <-waiting; key != "k" {
			t.Errorf("the goroutine that waited has %q", key)
		}
		if err := <-ended; !panics && !errors.Is(err, context.Canceled) {
			t.Errorf("the goroutine that was cancelled: %v", err)
		}
	}
}
