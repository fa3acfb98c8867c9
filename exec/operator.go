// Package exec has the relational operators: they transform batches between the scan
// that reads them and the connection that returns their rows.
//
// Operators pull: each asks its input for the next batch. They know no SQL and no
// file. A plan is a tree of operators, built by planner/operators. An operator that can
// use several goroutines takes several inputs, one per worker, and each input is
// pulled by one goroutine only:
//
//	scan 1 → filter → project ┐
//	                          ├ aggregation: one hash table per worker, then partitions → stream 1 → ...
//	scan 2 → filter → project ┘                                                         → stream 2 → ...
//
// Gather merges the streams of the workers of a plan without such an operator.
//
// To add an operator, implement Operator and read there who owns a batch. An operator
// that adds or drops columns returns a batch of its own, which may have vectors of its
// input's batch (see project.go). Rows are those that Sel lists; Batch.Row has the
// place of each in the vectors. Test it with exectest.Run, and with exectest.RunLife if
// it takes several inputs.
//
// This package has the Operator interface, the operators of one input, Gather and Union.
// Sub-packages have the others and what they share:
//
//	group      GROUP BY, DISTINCT, aggregates
//	join       joins
//	order      ORDER BY, with and without LIMIT
//	common     rows that are computed once and read in several places, and recursion
//	sample     rows that are drawn by chance
//	window     window functions
//	spill      rows on disk, divided by the hash of their key
//	exectest   reruns test cases in all ways in which rows can arrive
package exec

import (
	"context"

	"github.com/parquetsql/parquetsql/vector"
)

// Operator is a stream of batches.
//
// Next returns the next batch; at the end nil and no error. After the end or an error
// further calls return the same again. A batch, its vectors and its selection belong
// to the operator until the next call of Next or Close; a consumer that keeps something
// copies it. Two things never change once they were returned and may be kept: the Dict of a
// Dictionary vector, and the bytes of strings, unless they are lent, see vector.Texts. A
// consumer may set the Sel of a batch and must not change anything else of it.
//
// Next returns soon after ctx is done, with its error. All calls of Next get the same
// ctx, or ones that end together.
//
// Close ends all goroutines and removes all files before it returns; it closes the
// inputs too. It may be called before the first Next, after an error and repeatedly,
// but not during Next.
type Operator interface {
	Schema() vector.Schema
	Next(ctx context.Context) (*vector.Batch, error)
	Close() error
}
