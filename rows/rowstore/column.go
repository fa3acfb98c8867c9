// Package rowstore keeps rows of many batches in memory, for operators that must
// see all rows before they can answer: sorting, joins, windows, aggregates with an
// order, TopN.
//
//	Column   one growing flat vector
//	Rows     rows of several columns in chunks, read by row number
//	Arena    copies of strings
package rowstore

import "github.com/parquetsql/parquetsql/vector"

// Column is one growing flat column.
type Column struct {
	Vec vector.Vector
	// Share says that strings that stay need not be cloned: the rows are kept for a short
	// time, or together with most of their neighbours, so that clones would save no
	// memory.
	Share bool
	// Borrow says that strings are taken as they are, even lent ones: the rows are gone before
	// their batch is.
	Borrow bool

	texts *texts // instead of Vec.Str, in chunks that Scatter fills; nil: Vec has them
	// copies are of the texts of all chunks of a store of NewChunks.
	copies *textMemory
	arena  Arena
	// shared is an estimate of the bytes of strings that were not cloned: the sum of
	// their lengths, and for a dictionary no more than all its entries.
	shared    int64
	dict      *vector.Vector // the last one
	dictUsed  int64          // the part of shared that is dict's
	dictBytes int64          // the lengths of dict's entries; -1 if not added up yet
}

// NewColumn is an empty column.
func NewColumn(t vector.Type) *Column {
	c := &Column{}
	c.Vec.Reset(t, 0)
	return c
}

// Bytes is the memory that the column holds, including that of its strings.
func (c *Column) Bytes() int64 {
	if c.texts != nil {
		return int64(cap(c.Vec.Valid))*8 + c.texts.held() + c.StringBytes()
	}
	return c.Vec.Bytes() + c.StringBytes()
}

// StringBytes is the part of Bytes that strings refer to. It remains in use when
// rows were copied out of the column, also after a Reset.
func (c *Column) StringBytes() int64 {
	if c.texts != nil {
		return c.shared // the copies are the store's
	}
	return c.arena.Bytes() + c.shared
}

// Used is the part of Bytes that the rows need: Bytes without room for more rows.
func (c *Column) Used() int64 {
	if c.Vec.Type.Storage() == vector.StoreNested {
		return c.Bytes()
	}
	if c.texts != nil {
		return c.texts.used() + c.StringBytes()
	}
	return c.StringBytes() + int64(c.Vec.Len)*widths[c.Vec.Type.Storage()]
}

// widths is the bytes of one value in a vector.
var widths = [...]int64{
	vector.StoreNone: 0, vector.StoreBool: 1, vector.StoreInt64: 8, vector.StoreUint64: 8, vector.StoreInt128: 16,
	vector.StoreFloat32: 4, vector.StoreFloat64: 8, vector.StoreString: 16, vector.StoreInterval: 24, vector.StoreNested: 0,
}

// Reset empties the column and keeps its memory, except that of strings.
func (c *Column) Reset() {
	clear(c.Vec.Str)
	c.Restart()
	c.dict = nil
}

// Restart is Reset for a column that soon gets as many rows, perhaps of the same dictionary:
// the strings stay in memory until others replace them, for telling the collector of each
// that it goes costs more than the rest.
func (c *Column) Restart() {
	c.Vec.Reset(c.Vec.Type, 0)
	c.texts, c.arena, c.shared, c.dictUsed = nil, Arena{}, 0, 0
}

// Clear empties the column and gives up its memory.
func (c *Column) Clear() {
	*c = Column{Vec: vector.Vector{Type: c.Vec.Type}, Share: c.Share, Borrow: c.Borrow}
}

// Append adds the rows of v that sel lists, or all of them if it is nil. Strings that are lent
// are cloned, and others unless they are shared or come from a dictionary, which lives on for as
// long as one of its entries is in use. It fails as vector.Append does.
func (c *Column) Append(v *vector.Vector, sel []int32) error {
	v.Keep()
	lent := v.Owner() == vector.Lent && !c.Borrow
	if !c.Share || lent || c.Vec.Type.Storage() == vector.StoreNested {
		before := len(c.Vec.Str)
		if err := c.Vec.AppendOwned(v, sel, c.own); err != nil {
			return err
		}
		if v.Form == vector.Dictionary && !lent {
			c.count(v, c.Vec.Str[before:])
		}
		return nil
	}
	before := len(c.Vec.Str)
	if err := c.Vec.Append(v, sel); err != nil {
		return err
	}
	c.count(v, c.Vec.Str[before:])
	return nil
}

// AppendFirst is Append of the rows in sel, of the first n if it is nil.
func (c *Column) AppendFirst(v *vector.Vector, sel []int32, n int) error {
	if sel == nil && v.Len != n {
		var view vector.Vector
		view.Slice(v, 0, n)
		v = &view
	}
	return c.Append(v, sel)
}

// take appends n rows of o, from row from on. Their strings are shared: o is given up.
func (c *Column) take(o *Column, from, n int) error {
	var rows vector.Vector
	rows.Slice(&o.Vec, from, n)
	if err := c.Vec.Append(&rows, nil); err != nil {
		return err
	}
	if n > 0 {
		c.shared += o.StringBytes() * int64(n) / int64(o.Vec.Len)
	}
	return nil
}

func (c *Column) own(strings []string) { c.arena.CloneAll(strings) }

// exactFrom is the sum of lengths from which the entries of a dictionary are added
// up: below it the sum is good enough and costs less.
const exactFrom = 64 << 10

// count adds the strings that were appended from v to shared.
func (c *Column) count(v *vector.Vector, appended []string) {
	n := int64(0)
	for _, s := range appended {
		n += int64(len(s))
	}
	switch {
	case n == 0:
		return
	case v.Form == vector.Constant: // one string
		n /= int64(len(appended))
	case v.Form == vector.Dictionary:
		if c.dict != v.Dict {
			c.dict, c.dictUsed, c.dictBytes = v.Dict, 0, -1
		}
		if c.dictBytes < 0 && c.dictUsed+n > exactFrom {
			c.dictBytes = 0
			for _, s := range v.Dict.Str {
				c.dictBytes += int64(len(s))
			}
		}
		if c.dictBytes >= 0 {
			n = max(0, min(n, c.dictBytes-c.dictUsed))
		}
		c.dictUsed += n
	}
	c.shared += n
}
