package common

import (
	"context"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/rows/block"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// few is the number of rows up to which one reader reads all of them: for so few it is
// not worth it to wake others, and they keep their order.
const few = 4 * vector.BatchSize

// Readers returns up to n streams that together have all rows once. columns are those
// of the rows that come out, schema describes them.
func (c *Rows) Readers(columns []int, n int, schema vector.Schema) []exec.Operator {
	select {
	case <-c.done:
		n = int(min(int64(n), 1+c.n/few))
	default:
	}
	next := &atomic.Int64{}
	out := make([]exec.Operator, n)
	for i := range out {
		c.enter()
		out[i] = &reader{rows: c, columns: columns, schema: schema, first: i == 0, next: next}
	}
	return out
}

// InOrder is all rows in one stream, those of each input in their order.
func (c *Rows) InOrder() exec.Operator {
	schema := c.in[0].Schema()
	columns := make([]int, len(schema))
	for i := range columns {
		columns[i] = i
	}
	return c.Readers(columns, 1, schema)[0]
}

// Len is how many rows there are, as soon as the first Next of a reader has returned.
func (c *Rows) Len() int64 { return c.n }

// reader is one of the streams.
type reader struct {
	rows    *Rows
	columns []int
	schema  vector.Schema
	first   bool
	next    *atomic.Int64 // of all streams: the next unit

	ready  bool
	closed bool
	err    error
	chunk  *vector.Batch // of the current unit, with the columns of the result: disk, or of memory
	disk   vector.Batch
	memory rowstore.Reader
	at     int // the next row of chunk
	end    int
	out    vector.Batch
}

// Schema implements exec.Operator.
func (r *reader) Schema() vector.Schema { return r.schema }

// Close implements exec.Operator.
func (r *reader) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	return r.rows.leave()
}

// Next implements exec.Operator.
func (r *reader) Next(ctx context.Context) (*vector.Batch, error) {
	if r.closed || r.err != nil {
		return nil, r.err
	}
	if r.err = ctx.Err(); r.err != nil {
		return nil, r.err
	}
	if !r.ready {
		if r.err = r.rows.wait(ctx); r.err != nil {
			return nil, r.err
		}
		r.ready = true
	}
	if r.at == r.end {
		var more bool
		if more, r.err = r.take(); !more {
			return nil, r.err
		}
	}
	n := min(vector.BatchSize, r.end-r.at)
	for len(r.out.Cols) < len(r.chunk.Cols) {
		r.out.Cols = append(r.out.Cols, &vector.Vector{})
	}
	for i, c := range r.chunk.Cols {
		r.out.Cols[i].Slice(c, r.at, n)
	}
	r.out.Len, r.out.Sel = n, nil
	r.at += n
	return &r.out, nil
}

// take makes chunk the rows of the next unit; false is the end.
func (r *reader) take() (bool, error) {
	if !r.first && r.rows.n <= few {
		return false, nil
	}
	i := r.next.Add(1) - 1
	if i >= int64(len(r.rows.units)) {
		return false, nil
	}
	u := r.rows.units[i]
	r.at, r.end = 0, u.n
	if u.block >= 0 {
		r.chunk = &r.disk
		err := r.read(u.part, u.part.disk[u.block])
		return err == nil, err
	}
	r.chunk = r.memory.Columns(u.part.rows, u.chunk, r.columns)
	return true, nil
}

// read makes chunk the rows of a block on disk.
func (r *reader) read(p *part, b written) error {
	r.disk.Cols = r.disk.Cols[:0]
	for _, c := range r.columns {
		data, err := p.file.Read(nil, b.columns[c])
		if err != nil {
			return err
		}
		column, n, err := block.Open(data)
		if err != nil {
			return err
		}
		v := &vector.Vector{}
		if err := column.Column(v, p.types[c], n); err != nil {
			return err
		}
		r.disk.Cols = append(r.disk.Cols, v)
	}
	return nil
}
