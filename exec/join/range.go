package join

import (
	"cmp"
	"context"
	"slices"

	"github.com/parquetsql/parquetsql/expr/set"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// KeyRange is what is known about the values of a key on the build side. Their type is
// that of Key.Build, so its storage is that of Key.Probe.
type KeyRange struct {
	// Min and Max are the bounds of the values that are not NULL; nil if there are none
	// (see Empty) or if values of the type are not compared. NaN is above all numbers.
	Min, Max *vector.Scalar
	// Empty says that all values are NULL, or that there are no rows.
	Empty bool
	// Values are all distinct values that are not NULL, if they are few; else nil.
	Values []vector.Scalar
	// Set is all values that are not NULL, if they are too many for Values, are integers
	// and their range is not much larger than their number; else nil.
	Set *set.Ints
	// Null says that NULL on the probe side has a match.
	Null bool
}

// maxValues is the number of distinct values from which on KeyRange has no list: with
// more, comparing with all of them costs more than it saves.
const maxValues = 200

// keyExtent is the KeyRange of rows without its Values. It belongs to one goroutine.
type keyExtent struct {
	min, max    vector.Scalar // bare NULLs if values of the type are not compared
	some, nulls bool
}

// add widens e by the selected rows of b.
func (e *keyExtent) add(v *vector.Vector, b *vector.Batch) {
	lo, hi := -1, -1
	from := v
	if v.Form == vector.Dictionary {
		from = v.Dict
	}
	switch storage := v.Type.Storage(); {
	case v.Form == vector.Constant || !compared(v.Type):
		lo, hi = e.addAny(v, b)
	case storage == vector.StoreInt64:
		lo, hi = addOrdered(e, from.I64, v, b)
	case storage == vector.StoreUint64:
		lo, hi = addOrdered(e, from.U64, v, b)
	case storage == vector.StoreString:
		lo, hi = addOrdered(e, from.Str, v, b)
	default:
		lo, hi = e.addAny(v, b)
	}
	if lo >= 0 {
		e.merge(&keyExtent{some: true, min: v.Get(lo), max: v.Get(hi)})
	}
}

// addOrdered notes NULLs, and returns the rows with the least and the greatest value; -1: there are none. The values are
// those of v or of its dictionary.
func addOrdered[T cmp.Ordered](e *keyExtent, values []T, v *vector.Vector, b *vector.Batch) (lo, hi int) {
	lo, hi = -1, -1
	var least, most T
	for i := range b.Rows() {
		row := b.Row(i)
		if v.Valid != nil && !v.Valid.Get(row) {
			e.nulls = true
			continue
		}
		at := row
		if v.Form == vector.Dictionary {
			at = int(v.Codes[row])
		}
		switch x := values[at]; {
		case lo < 0:
			lo, hi, least, most = row, row, x, x
		case x < least:
			lo, least = row, x
		case x > most:
			hi, most = row, x
		}
	}
	return lo, hi
}

// addAny is addOrdered for the other types and forms.
func (e *keyExtent) addAny(v *vector.Vector, b *vector.Batch) (lo, hi int) {
	lo, hi = -1, -1
	ordered := compared(v.Type)
	for i := range b.Rows() {
		row := b.Row(i)
		switch {
		case v.IsNull(row):
			e.nulls = true
		case !ordered:
			e.some = true
		case lo < 0:
			lo, hi = row, row
		case vector.Compare(v, row, v, lo) < 0:
			lo = row
		case vector.Compare(v, row, v, hi) > 0:
			hi = row
		}
		if v.Form == vector.Constant {
			break
		}
	}
	return lo, hi
}

// merge widens e by another one.
func (e *keyExtent) merge(o *keyExtent) {
	e.nulls = e.nulls || o.nulls
	if !o.some || o.min.Type.Kind == vector.Null {
		e.some = e.some || o.some
		return
	}
	if !e.some || o.min.Compare(&e.min) < 0 {
		e.min = o.min
	}
	if !e.some || o.max.Compare(&e.max) > 0 {
		e.max = o.max
	}
	e.some = true
}

// compared reports whether values of a type have bounds.
func compared(t vector.Type) bool {
	switch t.Storage() {
	case vector.StoreNone, vector.StoreNested, vector.StoreInterval:
		return false
	case vector.StoreString:
		return t.Kind != vector.Decimal
	}
	return true
}

// ranges is what Built gets; t is nil if not all rows are in memory.
func (j *joiner) ranges(ctx context.Context, extents []keyExtent, t *table) ([]KeyRange, error) {
	out := make([]KeyRange, len(extents))
	for i := range out {
		e, at := &extents[i], i
		if i < len(j.Keys) {
			out[i].Null = e.nulls && j.Keys[i].Null == hashtable.NotDistinct
		} else if at = j.limits[i-len(j.Keys)]; at < 0 {
			continue
		}
		out[i].Empty = !e.some
		if e.some && compared(j.built.types[at]) {
			out[i].Min, out[i].Max = &e.min, &e.max
		}
	}
	keys := out[:len(j.Keys)]
	if t == nil || len(keys) == 0 {
		return out, nil
	}
	if err := t.distinct(keys); err != nil {
		return nil, err
	}
	return out, t.sets(ctx, keys)
}

// Limits of a KeyRange's Set. A larger set leaves the processor's caches, and one
// of sparse values is larger than a hash table.
const (
	smallSet   = 1 << 20
	largestSet = 8 << 20
	setRatio   = 32 // bytes per value
)

// sets makes the Sets of keys that have too many values for a list.
func (t *table) sets(ctx context.Context, out []KeyRange) error {
	n, wanted := t.keys.Distinct(), false
	for i := range out {
		k := &out[i]
		if k.Values != nil || k.Min == nil || k.Min.Type.Storage() != vector.StoreInt64 {
			continue
		}
		bytes := set.IntsBytes(k.Min.I64, k.Max.I64)
		if bytes > largestSet || bytes > smallSet && bytes > setRatio*int64(n) || t.j.env.Budget.Reserve(bytes) != nil {
			continue
		}
		t.held += bytes
		k.Set, wanted = set.NewInts(k.Min.I64, k.Max.I64), true
	}
	if !wanted {
		return nil
	}
	if err := t.fillSets(ctx, out); err != nil {
		return err
	}
	for i := range out {
		if s := out[i].Set; s != nil && gapless(&out[i], s.Len()) {
			out[i].Set = nil
		}
	}
	return nil
}

// gapless reports whether so many integers are all between the bounds, which says no more than they do.
func gapless(k *KeyRange, n int) bool {
	return n > 1 && k.Min != nil && k.Min.Type.Storage() == vector.StoreInt64 && uint64(n-1) == uint64(k.Max.I64)-uint64(k.Min.I64)
}

// fillSets reads the keys as the rows have them, one after the other, unless a key of one column has far fewer values
// than there are rows. Values of rows that have NULL in another key may be in a set, too.
func (t *table) fillSets(ctx context.Context, out []KeyRange) error {
	if len(out) == 1 && t.keys.Distinct() < t.rows.Len()/4 {
		return t.keys.EachKeys(ctx, func(keys []*vector.Vector, n int) { addTo(out[0].Set, keys[0], n) })
	}
	for i := range out {
		if out[i].Set == nil {
			continue
		}
		for _, v := range t.column(i) {
			if err := ctx.Err(); err != nil {
				return err
			}
			addTo(out[i].Set, v, v.Len)
		}
	}
	return nil
}

// addTo adds the values of the first n rows of a flat vector that are not NULL.
func addTo(s *set.Ints, v *vector.Vector, n int) {
	for row, x := range v.I64[:n] {
		if v.Valid == nil || v.Valid.Get(row) {
			s.Add(x)
		}
	}
}

// distinct sets the Values of keys that have few.
func (t *table) distinct(out []KeyRange) error {
	// Keys of several columns have at least as many values as each of the columns.
	n := t.keys.Distinct()
	if n > maxValues*maxValues || len(out) == 1 && n > maxValues+1 {
		return nil
	}
	keys, err := t.keys.Keys()
	if err != nil {
		return err
	}
	for i := range out {
		column := hashtable.New([]vector.Type{keys[i].Type}, hashtable.NewSeed(), true)
		ids := make([]uint32, n)
		if err := column.FindOrInsert(keys[i:i+1], &vector.Batch{Len: n}, ids); err != nil {
			return err
		}
		if column.Len() > maxValues {
			continue
		}
		out[i].Values = []vector.Scalar{}
		for row, id := range ids {
			if int(id) == len(out[i].Values) {
				out[i].Values = append(out[i].Values, keys[i].Get(row))
			}
		}
		out[i].Values = slices.DeleteFunc(out[i].Values, func(s vector.Scalar) bool { return s.Null })
	}
	return nil
}
