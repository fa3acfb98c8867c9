// Package computed has tables whose rows are computed when they are read: those about other
// tables, and information_schema.
package computed

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// Table is a scan.Source of computed rows.
type Table struct {
	scan.Table
	// Make makes the rows; their columns are Columns. Each scan calls it once. A column that the scan
	// does not need may be NULL, where its values take work.
	Make func(ctx context.Context, needs func(column int) bool) ([]*vector.Batch, error)
	// Stream, instead of Make, opens rows that are too many for memory. Each scan calls it once, and has
	// one reader.
	Stream func(ctx context.Context) (Stream, error)
}

// Stream is rows that come one batch after the other. It is for one goroutine.
type Stream interface {
	// Next is the next batch, valid until the next call; nil without an error is the end.
	Next(ctx context.Context) (*vector.Batch, error)
	// Close may be called at any time and twice.
	Close() error
}

// Bytes implements scan.Source.
func (*Table) Bytes() int64 { return 0 }

// Answers implements scan.Source.
func (*Table) Answers() bool { return false }

// Statistics implements scan.Source.
func (*Table) Statistics(context.Context) scan.Statistics { return nil }

// Scan implements scan.Source.
func (t *Table) Scan(ctx context.Context, r scan.Request) (scan.Scan, error) {
	for _, p := range r.Columns {
		if p.Column < len(t.Columns) && t.Columns[p.Column].Conflict != nil {
			return nil, t.Columns[p.Column].Conflict
		}
	}
	s := &pass{table: t, request: r}
	s.ctx, s.cancel = context.WithCancel(ctx)
	return s, nil
}

// pass is a scan of a computed table. Its rows are made once, by the reader that is the first to
// ask and whose context does not end, and each batch goes to one reader.
type pass struct {
	table   *Table
	request scan.Request
	ctx     context.Context // ends with Close
	cancel  context.CancelFunc

	mu      sync.Mutex
	made    bool
	batches []*vector.Batch
	stream  Stream // nil: there is none, or it is closed
	closed  bool
	err     error

	returned atomic.Int64
}

func (s *pass) next(ctx context.Context) (*vector.Batch, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.table.Stream != nil {
		return s.streamed(ctx)
	}
	if !s.made {
		batches, err := s.table.Make(ctx, s.needs)
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, b := range batches {
			for _, v := range b.Cols {
				v.Raise(vector.Shared)
			}
		}
		s.made, s.batches, s.err = true, batches, err
	}
	if s.err != nil || len(s.batches) == 0 {
		return nil, s.err
	}
	b := s.batches[0]
	s.batches = s.batches[1:]
	return b, nil
}

// streamed is the next batch of the stream.
func (s *pass) streamed(ctx context.Context) (*vector.Batch, error) {
	if s.closed || s.err != nil {
		return nil, s.err
	}
	if !s.made {
		s.made = true
		s.stream, s.err = s.table.Stream(s.ctx)
	}
	if s.stream == nil {
		return nil, s.err
	}
	b, err := s.stream.Next(ctx)
	if b == nil {
		s.err = errors.Join(err, s.stream.Close())
		s.stream = nil
		return nil, s.err
	}
	return b, nil
}

// needs reports whether a column is read.
func (s *pass) needs(column int) bool {
	for _, e := range s.request.Filter {
		if slices.Contains(expr.ColumnsOf(e), column) {
			return true
		}
	}
	return slices.ContainsFunc(s.request.Columns, func(p scan.Projection) bool { return p.Column == column }) ||
		slices.ContainsFunc(s.request.Derived, func(d scan.Derived) bool { return d.Column == column })
}

// derive is the columns of a batch and those of Request.Derived.
func (s *pass) derive(b *vector.Batch) ([]*vector.Vector, error) {
	cols := slices.Clip(b.Cols)
	for _, d := range s.request.Derived {
		from := expr.NewColumn(d.Column, "", s.table.Columns[d.Column].Type)
		v, err := expr.NewEvaluator(expr.NewExtract(from, d.Extraction)).Eval(b)
		if err != nil {
			return nil, err
		}
		cols = append(cols, v)
	}
	return cols, nil
}

// enough reports whether the limit is reached.
func (s *pass) enough() bool {
	return s.request.Limit >= 0 && s.returned.Load() >= s.request.Limit
}

// NewReader implements scan.Scan.
func (s *pass) NewReader() scan.Reader { return &reader{pass: s} }

// Close implements scan.Scan.
func (s *pass) Close() error {
	s.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.stream == nil {
		return nil
	}
	err := s.stream.Close()
	s.stream = nil
	return err
}

// Restrict implements scan.Scan: rows that need not be returned may be.
func (*pass) Restrict([]expr.Expr) {}

// NewBound implements scan.Scan.
func (*pass) NewBound() int { return 0 }

// SetBound implements scan.Scan.
func (*pass) SetBound(int, expr.Expr) {}

// SetBetter implements scan.Scan.
func (*pass) SetBetter(int, []expr.Expr) {}

// Metadata implements scan.Scan.
func (*pass) Metadata(_ context.Context, asks []scan.MetaAggregate) ([]vector.Scalar, bool, error) {
	return make([]vector.Scalar, len(asks)), false, nil
}

// First implements scan.Scan: there are no places.
func (*pass) First() (any, <-chan struct{}) { return nil, nil }

// Pass implements scan.Scan.
func (*pass) Pass(any) {}

// Sparse implements scan.Scan.
func (*pass) Sparse() <-chan struct{} { return nil }

// Preview implements scan.Scan.
func (*pass) Preview(context.Context) error { return nil }

// Counters implements scan.Scan.
func (s *pass) Counters() scan.Counters {
	return scan.Counters{Table: s.table.Name, RowsReturned: s.returned.Load()}
}

// Progress implements scan.Scan: nothing is read.
func (*pass) Progress() scan.Progress { return scan.Progress{} }

// Probes implements scan.Scan.
func (*pass) Probes() []string { return nil }

// Leaves implements scan.Scan.
func (*pass) Leaves() []string { return nil }

// reader filters and projects the rows.
type reader struct {
	*pass
	filters []*expr.Filter
	begun   bool
	batch   vector.Batch
	closed  bool
	err     error
}

// Schema implements scan.Reader.
func (r *reader) Schema() vector.Schema {
	out := make(vector.Schema, len(r.request.Columns))
	own := r.table.Columns
	for i, p := range r.request.Columns {
		if k := p.Column - len(own); k >= 0 {
			d := r.request.Derived[k]
			out[i] = vector.Column{Name: d.Of(own[d.Column].Name), Type: d.Type(), Nullable: true}
			continue
		}
		c := own[p.Column]
		out[i] = vector.Column{Name: c.Name, Type: c.Type, Nullable: c.Nullable}
	}
	return out
}

// Next implements scan.Reader.
func (r *reader) Next(ctx context.Context) (*vector.Batch, error) {
	if r.closed || r.err != nil {
		return nil, r.err
	}
	if !r.begun {
		r.begun = true
		if r.err = r.begin(ctx); r.err != nil {
			return nil, r.err
		}
	}
	b, err := r.read(ctx)
	r.err = err
	return b, err
}

// begin prepares the filters, of which there may be very many.
func (r *reader) begin(ctx context.Context) error {
	for i, e := range r.request.Filter {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := expr.NewFilter(e)
		if i >= expr.KeptOperands {
			f = expr.NewBriefFilter(e)
		}
		r.filters = append(r.filters, f.Within(quota.NewMeter(r.ctx, r.request.Budget)))
	}
	return nil
}

func (r *reader) read(ctx context.Context) (*vector.Batch, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if r.enough() {
			return nil, nil
		}
		made, err := r.next(ctx)
		if made == nil || err != nil {
			return nil, err
		}
		b := *made
		if b.Cols, err = r.derive(&b); err != nil {
			return nil, err
		}
		for _, f := range r.filters {
			if err := f.Apply(&b); err != nil {
				return nil, err
			}
		}
		if b.Rows() == 0 {
			continue
		}
		r.returned.Add(int64(b.Rows()))
		r.batch = vector.Batch{Len: b.Len, Sel: b.Sel}
		for _, p := range r.request.Columns {
			r.batch.Cols = append(r.batch.Cols, b.Cols[p.Column])
		}
		return &r.batch, nil
	}
}

// Close implements scan.Reader.
func (r *reader) Close() error {
	r.closed = true
	return nil
}

// Place implements scan.Reader.
func (*reader) Place() any { return nil }

// Ended implements scan.Reader.
func (*reader) Ended() []any { return nil }
