package order

import (
	"bytes"
	"context"

	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/rows/block"
	"github.com/parquetsql/parquetsql/vector"
)

// merger reads several runs as one. The cursors are a heap by the key of their row,
// the smallest at the top.
type merger struct {
	types   []vector.Type
	file    *spill.File
	cursors []*cursor // all; Pick.Source is an index into them
	heap    []*cursor
	started bool
	picks   []vector.Pick
	rows    []int32
	sources []*vector.Vector // of one column, by cursor
	none    *vector.Vector   // in sources, for a cursor that has no block
}

// cursor is a position in a run.
type cursor struct {
	num    int32 // its index in cursors
	run    *run
	block  int    // the next one to read from disk
	data   []byte // the block, in which the keys are
	cols   []*vector.Vector
	keys   keyBuf
	row, n int
	lead   int // the rows before it come before those of the other cursors
	hi, lo uint64
	key    []byte
}

func newMerger(types []vector.Type, runs []*run, file *spill.File) *merger {
	m := &merger{types: types, file: file, none: vector.New(vector.Of(vector.Null), 0)}
	for i, r := range runs {
		m.cursors = append(m.cursors, &cursor{num: int32(i), run: r})
	}
	return m
}

// load reads the next block of the cursor's run. It returns false at the run's end.
func (m *merger) load(c *cursor) (bool, error) {
	c.row, c.lead = 0, 0
	if c.run.blocks == nil {
		if c.cols != nil || c.run.n == 0 {
			return false, nil
		}
		c.cols, c.keys, c.n = c.run.cols, c.run.keys, c.run.n
		c.see()
		return true, nil
	}
	if c.block == len(c.run.blocks) {
		return false, nil
	}
	var err error
	if c.data, err = m.file.Read(c.data, c.run.blocks[c.block]); err != nil {
		return false, err
	}
	c.block++
	r, n, err := block.Open(c.data)
	if err != nil {
		return false, err
	}
	c.n = n
	if c.keys.data, c.keys.ends, err = r.Bytes(n); err != nil {
		return false, err
	}
	for len(c.cols) < len(m.types) {
		c.cols = append(c.cols, &vector.Vector{})
	}
	for i, t := range m.types {
		if err := r.Column(c.cols[i], t, n); err != nil {
			return false, err
		}
	}
	c.see()
	return true, nil
}

// see loads the key of the cursor's row.
func (c *cursor) see() {
	c.key = c.keys.key(c.row)
	c.hi, c.lo, _ = c.keys.words(c.row)
}

func (c *cursor) less(o *cursor) bool {
	switch {
	case c.hi != o.hi:
		return c.hi < o.hi
	case c.lo != o.lo:
		return c.lo < o.lo
	}
	if len(c.key) == len(o.key) && len(c.key) <= 16 {
		return c.num < o.num
	}
	by := bytes.Compare(c.key, o.key)
	return by < 0 || by == 0 && c.num < o.num
}

// ahead returns how many rows of the cursor behind the present one come before o, up to n: where
// runs overlap little, or keys repeat, they are found without a look at each.
func (c *cursor) ahead(o *cursor, n int) int {
	before := func(i int) bool {
		at := cursor{num: c.num, keys: c.keys, row: c.row + i}
		at.see()
		return at.less(o)
	}
	passed, step := 0, 1
	for passed+step <= n && before(passed+step) {
		passed += step
		step *= 2
	}
	for step /= 2; step > 0; step /= 2 {
		if passed+step <= n && before(passed+step) {
			passed += step
		}
	}
	return passed
}

// sift moves the cursor at i down to its place.
func (m *merger) sift(i int) {
	h := m.heap
	for {
		least := 2*i + 1
		if least >= len(h) {
			return
		}
		if least+1 < len(h) && h[least+1].less(h[least]) {
			least++
		}
		if !h[least].less(h[i]) {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

func (m *merger) start() error {
	m.started = true
	for _, c := range m.cursors {
		ok, err := m.load(c)
		if err != nil {
			return err
		}
		if ok {
			m.heap = append(m.heap, c)
		}
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.sift(i)
	}
	return nil
}

// next returns up to n rows in order. It returns fewer when a block ends, because its
// memory is reused: picks are valid until the next call.
func (m *merger) next(n int) ([]vector.Pick, error) {
	return m.collect(n, nil)
}

// collect is next that ends behind a row for which full, unless it is nil, returns true.
func (m *merger) collect(n int, full func(*cursor) bool) ([]vector.Pick, error) {
	if !m.started {
		if err := m.start(); err != nil {
			return nil, err
		}
	}
	m.picks = m.picks[:0]
	if len(m.heap) > 0 && m.heap[0].row == m.heap[0].n { // the last call read its last row
		ok, err := m.load(m.heap[0])
		if err != nil {
			return nil, err
		}
		if !ok {
			m.drop()
		}
		m.sift(0)
	}
	streak := 0 // rows of one cursor so far
	var last *cursor
	for len(m.heap) > 0 && len(m.picks) < n {
		c := m.heap[0]
		if streak++; c != last {
			streak, last = 0, c
		}
		if full == nil && (streak >= longStreak || c.row < c.lead) {
			m.leap(c, n)
			if len(m.picks) == n {
				break
			}
		}
		m.picks = append(m.picks, vector.Pick{Source: c.num, Row: int32(c.row)})
		end := full != nil && full(c)
		c.row++
		if c.row < c.n {
			c.see()
			m.sift(0)
		} else if c.run.blocks != nil {
			break
		} else {
			m.drop()
			m.sift(0)
		}
		if end {
			break
		}
	}
	return m.picks, nil
}

// longStreak is after how many rows of one run in succession it is worth looking how many more of
// them follow.
const longStreak = 8

// leap picks the rows of c, the cursor at the top, which come before those of the other cursors, up to
// n rows in all and but for the last row of the block.
func (m *merger) leap(c *cursor, n int) {
	if c.lead <= c.row {
		rows := c.n - 1 - c.row
		for _, o := range m.heap[1:min(len(m.heap), 3)] { // the next one is among these
			rows = c.ahead(o, rows)
		}
		c.lead = c.row + rows
	}
	end := min(c.lead, c.row+n-len(m.picks))
	if c.row == end {
		return
	}
	for ; c.row < end; c.row++ {
		m.picks = append(m.picks, vector.Pick{Source: c.num, Row: int32(c.row)})
	}
	c.see()
}

// drop removes the cursor at the top, which is at its end.
func (m *merger) drop() {
	last := len(m.heap) - 1
	m.heap[0] = m.heap[last]
	m.heap = m.heap[:last]
}

// column makes out column c of the picked rows.
func (m *merger) column(out *vector.Vector, c int, picks []vector.Pick) error {
	if len(m.cursors) == 1 {
		m.rows = m.rows[:0]
		for _, p := range picks {
			m.rows = append(m.rows, p.Row)
		}
		return out.Gather(m.cursors[0].cols[c], m.rows)
	}
	m.sources = m.sources[:0]
	for _, cur := range m.cursors {
		v := m.none
		if cur.cols != nil {
			v = cur.cols[c]
		}
		m.sources = append(m.sources, v)
	}
	return out.Pick(m.types[c], m.sources, picks)
}

// toDisk writes all rows as one run.
func (m *merger) toDisk(ctx context.Context) (*run, error) {
	r := &run{}
	w := runWriter{file: m.file}
	col := &vector.Vector{}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w.start()
		picks, err := m.collect(blockRows, func(c *cursor) bool {
			w.add(c.key)
			for _, v := range c.cols {
				w.bytes += valueBytes(v, c.row)
			}
			return w.full()
		})
		if err != nil || len(picks) == 0 {
			return r, err
		}
		w.begin()
		for c := range m.types {
			if err := m.column(col, c, picks); err != nil {
				return nil, err
			}
			w.column(col)
		}
		r.n += len(picks)
		if err := w.end(r); err != nil {
			return nil, err
		}
	}
}
