package parallel_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/parquetsql/parquetsql/internal/parallel"
)

// TestEach: all works run at the same time, and an error or a panic of one, the caller's too, ends the others.
func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7} {
		var wg sync.WaitGroup
		wg.Add(n)
		ran := make([]bool, n)
		if err := parallel.Each(t.Context(), n, func(_ context.Context, i int) error {
			wg.Done()
			wg.Wait()
			ran[i] = true
			return nil
		}); err != nil {
			t.Error(err)
		}
		for i, ran := range ran {
			if !ran {
				t.Errorf("%d of %d did not run", i, n)
			}
		}
	}
	failed := errors.New("failed")
	for bad := range 4 {
		for _, panics := range []bool{false, true} {
			err := parallel.Each(t.Context(), 4, func(ctx context.Context, i int) error {
				if i != bad {
					<-ctx.Done()
					return ctx.Err()
				}
				if panics {
					panic(failed)
				}
				return failed
			})
			if err == nil || errors.Is(err, context.Canceled) || !panics && !errors.Is(err, failed) {
				t.Errorf("work %d fails, by a panic %v: %v", bad, panics, err)
			}
		}
	}
}

// TestSome: every work runs once, and none is begun after an error.
func TestSome(t *testing.T) {
	for _, atOnce := range []int{1, 3, 100} {
		var mu sync.Mutex
		ran := map[int]int{}
		if err := parallel.Some(atOnce, 50, func(i int) error {
			mu.Lock()
			defer mu.Unlock()
			ran[i]++
			return nil
		}); err != nil || len(ran) != 50 {
			t.Errorf("%d ran, %v", len(ran), err)
		}
		for i, n := range ran {
			if n != 1 {
				t.Errorf("%d ran %d times", i, n)
			}
		}
	}
	begun := 0
	failed := errors.New("failed")
	if err := parallel.Some(1, 50, func(i int) error {
		begun++
		if i == 3 {
			return failed
		}
		return nil
	}); !errors.Is(err, failed) || begun != 4 {
		t.Errorf("%d were begun, %v", begun, err)
	}
}
