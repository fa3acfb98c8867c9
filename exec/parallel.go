package exec

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/parquetsql/parquetsql/vector"
)

// PanicError is a panic in a worker, a bug that must not take the process down.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("parquet: internal error, please report it: %v", e.Value)
}

// guarded calls f and turns a panic into an error.
func guarded(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
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
	var errs []error
	for _, op := range ops {
		errs = append(errs, op.Close())
	}
	return errors.Join(errs...)
}

// failed is an operator that could not be built.
type failed struct {
	Operator
	err error
}

func (f *failed) Next(context.Context) (*vector.Batch, error) { return nil, f.err }
