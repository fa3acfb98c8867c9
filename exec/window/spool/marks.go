package spool

import (
	"slices"
	"sort"

	"github.com/parquetsql/parquetsql/vector"
)

// Marks is a flag by row.
type Marks struct {
	spool  *Spool
	slot   int
	before []int // by block: how many rows before it have the mark; and of all
	last   int   // the block that was asked for last
	counts *counts
}

// counts is the marks of a block.
type counts struct {
	before []int32 // by row, and for the row after the last: how many rows of the block before it have the mark
	rows   []int32 // those that have it
}

// Peers are the rows that begin a peer group.
func (s *Spool) Peers() *Marks { return s.marks[0] }

// Present are the rows where a column of Layout.Present is not NULL.
func (s *Spool) Present(column int) *Marks {
	return s.marks[1+slices.Index(s.layout.Present, column)]
}

func (m *Marks) add(flags []bool) {
	n := m.before[len(m.before)-1]
	for _, f := range flags {
		if f {
			n++
		}
	}
	m.before = append(m.before, n)
}

// Len is how many rows have the mark.
func (m *Marks) Len() int { return m.before[len(m.before)-1] }

// Rank is how many rows before a row, which may be the one after the last, have the mark.
func (m *Marks) Rank(row int) (int, error) {
	if row >= m.spool.n {
		return m.Len(), nil
	}
	block := m.last
	if from, end := m.spool.Block(block); row < from || row >= end {
		block = m.spool.Find(row)
	}
	c, err := m.load(block)
	if err != nil {
		return 0, err
	}
	return m.before[block] + int(c.before[row-m.spool.starts[block]]), nil
}

// Select is the k-th row that has the mark, from 0; the row after the last if there are fewer.
func (m *Marks) Select(k int) (int, error) {
	if k >= m.Len() {
		return m.spool.n, nil
	}
	block := m.last
	if k < m.before[block] || k >= m.before[block+1] {
		block = sort.Search(len(m.spool.blocks), func(i int) bool { return m.before[i+1] > k })
	}
	c, err := m.load(block)
	if err != nil {
		return 0, err
	}
	return m.spool.starts[block] + int(c.rows[k-m.before[block]]), nil
}

func (m *Marks) load(block int) (*counts, error) {
	if m.counts != nil && m.last == block {
		return m.counts, nil
	}
	at := place{block, m.slot}
	e, err := m.spool.cache.find(at, func() (*entry, error) {
		v, err := m.spool.column(at, vector.Of(vector.Boolean))
		if err != nil {
			return nil, err
		}
		c := &counts{before: make([]int32, 0, v.Len+1)}
		for i, f := range v.Bool {
			c.before = append(c.before, int32(len(c.rows)))
			if f {
				c.rows = append(c.rows, int32(i))
			}
		}
		c.before = append(c.before, int32(len(c.rows)))
		return &entry{counts: c, bytes: int64(cap(c.before)+cap(c.rows)) * 4}, nil
	})
	if err != nil {
		return nil, err
	}
	m.last, m.counts = block, e.counts
	return e.counts, nil
}
