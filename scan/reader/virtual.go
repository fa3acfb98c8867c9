package reader

import (
	"context"
	"slices"
	"sync"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/vector"
)

// virtualRows are the rows of a computed table. They are made once, by the reader that is the
// first to ask and whose context does not end, and each batch goes to one reader.
type virtualRows struct {
	mu      sync.Mutex
	made    bool
	batches []*vector.Batch
	err     error
}

func (v *virtualRows) next(ctx context.Context, t *catalog.Table) (*vector.Batch, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.made {
		batches, err := t.Virtual(ctx)
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v.made, v.batches, v.err = true, batches, err
	}
	if v.err != nil || len(v.batches) == 0 {
		return nil, v.err
	}
	b := v.batches[0]
	v.batches = v.batches[1:]
	return b, nil
}

// nextVirtual filters and projects the rows of a computed table.
func (r *Reader) nextVirtual(ctx context.Context) (*vector.Batch, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if r.scan.full.Load() {
			return nil, nil
		}
		made, err := r.scan.virtual.next(ctx, r.scan.table)
		if made == nil || err != nil {
			return nil, err
		}
		b := *made
		if b.Cols, err = r.scan.derive(&b); err != nil {
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
		r.batch = vector.Batch{Len: b.Len, Sel: b.Sel}
		for _, p := range r.scan.request.Columns {
			r.batch.Cols = append(r.batch.Cols, b.Cols[p.Column])
		}
		return &r.batch, nil
	}
}

// derive is the columns of a batch of a computed table and those of Request.Derived.
func (s *Scan) derive(b *vector.Batch) ([]*vector.Vector, error) {
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
