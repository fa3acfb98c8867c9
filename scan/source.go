package scan

import (
	"context"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// Source is all that the planner knows of a table: what it looks like, how large it is, and how
// to read it. Files are one kind of source, computed rows another.
type Source interface {
	Description() *Table
	// Bytes is about how many bytes a pass over all columns reads; 0 where no second reader
	// would help.
	Bytes() int64
	// Answers reports whether scans may answer aggregates from metadata, see Scan.Metadata.
	Answers() bool
	// Statistics estimates what the table holds; nil: nothing is known.
	Statistics(ctx context.Context) Statistics
	// Scan plans a pass over the table; ctx bounds the whole pass.
	Scan(ctx context.Context, r Request) (Scan, error)
}

// Scan is one pass over a table: work that any number of readers share. It may be used by
// several goroutines.
type Scan interface {
	// NewReader is one worker's share of the rows.
	NewReader() Reader
	// Close ends the pass: readers find no more work. Readers are closed on their own. It may
	// be called twice.
	Close() error

	// Restrict adds conjuncts to the filter that became known after the scan was planned: what a
	// join knows of the keys of its other side. It must come before the first Next of a reader,
	// else it does nothing. The caller does without the rows that do not satisfy them.
	Restrict(conjuncts []expr.Expr)
	// NewBound is a place for a condition that becomes stronger while the scan runs: that of a
	// TopN. SetBound replaces the one that is there. Rows that do not satisfy it need not be
	// returned.
	NewBound() int
	SetBound(place int, e expr.Expr)
	// SetBetter is SetBound of "one of the conditions", each of which is on one column: an aggregate
	// that keeps one value of the column has a use for these alone. In place of other values of a column, that all
	// its conditions are about, there may be NULL.
	SetBetter(place int, conditions []expr.Expr)

	// Metadata computes aggregates without reading rows where that is exact. all says that
	// they are of all rows; else readers return the rows that are left. The scan must not
	// have been read.
	Metadata(ctx context.Context, asks []MetaAggregate) (values []vector.Scalar, all bool, err error)

	// First is the work whose rows come next where Request.InOrder is set, nil if there is
	// none; it is the Place of a reader if one has begun it. changed is closed when First may
	// be another.
	First() (place any, changed <-chan struct{})
	// Pass says that all batches of a place are taken.
	Pass(place any)
	// Sparse is closed when most of what was read was lost to the filter, as far as is known;
	// nil: it never is.
	Sparse() <-chan struct{}

	// Preview counts, for an EXPLAIN that does not run the query, what a pass would read. The
	// scan has no rows afterwards.
	Preview(ctx context.Context) error
	Counters() Counters
	Progress() Progress
	Probes() []string // the conjuncts that statistics may decide
	Leaves() []string // the leaf columns that had, or would have, pages decoded
}

// Reader is one worker's share of a scan. It has the methods of an operator and is for one
// goroutine; a batch is valid until the next call of Next or Close.
type Reader interface {
	Schema() vector.Schema
	// Next is the next batch; nil without an error is the end.
	Next(ctx context.Context) (*vector.Batch, error)
	// Close may be called at any time and twice.
	Close() error

	// Place is the work of the batch that Next has returned, see Scan.First; nil if the scan
	// has no places.
	Place() any
	// Ended are the places that the reader has ended since the last call.
	Ended() []any
}
