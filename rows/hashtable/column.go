package hashtable

import (
	"math"

	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// column is the Table of a single key column. It also gives ids to the values of
// the string, 128-bit and nested columns of wider keys.
//
// Each entry of a dictionary is looked up once: codes remembers the ids of the
// entries of the last dictionary. A scan changes the dictionary only with the row
// group.
type column struct {
	typ  vector.Type
	ints *Ints    // all 64-bit storages and booleans
	strs *Strings // strings
	long *int128s // 128 bits: decimals, wide timestamps, intervals

	structs *fields  // STRUCTs
	nested  *Columns // other nested values; of a reader only the keys
	find    Finder   // of a reader: in nested
	null1   uint32   // of structs and nested: the id of NULL and 1; 0 if there is none

	// firsts has, for intervals, the first of the values that are equal, by id.
	firsts *rowstore.Column

	bulk     *bulk        // instead of ints, for a Probe
	keyed    *keyedFinder // then, of a keyed bulk
	asked    asked        // its filter
	readOnly bool         // find, do not insert

	dict  *vector.Vector
	codes []uint32 // of dict: id+1, 0 if not looked up yet

	unknown  []int32 // rows whose codes are not known yet
	entries  []int32 // of dict, that are looked up
	entryIDs []uint32

	i64    []int64
	str    []string
	i128   []vector.Int128
	short  keys128
	hashes []uint64
	fresh  []int32
	at     []int32
	row    []int32
	id     []uint32
}

func newColumn(t vector.Type, seed Seed, share bool) *column {
	c := &column{typ: t}
	switch t.Storage() {
	case vector.StoreString:
		c.strs = NewStrings(seed, share)
	case vector.StoreNested:
		if canDivide(t) {
			c.structs = newFields(t, seed, share)
		} else {
			c.nested = newColumns([]vector.Type{t}, seed, share)
		}
	case vector.StoreInterval:
		c.long, c.firsts = newInt128s(), rowstore.NewColumn(t)
	case vector.StoreInt128:
		c.long = newInt128s()
	default:
		c.ints = NewInts()
	}
	return c
}

func (c *column) Len() int {
	switch {
	case c.strs != nil:
		return c.strs.Len()
	case c.long != nil:
		return c.long.Len()
	case c.structs != nil:
		return c.structs.table.Len()
	case c.nested != nil:
		return c.nested.Len()
	}
	return c.ints.Len()
}

func (c *column) Bytes() int64 {
	n := int64(cap(c.codes)) * 4
	if c.firsts != nil {
		n += c.firsts.Bytes()
	}
	switch {
	case c.strs != nil:
		return n + c.strs.Bytes()
	case c.long != nil:
		return n + c.long.Bytes()
	case c.structs != nil:
		return n + c.structs.table.Bytes()
	case c.nested != nil:
		return n + c.nested.Bytes()
	}
	return n + c.ints.Bytes()
}

// Clustered reports whether the keys that were inserted last are numbers near each other, as of
// rows that are sorted, roughly: then the next rows will have such keys, too, and the table's
// size costs no cache misses.
func (c *column) Clustered() bool { return c.ints != nil && c.ints.clustered() }

// null is the id of NULL. If there is none, NULL is inserted; with readOnly it is Missing.
func (c *column) null() uint32 {
	id := c.nullID()
	switch {
	case id >= 0:
		return uint32(id)
	case c.readOnly:
		return Missing
	case c.firsts != nil:
		c.firsts.Vec.AppendNulls(1)
	}
	switch {
	case c.strs != nil:
		return c.strs.InsertNull()
	case c.long != nil:
		return c.long.InsertNull()
	case c.structs != nil:
		c.null1 = c.structs.insertNull() + 1
		return c.null1 - 1
	case c.nested != nil:
		c.null1 = c.nested.insertNull() + 1
		return c.null1 - 1
	}
	return c.ints.InsertNull()
}

// nullID is the id of NULL, -1 if there is none.
func (c *column) nullID() int {
	switch {
	case c.bulk != nil:
		return c.bulk.nullID()
	case c.strs != nil:
		return c.strs.NullID()
	case c.long != nil:
		return c.long.NullID()
	case c.structs != nil || c.nested != nil:
		return int(c.null1) - 1
	}
	return c.ints.NullID()
}

func (c *column) FindOrInsert(keys []*vector.Vector, b *vector.Batch, ids []uint32) error {
	return c.lookUp(keys[0], b, ids[:b.Rows()])
}

// lookUp finds or inserts the selected rows of b; with readOnly it finds.
func (c *column) lookUp(v *vector.Vector, b *vector.Batch, ids []uint32) error {
	switch {
	case len(ids) == 0:
		return nil
	case v.Form == vector.Constant || v.Type.Kind == vector.Null:
		id := uint32(0)
		if v.IsNull(0) {
			id = c.null()
		} else {
			if err := c.lookUpValues(v, nil, ids[:1]); err != nil {
				return err
			}
			id = ids[0]
		}
		for i := range ids {
			ids[i] = id
		}
		return nil
	case v.Valid != nil && (b.Sel != nil || v.Valid.Count(b.Len) < b.Len):
		return c.lookUpNullable(v, b, ids)
	case v.Form == vector.Dictionary:
		return c.lookUpCodes(v, b.Sel, ids)
	}
	return c.lookUpValues(v, b.Sel, ids)
}

// lookUpNullable looks up the rows that have a value and puts the id of NULL
// between them.
func (c *column) lookUpNullable(v *vector.Vector, b *vector.Batch, ids []uint32) error {
	c.at, c.row = vector.Resize(c.at, len(ids)), vector.Resize(c.row, len(ids))
	k := 0
	for i := range ids {
		row := b.Row(i)
		c.at[k], c.row[k] = int32(row), int32(i)
		k += int(v.Valid[row>>6] >> (uint(row) & 63) & 1)
	}
	if k < len(ids) {
		null := c.null()
		for i := range ids {
			ids[i] = null
		}
	}
	c.id = vector.Resize(c.id, k)
	if k == 0 {
		return nil
	}
	find := c.lookUpValues
	if v.Form == vector.Dictionary {
		find = c.lookUpCodes
	}
	if err := find(v, c.at[:k], c.id); err != nil {
		return err
	}
	for i, id := range c.id {
		ids[c.row[i]] = id
	}
	return nil
}

// lookUpCodes looks up rows of a dictionary vector that are not NULL: those in sel,
// or the first ones if it is nil. One pass has the ids of entries that are known; the others are
// looked up, each once, and their rows get theirs.
func (c *column) lookUpCodes(v *vector.Vector, sel []int32, ids []uint32) error {
	const pending = math.MaxUint32
	if c.dict != v.Dict {
		c.dict = v.Dict
		c.codes = vector.Resize(c.codes, v.Dict.Len)
		clear(c.codes)
	}
	c.unknown = vector.Resize(c.unknown, len(ids))
	unknown := c.unknown[:knownIDs(c.codes, v.Codes, sel, ids, c.unknown)]
	if len(unknown) == 0 {
		return nil
	}
	c.entries = vector.Resize(c.entries, len(unknown))
	known, codes, fresh := c.codes, v.Codes, c.entries[:0]
	for _, i := range unknown {
		if code := codes[place(sel, int(i))]; known[code] == 0 {
			known[code] = pending
			fresh = append(fresh, code)
		}
	}
	c.entryIDs = vector.Resize(c.entryIDs, len(fresh))
	err := c.lookUpValues(v.Dict, fresh, c.entryIDs)
	for i, code := range fresh {
		known[code] = c.entryIDs[i] + 1
	}
	for _, i := range unknown {
		ids[i] = known[codes[place(sel, int(i))]] - 1
	}
	return err
}

// knownIDs writes the ids of rows, of which known has one more by code, or 0. It lists the rows
// whose id is not known in unknown, as long as ids, and returns how many these are.
func knownIDs(known []uint32, codes, sel []int32, ids []uint32, unknown []int32) (n int) {
	unknown = unknown[:len(ids)]
	if sel == nil {
		for i, code := range codes[:len(ids)] {
			id := known[code]
			ids[i] = id - 1
			unknown[n] = int32(i)
			n += int((uint64(id) - 1) >> 63) // without a branch, which would be foretold wrong
		}
		return n
	}
	for i, s := range sel[:len(ids)] {
		id := known[codes[s]]
		ids[i] = id - 1
		unknown[n] = int32(i)
		n += int((uint64(id) - 1) >> 63)
	}
	return n
}

// lookUpValues looks up the values at these places of v's slice, or the first ones
// if at is nil.
func (c *column) lookUpValues(v *vector.Vector, at []int32, ids []uint32) error {
	n := len(ids)
	if c.keyed != nil {
		b := vector.Batch{Len: v.Len, Sel: at}
		if at == nil {
			b.Len = n
		}
		return c.keyed.Find([]*vector.Vector{v}, &b, ids)
	}
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
		c.lookUpStrings(keys[:n], ids)
		clear(c.str) // so that it keeps no page in memory
	case vector.StoreInt128:
		keys := v.I128
		if at != nil {
			c.i128 = vector.Resize(c.i128, n)
			for i, a := range at[:n] {
				c.i128[i] = v.I128[a]
			}
			keys = c.i128
		}
		c.lookUpLong(keys[:n], ids)
	case vector.StoreInterval:
		c.i128 = vector.Resize(c.i128, n)
		for i := range n {
			c.i128[i] = v.Interval[place(at, i)].Normal()
		}
		c.lookUpLong(c.i128, ids)
		return c.keepFirsts(v, at, ids)
	case vector.StoreNested:
		if c.structs != nil {
			return c.structs.lookUp(v, at, ids)
		}
		return c.lookUpNested(v, at, ids)
	default:
		keys := words(v, at, n, &c.i64)
		switch {
		case c.bulk != nil:
			findWords(c.bulk, keys, ids, &c.asked)
		case c.readOnly:
			c.ints.Find(keys, ids)
		default:
			c.ints.FindOrInsert(keys, ids)
		}
	}
	return nil
}

func (c *column) lookUpStrings(keys []string, ids []uint32) {
	if c.readOnly {
		c.strs.Find(keys, ids, &c.hashes)
	} else {
		c.strs.FindOrInsert(keys, ids)
	}
}

func (c *column) lookUpLong(keys []vector.Int128, ids []uint32) {
	if c.readOnly {
		c.long.Find(keys, ids, &c.short)
	} else {
		c.long.FindOrInsert(keys, ids, &c.short)
	}
}

// lookUpNested looks up LISTs, MAPs and the like.
func (c *column) lookUpNested(v *vector.Vector, at []int32, ids []uint32) error {
	b := vector.Batch{Len: v.Len, Sel: at}
	if at == nil {
		b.Len = len(ids)
	}
	keys := []*vector.Vector{v}
	if c.readOnly {
		return c.find.Find(keys, &b, ids)
	}
	return c.nested.FindOrInsert(keys, &b, ids)
}

// keepFirsts copies the values whose ids are new: those follow each other in the
// order of the rows.
func (c *column) keepFirsts(v *vector.Vector, at []int32, ids []uint32) error {
	if c.readOnly {
		return nil
	}
	c.fresh = c.fresh[:0]
	next := c.firsts.Vec.Len
	for i, id := range ids {
		if int(id) == next {
			c.fresh = append(c.fresh, int32(place(at, i)))
			next++
		}
	}
	if len(c.fresh) == 0 {
		return nil
	}
	return c.firsts.Append(v, c.fresh)
}

func place(at []int32, i int) int {
	if at != nil {
		return int(at[i])
	}
	return i
}
