package hashtable

import (
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// column is the Table of a single key column, and numbers the string and
// 128-bit columns of wider keys.
//
// A dictionary's entries are looked up once each: codes remembers what number
// the entries of the last dictionary had. A scan changes the dictionary only
// with the row group.
type column struct {
	typ  vector.Type
	ints *Ints    // all 64-bit storages and booleans
	strs *Strings // strings
	rows *Rows    // 128 bits: decimals, wide timestamps, intervals

	intervals []vector.IntervalValue // by id: the first of those that are equal

	dict  *vector.Vector
	codes []uint32 // of dict: id+1, 0 where not looked up yet

	i64  []int64
	str  []string
	word []uint64
	at   []int32
	row  []int32
	id   []uint32
}

func newColumn(t vector.Type, seed Seed, share bool) *column {
	c := &column{typ: t}
	switch t.Storage() {
	case vector.StoreString:
		c.strs = NewStrings(seed, share)
	case vector.StoreInt128, vector.StoreInterval:
		c.rows = NewRows(2)
	default:
		c.ints = NewInts()
	}
	return c
}

func (c *column) Len() int {
	switch {
	case c.strs != nil:
		return c.strs.Len()
	case c.rows != nil:
		return c.rows.Len()
	}
	return c.ints.Len()
}

func (c *column) Bytes() int64 {
	n := int64(len(c.codes))*4 + int64(cap(c.intervals))*24
	switch {
	case c.strs != nil:
		return n + c.strs.Bytes()
	case c.rows != nil:
		return n + c.rows.Bytes()
	}
	return n + c.ints.Bytes()
}

func (c *column) insertNull() uint32 {
	switch {
	case c.strs != nil:
		return c.strs.InsertNull()
	case c.rows != nil:
		return c.rows.InsertNull()
	}
	return c.ints.InsertNull()
}

func (c *column) nullID() int {
	switch {
	case c.strs != nil:
		return c.strs.NullID()
	case c.rows != nil:
		return c.rows.NullID()
	}
	return c.ints.NullID()
}

func (c *column) FindOrInsert(keys []*vector.Vector, b *vector.Batch, ids []uint32) {
	c.findOrInsert(keys[0], b, ids[:b.Rows()])
}

func (c *column) findOrInsert(v *vector.Vector, b *vector.Batch, ids []uint32) {
	switch {
	case len(ids) == 0:
	case v.Form == vector.Constant || v.Type.Kind == vector.Null:
		id := uint32(0)
		if v.IsNull(0) {
			id = c.insertNull()
		} else {
			c.insert(v, nil, ids[:1])
			id = ids[0]
		}
		for i := range ids {
			ids[i] = id
		}
	case v.Valid != nil && (b.Sel != nil || v.Valid.Count(b.Len) < b.Len):
		c.findOrInsertNulls(v, b, ids)
	case v.Form == vector.Dictionary:
		c.findOrInsertCodes(v, b.Sel, ids)
	default:
		c.insert(v, b.Sel, ids)
	}
}

// findOrInsertNulls numbers the rows that have a value on their own and puts the
// others in between.
func (c *column) findOrInsertNulls(v *vector.Vector, b *vector.Batch, ids []uint32) {
	c.at, c.row = vector.Resize(c.at, len(ids)), vector.Resize(c.row, len(ids))
	k := 0
	for i := range ids {
		row := b.Row(i)
		c.at[k], c.row[k] = int32(row), int32(i)
		k += int(v.Valid[row>>6] >> (uint(row) & 63) & 1)
	}
	if k < len(ids) {
		null := c.insertNull()
		for i := range ids {
			ids[i] = null
		}
	}
	c.id = vector.Resize(c.id, k)
	if k == 0 {
		return
	}
	if v.Form == vector.Dictionary {
		c.findOrInsertCodes(v, c.at[:k], c.id)
	} else {
		c.insert(v, c.at[:k], c.id)
	}
	for i, id := range c.id {
		ids[c.row[i]] = id
	}
}

// findOrInsertCodes numbers rows of a dictionary that are not NULL: those that sel
// lists, the first ones where it is nil.
func (c *column) findOrInsertCodes(v *vector.Vector, sel []int32, ids []uint32) {
	if c.dict != v.Dict {
		c.dict = v.Dict
		c.codes = vector.Resize(c.codes, v.Dict.Len)
		clear(c.codes)
	}
	for {
		missing := false
		if sel == nil {
			for i, code := range v.Codes[:len(ids)] {
				id := c.codes[code]
				missing = missing || id == 0
				ids[i] = id - 1
			}
		} else {
			for i, s := range sel[:len(ids)] {
				id := c.codes[v.Codes[s]]
				missing = missing || id == 0
				ids[i] = id - 1
			}
		}
		if !missing {
			return
		}
		c.lookUp(v, sel, len(ids))
	}
}

// lookUp numbers the dictionary's entries that rows refer to.
func (c *column) lookUp(v *vector.Vector, sel []int32, n int) {
	const pending = math.MaxUint32
	var fresh []int32
	for i := range n {
		if sel != nil {
			i = int(sel[i])
		}
		if code := v.Codes[i]; c.codes[code] == 0 {
			c.codes[code] = pending
			fresh = append(fresh, code)
		}
	}
	ids := make([]uint32, len(fresh))
	c.insert(v.Dict, fresh, ids)
	for i, code := range fresh {
		c.codes[code] = ids[i] + 1
	}
}

// insert numbers the values at these places of v's slice, the first ones where
// at is nil.
func (c *column) insert(v *vector.Vector, at []int32, ids []uint32) {
	n := len(ids)
	switch c.typ.Storage() {
	case vector.StoreString:
		keys := v.Str
		if at != nil {
			c.str = vector.Resize(c.str, n)
			for i, a := range at[:n] {
				c.str[i] = v.Str[a]
			}
			keys = c.str
		}
		c.strs.FindOrInsert(keys[:n], ids)
		clear(c.str) // hold no page longer than needed
	case vector.StoreInt128:
		c.word = vector.Resize(c.word, 2*n)
		for i := range n {
			k := v.I128[place(at, i)]
			c.word[2*i], c.word[2*i+1] = uint64(k.Hi), k.Lo
		}
		c.rows.FindOrInsert(c.word, ids)
	case vector.StoreInterval:
		c.insertIntervals(v, at, ids)
	default:
		c.ints.FindOrInsert(words(v, at, n, &c.i64), ids)
	}
}

func (c *column) insertIntervals(v *vector.Vector, at []int32, ids []uint32) {
	c.word = vector.Resize(c.word, 2*len(ids))
	for i := range ids {
		k := v.Interval[place(at, i)].Normal()
		c.word[2*i], c.word[2*i+1] = uint64(k.Hi), k.Lo
	}
	c.rows.FindOrInsert(c.word, ids)
	c.intervals = append(c.intervals, make([]vector.IntervalValue, c.rows.Len()-len(c.intervals))...)
	for i := len(ids) - 1; i >= 0; i-- { // backwards: the first of a number stays
		k := &c.intervals[ids[i]]
		if *k == (vector.IntervalValue{}) {
			*k = v.Interval[place(at, i)]
		}
	}
}

func place(at []int32, i int) int {
	if at != nil {
		return int(at[i])
	}
	return i
}
