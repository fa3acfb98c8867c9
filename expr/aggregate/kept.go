package aggregate

import (
	"reflect"
	"strings"

	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// kept is one value for each group. Its memory is that of its type: a vector.Scalar takes as much as
// twenty numbers.
type kept interface {
	resize(groups int)
	// set makes row rows[i] of v, which is not NULL, the value of group groups[i].
	set(groups []uint32, v *vector.Vector, rows []int32) error
	// take makes the value of group w of from, which is of the same type and may be the same, that of group g.
	take(g uint32, from kept, w uint32) error
	// at is where the value of a group is, until the next call of another method.
	at(g uint32) (v *vector.Vector, row int)
	// result makes out the values of n groups.
	result(from, n int, out *vector.Vector) error
	bytes() int64
}

// newKept is values of a type.
func newKept(t vector.Type) kept {
	switch t.Storage() {
	case vector.StoreBool:
		return newKeptOf[bool](t)
	case vector.StoreInt64:
		return newKeptOf[int64](t)
	case vector.StoreUint64:
		return newKeptOf[uint64](t)
	case vector.StoreInt128:
		return newKeptOf[vector.Int128](t)
	case vector.StoreFloat32:
		return newKeptOf[float32](t)
	case vector.StoreFloat64:
		return newKeptOf[float64](t)
	case vector.StoreInterval:
		return newKeptOf[vector.IntervalValue](t)
	case vector.StoreString:
		return &keptTexts{keptOf: *newKeptOf[string](t)}
	}
	return &keptNested{rows: rowstore.NewColumn(t)}
}

// keptOf is values in a slice.
type keptOf[T vector.Value] struct {
	typ  vector.Type
	acc  []T
	size int64         // of a T
	view vector.Vector // of acc, see at
}

func newKeptOf[T vector.Value](t vector.Type) *keptOf[T] {
	return &keptOf[T]{typ: t, size: int64(reflect.TypeFor[T]().Size())}
}

func (k *keptOf[T]) resize(groups int) { k.acc = grow(k.acc, groups) }

func (k *keptOf[T]) bytes() int64 { return int64(cap(k.acc)) * k.size }

func (k *keptOf[T]) set(groups []uint32, v *vector.Vector, rows []int32) error {
	from, places := placesOf(v, rows)
	values := *vector.Slice[T](from)
	for i, g := range groups {
		k.acc[g] = values[places(i)]
	}
	return nil
}

// placesOf is the vector that has the values of v, and where in its slice that of row rows[i] is.
func placesOf(v *vector.Vector, rows []int32) (from *vector.Vector, place func(i int) int32) {
	switch v.Form {
	case vector.Constant:
		return v, func(int) int32 { return 0 }
	case vector.Dictionary:
		return v.Dict, func(i int) int32 { return v.Codes[rows[i]] }
	}
	return v, func(i int) int32 { return rows[i] }
}

func (k *keptOf[T]) take(g uint32, from kept, w uint32) error {
	k.acc[g] = from.(*keptOf[T]).acc[w]
	return nil
}

func (k *keptOf[T]) at(g uint32) (*vector.Vector, int) {
	k.view.Type, k.view.Len = k.typ, len(k.acc)
	*vector.Slice[T](&k.view) = k.acc
	return &k.view, int(g)
}

func (k *keptOf[T]) result(from, n int, out *vector.Vector) error {
	out.Reset(k.typ, n)
	copy(*vector.Slice[T](out), k.acc[from:from+n])
	return nil
}

// keptTexts is copies of texts.
type keptTexts struct {
	keptOf[string]
	length int64 // of all
}

func (k *keptTexts) bytes() int64 { return k.keptOf.bytes() + k.length }

func (k *keptTexts) set(groups []uint32, v *vector.Vector, rows []int32) error {
	from, places := placesOf(v, rows)
	k.fetch(groups)
	for i, g := range groups {
		k.put(g, strings.Clone(from.Str[places(i)]))
	}
	return nil
}

// fetch loads where the texts of these groups are: put waits for many at once then.
//
//go:noinline
func (k *keptTexts) fetch(groups []uint32) (sum int) {
	for _, g := range groups {
		sum += len(k.acc[g])
	}
	return sum
}

func (k *keptTexts) put(g uint32, s string) {
	k.length += int64(len(s) - len(k.acc[g]))
	k.acc[g] = s
}

func (k *keptTexts) take(g uint32, from kept, w uint32) error {
	k.put(g, from.(*keptTexts).acc[w])
	return nil
}

// keptNested is nested values: rows of one column, as a vector or a scalar of each takes as much as
// many values. Those that are no group's any more are dropped when they are most of it.
type keptNested struct {
	rows   *rowstore.Column // the first one is NULL
	places []int32          // by group: its row; 0 has no value
	wanted int              // groups with a value
	least  int64            // bytes after the last call of compact
	sel    []int32          // rows that are copied

	group [1]uint32 // that takes a value,
	row   [1]int32  // and its row
}

func (k *keptNested) resize(groups int) {
	if k.rows.Vec.Len == 0 {
		k.rows.Vec.AppendNulls(1)
	}
	k.places = grow(k.places, groups)
}

func (k *keptNested) bytes() int64 { return int64(cap(k.places)+cap(k.sel))*4 + k.rows.Bytes() }

func (k *keptNested) set(groups []uint32, v *vector.Vector, rows []int32) error {
	first := k.rows.Vec.Len
	if err := k.rows.Append(v, rows[:len(groups):len(groups)]); err != nil {
		return err
	}
	for i, g := range groups {
		if k.places[g] == 0 {
			k.wanted++
		}
		k.places[g] = int32(first + i)
	}
	if k.rows.Vec.Len > 2*k.wanted+4*vector.BatchSize || k.rows.Bytes() > 2*k.least+spareBytes {
		return k.compact()
	}
	return nil
}

// spareBytes is what rows may take that no group wants any more.
const spareBytes = 1 << 20

// compact leaves the rows that groups have, in the order of these. Some may have the same one.
func (k *keptNested) compact() error {
	k.sel = append(k.sel[:0], 0)
	to := make([]int32, k.rows.Vec.Len)
	for g, place := range k.places {
		if place != 0 && to[place] == 0 {
			to[place] = int32(len(k.sel))
			k.sel = append(k.sel, place)
		}
		k.places[g] = to[place]
	}
	rows := rowstore.NewColumn(k.rows.Vec.Type)
	if err := rows.Append(&k.rows.Vec, k.sel); err != nil {
		return err
	}
	k.rows, k.least = rows, rows.Bytes()
	return nil
}

func (k *keptNested) take(g uint32, from kept, w uint32) error {
	o := from.(*keptNested)
	if o != k {
		k.group[0], k.row[0] = g, o.places[w]
		return k.set(k.group[:], &o.rows.Vec, k.row[:])
	}
	if k.places[g] == 0 {
		k.wanted++
	}
	k.places[g] = k.places[w]
	return nil
}

func (k *keptNested) at(g uint32) (*vector.Vector, int) { return &k.rows.Vec, int(k.places[g]) }

func (k *keptNested) result(from, n int, out *vector.Vector) error {
	return out.Gather(&k.rows.Vec, k.places[from:from+n])
}
