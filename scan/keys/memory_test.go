package keys

import (
	"context"
	"errors"
	"runtime"
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

// TestErrorIsNotKept: after an error the next one asks again.
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

// TestCancelled: where the query that asks is cancelled, one that waits asks again. One
// that waits and is cancelled ends at once.
func TestCancelled(t *testing.T) {
	var m memory[string]
	asking, cancel := context.WithCancel(context.Background())
	begun, ended := make(chan struct{}), make(chan error)
	go func() {
		_, err := m.get(asking, "a", func() ([]byte, error) {
			close(begun)
			<-asking.Done()
			return nil, asking.Err()
		})
		ended <- err
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
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the goroutine that was cancelled: %v", err)
	}
}

// TestDeaf: a query that is cancelled ends though the function that it called does not.
// The function's key is kept.
func TestDeaf(t *testing.T) {
	var m memory[string]
	ctx, cancel := context.WithCancel(context.Background())
	begun, release := make(chan struct{}), make(chan struct{})
	go func() {
		<-begun
		cancel()
	}()
	_, err := m.get(ctx, "a", func() ([]byte, error) {
		close(begun)
		<-release
		return []byte("k"), nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(release)
	key, err := m.get(context.Background(), "a", func() ([]byte, error) { return nil, errors.New("asked again") })
	if string(key) != "k" || err != nil {
		t.Errorf("%s, %v", key, err)
	}
}

// TestPanic: a function of the user that panics, or ends its goroutine, is an error.
func TestPanic(t *testing.T) {
	var m memory[string]
	for _, end := range []func(){func() { panic("in the user's function") }, runtime.Goexit} {
		if _, err := m.get(context.Background(), "a", func() ([]byte, error) { end(); return nil, nil }); err == nil {
			t.Error("no error")
		}
	}
	if key, err := m.get(context.Background(), "a", func() ([]byte, error) { return []byte("k"), nil }); string(key) != "k" || err != nil {
		t.Errorf("%s, %v", key, err)
	}
}
