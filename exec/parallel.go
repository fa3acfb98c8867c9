package exec

import (
	"context"
	"errors"
	"sync"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// recovered calls f and turns a panic into an error.
func recovered(f func() error) (err error) {
	defer errs.Recover(&err)
	return f()
}

// Parallel calls work for 0 to n-1, each in a goroutine, and returns when all have
// ended. The first error cancels the ctx of the others and is the result.
func Parallel(ctx context.Context, n int, work func(ctx context.Context, i int) error) error {
	if n == 1 {
		return recovered(func() error { return work(ctx, 0) })
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	for i := range n {
		wg.Go(func() {
			if err := recovered(func() error { return work(ctx, i) }); err != nil {
				once.Do(func() {
					first = err
					cancel()
				})
			}
		})
	}
	wg.Wait()
	return first
}

// CloseAll closes operators and joins their errors.
func CloseAll(ops []Operator) error {
	var failures []error
	for _, op := range ops {
		failures = append(failures, op.Close())
	}
	return errors.Join(failures...)
}
