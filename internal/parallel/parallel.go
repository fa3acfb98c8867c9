// Package parallel runs work in several goroutines.
package parallel

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// Recovered calls f and turns a panic into an error.
func Recovered(f func() error) (err error) {
	defer errs.Recover(&err)
	return f()
}

// Each calls work for 0 to n-1, the first in the caller's goroutine and each other one in its own, and
// returns when all have ended. The first error cancels the ctx of the others and is the result.
func Each(ctx context.Context, n int, work func(ctx context.Context, i int) error) error {
	if n == 1 {
		return Recovered(func() error { return work(ctx, 0) })
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	run := func(i int) {
		if err := Recovered(func() error { return work(ctx, i) }); err != nil {
			once.Do(func() {
				first = err
				cancel()
			})
		}
	}
	for i := 1; i < n; i++ {
		wg.Go(func() { run(i) })
	}
	if n > 0 {
		run(0)
	}
	wg.Wait()
	return first
}

// Some calls work for 0 to n-1, at most so many at a time, in order, and returns when all have
// ended. The first error is the result; no more are begun after it.
func Some(atOnce, n int, work func(i int) error) error {
	if atOnce = min(atOnce, n); atOnce <= 1 {
		for i := range n {
			if err := Recovered(func() error { return work(i) }); err != nil {
				return err
			}
		}
		return nil
	}
	var next atomic.Int64
	return Each(context.Background(), atOnce, func(ctx context.Context, _ int) error {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return nil
			}
			if err := work(i); err != nil {
				return err
			}
		}
		return nil
	})
}
