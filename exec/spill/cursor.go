package spill

import (
	"context"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/block"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// Read calls f with all rows of a partition, those on disk first, a batch at a time.
// A batch belongs to f until it returns. The partition keeps its rows.
func (s *Partitions) Read(ctx context.Context, p int, f func(b *vector.Batch) error) error {
	return s.Cursor(p).Each(ctx, f)
}

// Each calls f with all rows that are left, as Read does.
func (c *Cursor) Each(ctx context.Context, f func(b *vector.Batch) error) error {
	for {
		b, err := c.Next(ctx)
		if b == nil || err != nil {
			return err
		}
		if err := f(b); err != nil {
			return err
		}
	}
}

// Cursor reads the rows of a partition, which keeps them, always in the same order.
type Cursor struct {
	s     *Partitions
	part  *partition
	begun bool
	block int
	chunk int

	reader rowstore.Reader
	data   []byte       // of a block
	rows   vector.Batch // of it
	long   bool         // it is one whose texts lie in the block itself
}

// Cursor returns a Cursor before the first row.
func (s *Partitions) Cursor(p int) *Cursor { return &Cursor{s: s, part: &s.list[p]} }

// Move makes the cursor one before the first row of a partition. Its memory is used again.
func (c *Cursor) Move(s *Partitions, p int) {
	c.s, c.part, c.begun, c.block, c.chunk = s, &s.list[p], false, 0, 0
}

// Next returns the next rows, those on disk first, nil at the end. They are valid until
// the next call and as long as the partition is not changed. A batch may have more than
// vector.BatchSize rows.
func (c *Cursor) Next(ctx context.Context) (*vector.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !c.begun {
		c.begun = true
		if err := c.s.Flush(nil); err != nil {
			return nil, err
		}
	}
	switch {
	case c.block < len(c.part.blocks):
		c.block++
		return c.read(c.part.blocks[c.block-1])
	case c.chunk < c.part.rows.Chunks():
		c.chunk++
		return c.reader.Read(c.part.rows, c.chunk-1), nil
	}
	c.reader.Forget()
	if c.long {
		c.rows, c.long = vector.Batch{}, false
	}
	return nil, nil
}

// read returns the rows of a block.
func (c *Cursor) read(at Block) (*vector.Batch, error) {
	r, n, err := c.open(at)
	if err != nil {
		return nil, err
	}
	c.rows.Len = n
	for i, t := range c.s.layout.Types {
		if i == len(c.rows.Cols) {
			c.rows.Cols = append(c.rows.Cols, &vector.Vector{})
		}
		if err := r.Column(c.rows.Cols[i], t, n); err != nil {
			return nil, err
		}
	}
	return &c.rows, nil
}

func (c *Cursor) open(at Block) (r *block.Reader, n int, err error) {
	if c.long = at.len > 2*quota.BlockBytes; c.long {
		c.rows.Cols = nil // the row before need not stay beside this one
		return c.s.file.open(at)
	}
	if c.data, err = c.s.file.Read(c.data, at); err != nil {
		return nil, 0, err
	}
	return block.Open(c.data)
}
