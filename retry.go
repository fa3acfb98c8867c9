package parquetsql

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/planner"
	"github.com/parquetsql/parquetsql/vector"
)

// A file that is replaced while a query runs ends the query with ErrChanged, for
// rows of two versions must not be mixed. A job that rewrites a table would make
// each query of that moment fail; so, as long as no row was handed out, the query
// is silently run once more, over the files as they are by then.

// startRows starts a query and gives its rows. fixed says that a second run would
// see the same list of files, so that it cannot help.
func startRows(ctx context.Context, cancel context.CancelFunc, fixed bool, start func() (planner.Result, error)) (*rows, error) {
	result, err := start()
	again := start
	if fixed {
		again = nil
	}
	if errors.Is(err, ErrChanged) && again != nil {
		again = nil
		result, err = start()
	}
	if err != nil {
		return nil, changed(err, fixed)
	}
	r := newRows(ctx, cancel, result)
	r.again, r.fixed = again, fixed
	return r, nil
}

// retry replaces the result by that of another run where err is that a file has
// changed and no row was handed out. It returns the error that the query has then.
func (r *rows) retry(err error) error {
	again := r.again
	r.again = nil
	if again == nil || !errors.Is(err, ErrChanged) {
		return changed(err, r.fixed)
	}
	// What went wrong while the first run ended is of no interest any more.
	_ = r.result.Root.Close()
	result, againErr := again()
	if againErr != nil {
		return changed(againErr, r.fixed)
	}
	same := slices.EqualFunc(result.Root.Schema(), r.schema, func(a, b vector.Column) bool {
		return a.Name == b.Name && a.Nullable == b.Nullable && a.Type.Equal(b.Type)
	})
	r.result = result
	if !same {
		return changed(err, r.fixed) // the caller may have asked for the columns already
	}
	return nil
}

// changed says what helps if the error is that a file has changed.
func changed(err error, fixed bool) error {
	switch {
	case !errors.Is(err, ErrChanged):
		return err
	case fixed:
		return fmt.Errorf("%w: the list of files of a transaction stays; begin a new one", err)
	}
	return fmt.Errorf("%w: run it again", err)
}
