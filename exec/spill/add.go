package spill

import (
	"slices"

	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// adding divides rows. Rows of several batches are collected and divided together: where
// a filter leaves a tenth of each batch, a partition would get three rows of it, and what
// is done once for each partition and column would cost far more than the rows.
type adding struct {
	texts  vector.Longest
	ahead  int64 // reserved for a long row, see room
	hasher *hashtable.Hasher
	hashes []uint64 // of the selected rows of a batch

	collected []*rowstore.Column // rows of several batches; nil: they are not collected
	waiting   []uint64           // the hashes of those
	byRow     rowstore.Column    // that are these
	borrowed  []bool             // by column: some strings of it are a batch's

	parts   []uint8 // by row: its partition
	rows    []int32 // in the order of their partitions
	ends    []int32 // by partition: the end of its rows in rows
	scatter rowstore.Scatter
}

const (
	// collectRows and collectBytes bound the rows that are collected.
	collectRows  = 4 * vector.BatchSize
	collectBytes = freeBytes / 2
	// manyRows of a batch are divided before its strings go. Those of fewer rows are copied
	// first.
	manyRows = collectRows / 8
)

func newAdding(layout *Layout) adding {
	a := adding{hasher: hashtable.NewHasher(layout.Keys, layout.Seed), ends: make([]int32, hashtable.Partitions)}
	if !layout.collects() {
		return a
	}
	for _, t := range layout.Types {
		c := rowstore.NewColumn(t)
		c.Share = true
		a.collected = append(a.collected, c)
	}
	a.borrowed = make([]bool, len(a.collected))
	return a
}

// collects reports whether rows are collected: that must not clone many strings.
func (l *Layout) collects() bool {
	for _, t := range l.Types {
		if t.Storage() == vector.StoreNested {
			return false
		}
	}
	return l.Copies
}

var hashType = vector.Of(vector.UBigInt)

// hashed reports whether some rows keep the hashes of their keys.
func (l *Layout) hashed() bool { return l.Hashed && l.collects() }

// hash computes the hashes of the selected rows of b, unless it has them. It returns its
// columns without those.
func (s *Partitions) hash(b *vector.Batch) []*vector.Vector {
	a, n := &s.adding, len(s.layout.Types)
	a.hashes = vector.Resize(a.hashes, b.Rows())
	if len(b.Cols) == n {
		a.hasher.Hash(b.Cols[:s.layout.Keys], b, a.hashes)
		return b.Cols
	}
	for i := range a.hashes {
		a.hashes[i] = b.Cols[n].U64[b.Row(i)]
	}
	return b.Cols[:n]
}

// keptHashes are the hashes of the rows that wait, as a column; nil if the texts of their keys
// will be copied: those lie close together, and to hash them again costs little.
func (s *Partitions) keptHashes() *rowstore.Column {
	a := &s.adding
	for c, t := range s.layout.Types[:s.layout.Keys] {
		if t.Storage() == vector.StoreString && !a.borrowed[c] {
			a.byRow.Vec = vector.Vector{Type: hashType, Len: len(a.waiting), U64: a.waiting}
			return &a.byRow
		}
	}
	return nil
}

// Add appends the selected rows of b to their partitions, at once or with one of the next
// calls. touched, unless nil, is called for each partition that has got rows. Long texts are
// charged after each few rows.
func (s *Partitions) Add(b *vector.Batch, touched func(p int) error) error {
	if b.Rows() == 0 {
		return nil
	}
	return s.adding.texts.Cut(b, freeBytes, func(part *vector.Batch, texts int64) error { return s.add(part, texts, touched) })
}

// add is Add of a batch whose texts are not long, or of one row.
func (s *Partitions) add(b *vector.Batch, texts int64, touched func(p int) error) error {
	cols, a := s.hash(b), &s.adding
	if texts > freeBytes {
		if !s.room(texts) {
			return s.addLong(cols, b)
		}
		defer s.leaveRoom()
	}
	if a.collected == nil {
		a.sort(a.hashes, b, &s.layout, s.level)
		for p := range s.list {
			rows := a.of(p)
			if err := s.list[p].rows.Append(cols, rows, len(rows)); err != nil {
				return err
			}
		}
		return s.added(touched)
	}
	now := s.layout.Copies && a.borrow(cols, b.Rows())
	used := int64(0)
	for c, col := range a.collected {
		if err := col.AppendFirst(cols[c], b.Sel, b.Len); err != nil {
			return err
		}
		used += col.Used()
	}
	a.waiting = append(a.waiting, a.hashes...)
	if len(a.waiting) < collectRows && used < collectBytes && !now {
		return nil
	}
	return s.flush(touched)
}

// borrow decides which columns take the strings of a batch of so many rows as they are, and
// reports whether there are any: these rows cannot wait.
func (a *adding) borrow(cols []*vector.Vector, rows int) bool {
	some := false
	for c, v := range cols {
		if a.collected[c].Borrow = false; v.Type.Storage() != vector.StoreString || v.Form == vector.Dictionary {
			continue
		}
		many := rows >= manyRows
		a.collected[c].Share, a.collected[c].Borrow = many, many
		a.borrowed[c] = a.borrowed[c] || many
		some = some || many
	}
	return some
}

// Flush gives the partitions all rows that were added. touched is as for Add. Reading does
// it too.
func (s *Partitions) Flush(touched func(p int) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.flush(touched)
}

func (s *Partitions) flush(touched func(p int) error) error {
	a := &s.adding
	if len(a.waiting) == 0 {
		return nil
	}
	a.sort(a.waiting, &vector.Batch{Len: len(a.waiting)}, &s.layout, s.level)
	stores := make([]*rowstore.Rows, len(s.list))
	for p := range s.list {
		stores[p] = s.list[p].rows
	}
	cols, borrowed := a.collected, a.borrowed
	if s.layout.hashed() {
		cols, borrowed = append(slices.Clip(cols), s.keptHashes()), append(slices.Clip(borrowed), false)
	}
	if err := a.scatter.Append(stores, cols, borrowed, a.rows, a.ends); err != nil {
		return err
	}
	err := s.added(touched)
	a.forget()
	return err
}

// forget empties what is collected, and keeps the memory unless rows were unusually wide.
func (a *adding) forget() {
	held := int64(0)
	for _, c := range a.collected {
		held += c.Bytes()
		c.Restart()
	}
	a.waiting = a.waiting[:0]
	clear(a.borrowed)
	if held > 2*collectBytes {
		a.shrink()
	}
}

// shrink gives up the memory for rows that are collected, if there are none.
func (a *adding) shrink() {
	if len(a.waiting) > 0 {
		return
	}
	for _, c := range a.collected {
		c.Clear()
	}
	a.hashes, a.waiting, a.parts, a.rows, a.byRow, a.texts = nil, nil, nil, nil, rowstore.Column{}, vector.Longest{}
}

// sort lists the selected rows of b, whose hashes these are, by partition.
func (a *adding) sort(hashes []uint64, b *vector.Batch, layout *Layout, level int) {
	a.parts, a.rows = vector.Resize(a.parts, len(hashes)), vector.Resize(a.rows, len(hashes))
	clear(a.ends)
	for i, h := range hashes {
		p := layout.partition(h, level)
		a.parts[i] = uint8(p)
		a.ends[p]++
	}
	at := int32(0)
	for p, n := range a.ends { // from here on where the next row of a partition goes
		a.ends[p], at = at, at+n
	}
	for i, p := range a.parts {
		a.rows[a.ends[p]] = int32(b.Row(i))
		a.ends[p]++
	}
}

// of lists the rows of a partition.
func (a *adding) of(p int) []int32 {
	if p == 0 {
		return a.rows[:a.ends[0]]
	}
	return a.rows[a.ends[p-1]:a.ends[p]]
}

// added charges what the partitions have got.
func (s *Partitions) added(touched func(p int) error) error {
	s.leaveRoom()
	for p := range s.list {
		if len(s.adding.of(p)) == 0 {
			continue
		}
		part := &s.list[p]
		before := part.bytes
		part.bytes = part.rows.Bytes()
		s.bytes += part.bytes - before
		s.budget.Made(part.bytes - before) // what was too small for the rows
		if touched == nil {
			continue
		}
		if err := touched(p); err != nil {
			return err
		}
	}
	return s.charge()
}
