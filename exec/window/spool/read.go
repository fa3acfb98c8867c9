package spool

import (
	"cmp"
	"slices"

	"github.com/parquetsql/parquetsql/rows/block"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// cache is the parts of blocks that were read last.
type cache struct {
	most, bytes int64
	entries     map[place]*entry
	clock       uint64
}

// place is a part of a block.
type place struct{ block, slot int }

// entry is a column, or marks.
type entry struct {
	column *vector.Vector
	counts *counts
	bytes  int64
	used   uint64
}

// find is the entry of a place, which read makes if it is not there.
func (c *cache) find(at place, read func() (*entry, error)) (*entry, error) {
	c.clock++
	if e := c.entries[at]; e != nil {
		e.used = c.clock
		return e, nil
	}
	e, err := read()
	if err != nil {
		return nil, err
	}
	if c.entries == nil {
		c.entries = map[place]*entry{}
	}
	for c.bytes+e.bytes > c.most && len(c.entries) > 0 {
		c.drop()
	}
	e.used = c.clock
	c.entries[at] = e
	c.bytes += e.bytes
	return e, nil
}

// drop removes the entry that was not used for the longest time.
func (c *cache) drop() {
	var oldest place
	least := ^uint64(0)
	for at, e := range c.entries {
		if e.used < least {
			oldest, least = at, e.used
		}
	}
	c.bytes -= c.entries[oldest].bytes
	delete(c.entries, oldest)
}

// open reads a part of a block.
func (s *Spool) open(at place) (*block.Reader, int, error) {
	data, err := s.file.Read(s.data, s.blocks[at.block][at.slot])
	if err != nil {
		return nil, 0, err
	}
	if s.data = data; int64(cap(data)) > 2*s.layout.BlockBytes {
		s.data = nil
	}
	return block.Open(data)
}

// column reads a column of a part of a block.
func (s *Spool) column(at place, t vector.Type) (*vector.Vector, error) {
	r, n, err := s.open(at)
	if err != nil {
		return nil, err
	}
	v := &vector.Vector{}
	return v, r.Column(v, t, n)
}

// Column is a column of a block that is read alone. It does not change.
func (s *Spool) Column(block, column int) (*vector.Vector, error) {
	at := place{block, 1 + slices.Index(s.alone, column)}
	e, err := s.cache.find(at, func() (*entry, error) {
		v, err := s.column(at, s.layout.Types[column])
		if err != nil {
			return nil, err
		}
		return &entry{column: v, bytes: v.Bytes() + v.TextBytesOf(0, v.Len)}, nil
	})
	if err != nil {
		return nil, err
	}
	return e.column, nil
}

// Rest reads the other columns of a block into new vectors, which it calls set with.
func (s *Spool) Rest(block int, set func(column int, v *vector.Vector)) error {
	if len(s.rest) == 0 {
		return nil
	}
	r, n, err := s.open(place{block, 0})
	if err != nil {
		return err
	}
	for _, c := range s.rest {
		v := &vector.Vector{}
		if err := r.Column(v, s.layout.Types[c], n); err != nil {
			return err
		}
		set(c, v)
	}
	return nil
}

// Size is about the memory of so many rows of a column that is read alone.
func (s *Spool) Size(column, rows int) int64 {
	slot, total := 1+slices.Index(s.alone, column), 0.0
	for _, b := range s.blocks {
		total += float64(b[slot].Len())
	}
	return int64(float64(rows) * (valueBytes + total/float64(max(1, s.n))))
}

// sharedBlocks is from how many blocks at most a result has texts that are not copied: a text
// keeps its block in memory.
const sharedBlocks = 4

// Gather writes the values of rows of a column that is read alone; those of negative rows are
// NULL. Each block is read once.
func (s *Spool) Gather(column int, rows []int, out *vector.Vector) error {
	order := make([]int32, 0, len(rows))
	sorted := true
	for i, row := range rows {
		if row >= 0 {
			sorted = sorted && (len(order) == 0 || rows[order[len(order)-1]] <= row)
			order = append(order, int32(i))
		}
	}
	if !sorted {
		slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(rows[a], rows[b]) })
	}
	values := rowstore.NewColumn(s.layout.Types[column])
	values.Share = s.reaches(rows, order) <= sharedBlocks
	at := make([]int32, len(rows)) // by result: its place in values
	n := int32(0)
	var sel []int32
	for len(order) > 0 {
		block := s.Find(rows[order[0]])
		from, end := s.Block(block)
		before := -1
		sel = sel[:0]
		for len(order) > 0 && rows[order[0]] < end {
			row := rows[order[0]]
			if row != before {
				sel, before = append(sel, int32(row-from)), row
				n++
			}
			at[order[0]], order = n-1, order[1:]
		}
		v, err := s.Column(block, column)
		if err != nil {
			return err
		}
		if err := values.Append(v, sel); err != nil {
			return err
		}
	}
	if n == 0 {
		out.Reset(s.layout.Types[column], 0)
		out.AppendNulls(len(rows))
		return nil
	}
	if err := out.Gather(&values.Vec, at); err != nil {
		return err
	}
	for i, row := range rows {
		if row < 0 {
			out.SetNull(i)
		}
	}
	return nil
}

// reaches is how many blocks have the listed rows, which ascend.
func (s *Spool) reaches(rows []int, order []int32) int {
	n, end := 0, 0
	for _, i := range order {
		if rows[i] >= end {
			_, end = s.Block(s.Find(rows[i]))
			n++
		}
	}
	return n
}
