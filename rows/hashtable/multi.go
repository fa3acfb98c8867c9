package hashtable

import (
	"github.com/parquetsql/parquetsql/vector"
)

// multi is the Table of several key columns. Each column has one word per row:
// 64-bit values as they are, strings, 128-bit and nested values as their id in a
// table of the column's own. The words of a row are its key, in one of two forms:
//
//	packed  while the ranges of the columns' words fit into 63 bits together, a
//	        row is one integer and a key of Ints: three enumerations and a year
//	        are an array index, two INTEGERs a single hash
//	wide    otherwise the words and a bitmap of NULLs are a row of Rows
//
// A column's field in the packed form is word-base+1, and 0 for NULL. Low bits that are the same in all words are left out where
// the ranges would not fit otherwise: those of timestamps of whole seconds, and of DOUBLEs that are whole numbers. When a field
// cannot hold a word, all rows are packed again with wider fields. Fields have room
// for at least four times the range seen so far, so that this happens seldom, or
// for less where a row is an array index otherwise; one that was too small before gets more of the bits that are free. Beyond
// 63 bits columns of numbers that repeat get tables of their own, too (number.go); otherwise the table changes to the
// wide form and keeps it.
type multi struct {
	seed   Seed
	cols   []field
	ints   *Ints
	rows   *Rows // not nil: the wide form
	packed []int64
	wide   []uint64
	alone  []aloneIDs // in the packed form
	rest   []int64    // packed rows that alone does not have,
	at     []int32    // their places in the batch,
	ids    []uint32   // and ids
}

type field struct {
	typ     vector.Type
	inner   *column // for strings, 128-bit and nested values: their ids
	lo, hi  int64   // range of the words so far
	some    bool    // whether there is a word so far
	first   int64   // a word, if some
	differ  uint64  // the bits that are not the same in all words
	zeros   uint    // how many low bits are left out, which are those of first
	base    int64   // of words without these
	shift   uint
	width   uint
	grows   bool     // words of the batch are beyond a field that there was
	same    bool     // the batch has one value
	words   []int64  // of the batch; unspecified for NULL
	ids     []uint32 // instead, with inner; that of NULL for NULL
	nulls   []int32  // of the batch: the selected rows that are NULL
	scratch []int64
	at      []int32
}

const packedBits = 63

// directBits is how many bits of a key an array can be an index of: see Ints.
const directBits = 16

func newMulti(types []vector.Type, seed Seed, share bool) *multi {
	m := &multi{seed: seed, ints: NewInts(), cols: make([]field, len(types))}
	for i, t := range types {
		m.cols[i].typ = t
		switch t.Storage() {
		case vector.StoreString, vector.StoreInt128, vector.StoreInterval, vector.StoreNested:
			m.cols[i].inner = newColumn(t, seed, share)
		}
	}
	return m
}

func (m *multi) Len() int {
	if m.rows != nil {
		return m.rows.Len()
	}
	return m.ints.Len()
}

// scattered reports whether n keys, nearly all of them different, are long rows of the wide form, or most of them
// have different values in two columns that have tables of their own.
func (m *multi) scattered(n int) bool {
	different := 0
	for i := range m.cols {
		if c := m.cols[i].inner; c != nil && c.ints == nil && c.Len() > n/4*3 {
			different++
		}
	}
	return different > 1 || m.rows != nil && m.rows.width > longRow
}

// longRow is the width up to which rows of the wide form are made and compared faster than as many columns.
const longRow = 24

func (m *multi) Bytes() int64 {
	n := m.ints.Bytes()
	for i := range m.alone {
		n += int64(cap(m.alone[i].ids)) * 4
	}
	if m.rows != nil {
		n = m.rows.Bytes()
	}
	for i := range m.cols {
		if c := m.cols[i].inner; c != nil {
			n += c.Bytes()
		}
	}
	return n
}

func (m *multi) FindOrInsert(keys []*vector.Vector, b *vector.Batch, ids []uint32) error {
	n := b.Rows()
	if n == 0 {
		return nil
	}
	fits := true
	for i := range m.cols {
		f := &m.cols[i]
		if err := f.load(keys[i], b, n); err != nil {
			return err
		}
		if m.rows == nil && !f.see() {
			f.grows, fits = f.width > 0, false
		}
	}
	if !fits {
		m.relayout()
	}
	m.insert(n, ids[:n])
	return nil
}

// load computes the words and NULLs of a batch.
func (f *field) load(v *vector.Vector, b *vector.Batch, n int) error {
	f.nulls, f.same = f.nulls[:0], v.Form == vector.Constant || v.Type.Kind == vector.Null
	switch {
	case v.Type.Kind == vector.Null || v.Form == vector.Constant && v.IsNull(0):
		for i := range n {
			f.nulls = append(f.nulls, int32(i))
		}
		if f.inner != nil {
			f.ids = vector.Resize(f.ids, n)
			null := f.inner.null()
			for i := range f.ids {
				f.ids[i] = null
			}
			return nil
		}
		f.scratch = vector.Resize(f.scratch, n)
		f.words = f.scratch
		return nil
	case v.MayHaveNulls() && v.Form != vector.Constant:
		for i := range n {
			if row := b.Row(i); !v.Valid.Get(row) {
				f.nulls = append(f.nulls, int32(i))
			}
		}
	}
	switch {
	case f.inner != nil:
		f.ids = vector.Resize(f.ids, n)
		return f.inner.lookUp(v, b, f.ids)
	case v.Form == vector.Flat:
		f.words = words(v, b.Sel, n, &f.scratch)
	case v.Form == vector.Constant:
		f.at = vector.Resize(f.at, n)
		clear(f.at)
		f.words = words(v, f.at, n, &f.scratch)
	case b.Sel == nil:
		f.words = words(v.Dict, v.Codes, n, &f.scratch)
	default:
		f.at = vector.Resize(f.at, n)
		for i, row := range b.Sel[:n] {
			f.at[i] = v.Codes[row]
		}
		f.words = words(v.Dict, f.at, n, &f.scratch)
	}
	return nil
}

// see widens the range by the batch's words and reports whether the field can hold
// them. Ids of a table of its own have no gaps: their range is known.
func (f *field) see() bool {
	if f.inner != nil {
		f.hi, f.some = int64(f.inner.Len())-1, true
		return uint64(f.hi) < 1<<f.width-1
	}
	if len(f.nulls) == len(f.words) {
		return f.width > 0
	}
	if len(f.nulls) > 0 {
		f.fillNulls()
	}
	lo, hi := f.words[0], f.words[0]
	if f.some {
		lo, hi = f.lo, f.hi
	} else {
		f.first = lo
	}
	first, differ := f.first, f.differ
	for _, w := range f.words {
		lo, hi = min(lo, w), max(hi, w)
		differ |= uint64(w ^ first)
	}
	f.lo, f.hi, f.differ, f.some = lo, hi, differ, true
	return f.width > 0 && differ&f.left() == 0 && lo>>f.zeros >= f.base && uint64(hi>>f.zeros)-uint64(f.base) < 1<<f.width-1
}

// left is the bits that are left out.
func (f *field) left() uint64 { return 1<<f.zeros - 1 }

// word is the word of a code that is not 0.
func (f *field) word(code int64) int64 {
	return (code-1+f.base)<<(f.zeros&63) | f.first&int64(f.left())
}

// fillNulls gives NULL rows the word of a row that is not NULL, so that they do not
// widen the range.
func (f *field) fillNulls() {
	f.own()
	has := 0 // the first row that is not NULL
	for has < len(f.nulls) && int(f.nulls[has]) == has {
		has++
	}
	for _, i := range f.nulls {
		f.words[i] = f.words[has]
	}
}

// own makes words a copy that may be written to.
func (f *field) own() {
	if len(f.words) > 0 && (len(f.scratch) == 0 || &f.words[0] != &f.scratch[0]) {
		f.scratch = append(f.scratch[:0], f.words...)
		f.words = f.scratch
	}
}

// insert finds or inserts the rows that load has prepared.
func (m *multi) insert(n int, ids []uint32) {
	if m.rows != nil {
		m.rows.FindOrInsert(m.wideRows(n), ids)
		return
	}
	if a := m.aloneOf(); a != nil {
		m.insertAlone(a, ids)
		return
	}
	m.ints.FindOrInsert(m.packedRows(n), ids)
}

// wideRows is the rows that load has prepared in the wide form.
func (m *multi) wideRows(n int) []uint64 {
	m.wide = vector.Resize(m.wide, n*m.rows.width)
	clear(m.wide)
	for c := range m.cols {
		m.cols[c].spread(m.wide, m.rows.width, c, len(m.cols))
	}
	return m.wide
}

// packedRows is the rows that load has prepared in the packed form.
func (m *multi) packedRows(n int) []int64 {
	m.packed = vector.Resize(m.packed, n)
	clear(m.packed)
	for c := range m.cols {
		m.cols[c].pack(m.packed)
	}
	return m.packed
}

func (f *field) pack(packed []int64) {
	if len(f.nulls) == len(packed) {
		return
	}
	if f.inner != nil {
		packWords(packed, f.ids, 0, f.base-1, f.shift)
	} else {
		packWords(packed, f.words, f.zeros, f.base-1, f.shift)
	}
	// The words of NULLs are in range, see fillNulls, or ids, so they do not overlap
	// other fields.
	keep := ^((int64(1)<<f.width - 1) << (f.shift & 63))
	for _, i := range f.nulls {
		packed[i] &= keep
	}
}

func packWords[T int64 | uint32](packed []int64, words []T, zeros uint, base int64, shift uint) {
	for i, w := range words[:len(packed)] {
		packed[i] |= (int64(w)>>(zeros&63) - base) << (shift & 63)
	}
}

// spread writes the words to column c of the rows, and NULLs to the bitmap after
// the words.
func (f *field) spread(wide []uint64, width, c, columns int) {
	if f.inner != nil {
		spreadWords(wide, f.ids, width, c)
	} else {
		spreadWords(wide, f.words, width, c)
	}
	for _, i := range f.nulls {
		wide[int(i)*width+c] = 0
		wide[int(i)*width+columns+c/64] |= 1 << (c % 64)
	}
}

func spreadWords[T int64 | uint32](wide []uint64, words []T, width, c int) {
	for i, w := range words[:len(wide)/width] {
		wide[i*width+c] = uint64(w)
	}
}
