package exec

import (
	"context"
	"errors"
	"sync"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// guarded calls f and turns a panic into an error.
func guarded(f func() error) (err error) {
	defer errs.Recover(&err)
	return f()
}

// parallel calls work for 0 to n-1, each in a goroutine, and returns when all
// have. The first error ends the ctx of the others and is the result.
func parallel(ctx context.Context, n int, work func(ctx context.Context, i int) error) error {
	if n == 1 {
		return guarded(func() error { return work(ctx, 0) })
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	for i := range n {
		wg.Go(func() {
			if err := guarded(func() error { return work(ctx, i) }); err != nil {
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

// closeAll closes operators.
func closeAll(ops []Operator) error {
	var failures []error
	for _, op := range ops {
		failures = append(failures, op.Close())
	}
	return errors.Join(failures...)
}

// failed is an operator that could not be built.
type failed struct {
	Operator
	err error
}

func (f *failed) Next(context.Context) (*vector.Batch, error) { return nil, f.err }
