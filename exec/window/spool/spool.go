// Package spool keeps the rows of one partition on disk, for window functions over a partition
// that is too large for memory. Rows are added in order, in blocks of bounded bytes; when all are
// there they are read in any order.
//
//	Spool  the rows: Column and Rest read a block, Gather reads rows from anywhere
//	Marks  flags of the rows, which can be counted: which row begins a peer group, and
//	       which value is not NULL
//
// In memory are the places of the blocks, the number of marks before each, and the columns that
// were read last.
package spool

import (
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/rows/block"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// Layout is the columns of the rows.
type Layout struct {
	Types []vector.Type
	// Kept says which columns there are at all, and Alone which of them are read without the
	// others.
	Kept, Alone []bool
	// Present are the columns whose values other than NULL are counted: Marks 1 and so on.
	Present []int
	// BlockBytes is about how long a block is, unless it is a single row, and CacheBytes how
	// much of what was read stays in memory.
	BlockBytes, CacheBytes int64
}

// Spool is the rows of a partition.
type Spool struct {
	layout Layout
	file   *spill.File
	rest   []int // the columns that are read together
	alone  []int // the others

	pending []*rowstore.Column // of the block that grows, by column
	bytes   int64              // of its values
	begins  []bool             // by row of it
	data    []byte

	n      int
	starts []int // the first row of each block, and n
	blocks []stored
	marks  []*Marks
	cache  cache
}

// stored is where the parts of a block are: the columns that are read together, then each of
// the others, then the marks.
type stored []spill.Block

// New is a spool without rows in a file, which the caller closes.
func New(layout Layout, file *spill.File) *Spool {
	s := &Spool{layout: layout, file: file, starts: []int{0}, cache: cache{most: layout.CacheBytes}}
	for c, t := range layout.Types {
		var column *rowstore.Column
		if layout.Kept[c] {
			column = rowstore.NewColumn(t)
			column.Share = true
			if layout.Alone[c] {
				s.alone = append(s.alone, c)
			} else {
				s.rest = append(s.rest, c)
			}
		}
		s.pending = append(s.pending, column)
	}
	for i := range 1 + len(layout.Present) {
		s.marks = append(s.marks, &Marks{spool: s, slot: 1 + len(s.alone) + i, before: []int{0}})
	}
	return s
}

// Len is how many rows there are.
func (s *Spool) Len() int { return s.n }

// Blocks is how many blocks there are.
func (s *Spool) Blocks() int { return len(s.blocks) }

// Block is the first row of a block and the one after its last row.
func (s *Spool) Block(block int) (from, end int) { return s.starts[block], s.starts[block+1] }

// Find is the block of a row.
func (s *Spool) Find(row int) int {
	return sort.Search(len(s.blocks), func(i int) bool { return s.starts[i+1] > row })
}

// Bytes is about the memory of the spool.
func (s *Spool) Bytes() int64 {
	n := s.cache.bytes + s.bytes + int64(cap(s.data))
	n += int64(len(s.blocks)) * int64(8+24+48*(1+len(s.alone)+len(s.marks))+8*len(s.marks))
	return n
}

var errLong = errors.New("a partition of a window function has too many rows for this system")

// Add adds the listed rows of columns. begins says by position in rows which begins a peer group.
func (s *Spool) Add(columns []*vector.Vector, rows []int32, begins []bool) error {
	if s.n > math.MaxInt-math.MaxInt32 {
		return errLong
	}
	fixed := int64(0)
	var long []*vector.Vector // whose values differ in length
	for c, v := range columns {
		if s.pending[c] == nil {
			continue
		}
		switch v.Type.Storage() {
		case vector.StoreNested:
			fixed += v.Bytes() / int64(max(1, v.Len))
			long = append(long, v)
		case vector.StoreString:
			long = append(long, v)
		}
		fixed += valueBytes
	}
	from := 0
	for i, row := range rows {
		bytes := fixed
		for _, v := range long {
			bytes += v.TextBytes(int(row))
		}
		waiting := len(s.begins) + i - from
		if waiting > 0 && (s.bytes+bytes > s.layout.BlockBytes || waiting == vector.BatchSize) {
			if err := s.take(columns, rows[from:i], begins[from:i]); err != nil {
				return err
			}
			if err := s.write(); err != nil {
				return err
			}
			from = i
		}
		s.bytes += bytes
	}
	return s.take(columns, rows[from:], begins[from:])
}

// valueBytes is about the memory of a value, but for its text.
const valueBytes = 16

func (s *Spool) take(columns []*vector.Vector, rows []int32, begins []bool) error {
	if len(rows) == 0 {
		return nil
	}
	for c, column := range s.pending {
		if column != nil {
			if err := column.Append(columns[c], rows); err != nil {
				return err
			}
		}
	}
	s.begins = append(s.begins, begins...)
	return nil
}

// End is called when all rows were added.
func (s *Spool) End() error {
	if err := s.write(); err != nil {
		return err
	}
	s.pending, s.data, s.begins = nil, nil, nil
	return nil
}

// write makes a block of the rows that wait.
func (s *Spool) write() error {
	n := len(s.begins)
	if n == 0 {
		return nil
	}
	var parts stored
	put := func(columns ...*vector.Vector) error {
		s.data = block.Begin(s.data, n)
		for _, v := range columns {
			s.data = block.AppendColumn(s.data, v)
		}
		b, err := s.file.Append(s.data)
		parts = append(parts, b)
		return err
	}
	var together []*vector.Vector
	for _, c := range s.rest {
		together = append(together, &s.pending[c].Vec)
	}
	if err := put(together...); err != nil {
		return err
	}
	for _, c := range s.alone {
		if err := put(&s.pending[c].Vec); err != nil {
			return err
		}
	}
	flags := vector.New(vector.Of(vector.Boolean), n)
	for i, m := range s.marks {
		copy(flags.Bool, s.begins)
		if i > 0 {
			v := &s.pending[s.layout.Present[i-1]].Vec
			for row := range n {
				flags.Bool[row] = !v.IsNull(row)
			}
		}
		if err := put(flags); err != nil {
			return err
		}
		m.add(flags.Bool)
	}
	for _, column := range s.pending {
		if column != nil {
			column.Reset()
		}
	}
	if int64(cap(s.data)) > 2*s.layout.BlockBytes {
		s.data = nil
	}
	s.begins, s.bytes = s.begins[:0], 0
	s.n += n
	s.starts, s.blocks = append(s.starts, s.n), append(s.blocks, slices.Clip(parts))
	return nil
}
