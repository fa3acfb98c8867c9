package group

import (
	"context"

	"github.com/parquetsql/parquetsql/vector"
)

// keptRows reads the rows of a keeper in order.
type keptRows struct {
	at    int          // the next row
	chunk vector.Batch // the columns of the current chunk
	first int          // its first row
	next  int          // chunk
	out   vector.Batch
}

// read is the next rows, nil at the end, with the columns that are kept.
func (r *keptRows) read(k *keeper) *vector.Batch {
	if r.at == k.n {
		return nil
	}
	r.out.Len, r.out.Sel = min(vector.BatchSize, k.n-r.at), nil
	if len(k.kept) > 0 {
		if r.at == r.first+r.chunk.Len {
			r.first = r.at
			k.rows.Chunk(r.next, &r.chunk)
			r.next++
		}
		r.out.Len = min(r.out.Len, r.first+r.chunk.Len-r.at)
	}
	for len(r.out.Cols) < len(k.kept) {
		r.out.Cols = append(r.out.Cols, &vector.Vector{})
	}
	for c, v := range r.chunk.Cols {
		r.out.Cols[c].Slice(v, r.at-r.first, r.out.Len)
	}
	r.at += r.out.Len
	return &r.out
}

// besideStream returns the rows of one worker, or those that are made instead.
type besideStream struct {
	*beside
	rows   *keeper
	number int
	read   keptRows
	groups []int32          // of the rows of a batch
	values []vector.Vector  // by aggregate
	nulls  []*vector.Vector // by column, of those that are not read
	out    vector.Batch
	done   bool
	failed error
	closed bool
}

// Schema implements exec.Operator.
func (s *besideStream) Schema() vector.Schema { return s.with.Schema }

// Close implements exec.Operator.
func (s *besideStream) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	return s.end()
}

// Next implements exec.Operator.
func (s *besideStream) Next(ctx context.Context) (*vector.Batch, error) {
	if s.failed != nil || s.closed {
		return nil, s.failed
	}
	if s.failed = s.start(ctx); s.failed == nil {
		s.failed = ctx.Err()
	}
	if s.failed != nil {
		return nil, s.failed
	}
	if s.refused.Load() {
		if s.number >= len(s.instead) {
			return nil, nil
		}
		return s.instead[s.number].Next(ctx)
	}
	if s.done {
		return nil, nil
	}
	b := s.read.read(s.rows)
	if b == nil {
		s.done = true
		s.rows.forget()
		return nil, nil
	}
	if s.failed = s.add(b, s.read.at-b.Len); s.failed != nil {
		return nil, s.failed
	}
	return &s.out, nil
}

// add makes the output of rows, with the results of their groups.
func (s *besideStream) add(b *vector.Batch, first int) error {
	s.groups = vector.Resize(s.groups, b.Len)
	for i := range s.groups {
		row := first + i
		s.groups[i] = int32(s.rows.ids[row/idBlock][row%idBlock])
	}
	if to := s.rows.to; to != nil {
		for i, id := range s.groups {
			s.groups[i] = int32(to[id])
		}
	}
	if s.values == nil {
		s.values, s.nulls = make([]vector.Vector, len(s.results)), make([]*vector.Vector, len(s.with.Schema))
	}
	s.out.Len, s.out.Sel, s.out.Cols = b.Len, nil, s.out.Cols[:0]
	kept := b.Cols
	for c := range len(s.with.Schema) - len(s.results) {
		if s.with.Unread == nil || !s.with.Unread[c] {
			s.out.Cols, kept = append(s.out.Cols, kept[0]), kept[1:]
			continue
		}
		if s.nulls[c] == nil {
			s.nulls[c] = vector.NewConstant(vector.NullOf(s.with.Schema[c].Type), 0)
		}
		s.nulls[c].Len = b.Len
		s.out.Cols = append(s.out.Cols, s.nulls[c])
	}
	for i, v := range s.results {
		if err := s.values[i].Gather(v, s.groups); err != nil {
			return err
		}
		s.out.Cols = append(s.out.Cols, &s.values[i])
	}
	return nil
}

// besideRest is the rows that a worker has kept, and those that it has not read.
type besideRest struct {
	rows *keeper
	kept keptRows
	rest bool // the kept rows were read
}

// Schema implements exec.Operator.
func (r *besideRest) Schema() vector.Schema { return r.rows.in.Schema() }

// Close implements exec.Operator. The input is closed with the streams.
func (r *besideRest) Close() error { return nil }

// Next implements exec.Operator.
func (r *besideRest) Next(ctx context.Context) (*vector.Batch, error) {
	if !r.rest {
		if b := r.kept.read(r.rows); b != nil {
			return b, ctx.Err()
		}
		r.rest, r.kept = true, keptRows{}
		r.rows.forget()
	}
	return r.rows.in.Next(ctx)
}
