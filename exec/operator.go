// Package exec has the relational operators: what happens to batches between
// the scan that reads them and the connection that hands their rows out.
//
// Operators pull: each asks its input for the next batch. They know no SQL and
// no file; a plan is a tree of them, built by whoever understands the
// statement. An operator that may use several goroutines takes several inputs,
// one a worker, and each of the inputs is pulled by one goroutine only:
//
//	scan 1 → filter → project ┐
//	                          ├ Aggregate: a hash table a worker, then merged → ...
//	scan 2 → filter → project ┘
//
// Gather brings the workers of a plan without such an operator together.
package exec

import (
	"context"

	"github.com/parquetsql/parquetsql/vector"
)

// Operator is a stream of batches.
//
// Next returns the next batch, nil and no error at the end, and the same end or
// error again when it is asked once more. A batch, its vectors and its
// selection belong to the operator until the next call of Next or Close; who
// keeps something copies it. Two things never change once they were handed out
// and may be kept: the bytes of strings, and the Dict of a Dictionary vector.
// A consumer may set the Sel of a batch that it was given, nothing else of it.
//
// Next returns soon after ctx is done, with its error. All calls of Next get
// the same ctx, or ones that end together.
//
// Close ends everything that was started, goroutines and files, before it
// returns; it closes the inputs too. It may be called before the first Next,
// after an error and repeatedly, but not during Next.
type Operator interface {
	Schema() vector.Schema
	Next(ctx context.Context) (*vector.Batch, error)
	Close() error
}
