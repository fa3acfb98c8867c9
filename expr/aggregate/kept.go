package aggregate

import (
	"reflect"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// kept is one value for each group. Its memory is that of its type: a vector.Scalar takes as much as
// twenty numbers.
type kept interface {
	resize(groups int)
	// set makes row rows[i] of v, which is not NULL, the value of group groups[i].
	set(groups []uint32, v *vector.Vector, rows []int32)
	// take makes the value of group w of from, which is of the same type, that of group g.
	take(g uint32, from kept, w uint32)
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
	return &keptScalars{typ: t}
}

// keptOf is values in a slice.
type keptOf[T vector.Value] struct {
	typ  vector.Type
	acc  []T
	size int64 // of a T
}

func newKeptOf[T vector.Value](t vector.Type) *keptOf[T] {
	return &keptOf[T]{typ: t, size: int64(reflect.TypeFor[T]().Size())}
}

func (k *keptOf[T]) resize(groups int) { k.acc = grow(k.acc, groups) }

func (k *keptOf[T]) bytes() int64 { return int64(cap(k.acc)) * k.size }

func (k *keptOf[T]) set(groups []uint32, v *vector.Vector, rows []int32) {
	from, places := placesOf(v, rows)
	values := *vector.Slice[T](from)
	for i, g := range groups {
		k.acc[g] = values[places(i)]
	}
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

func (k *keptOf[T]) take(g uint32, from kept, w uint32) { k.acc[g] = from.(*keptOf[T]).acc[w] }

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

func (k *keptTexts) set(groups []uint32, v *vector.Vector, rows []int32) {
	from, places := placesOf(v, rows)
	k.fetch(groups)
	for i, g := range groups {
		k.put(g, strings.Clone(from.Str[places(i)]))
	}
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

func (k *keptTexts) take(g uint32, from kept, w uint32) { k.put(g, from.(*keptTexts).acc[w]) }

// keptScalars is nested values.
type keptScalars struct {
	typ    vector.Type
	acc    []vector.Scalar
	nested int64 // bytes
}

const scalarBytes = 200

func (k *keptScalars) resize(groups int) { k.acc = grow(k.acc, groups) }
func (k *keptScalars) bytes() int64      { return int64(cap(k.acc))*scalarBytes + k.nested }

func (k *keptScalars) set(groups []uint32, v *vector.Vector, rows []int32) {
	for i, g := range groups {
		k.put(g, v.Get(int(rows[i])))
	}
}

func (k *keptScalars) put(g uint32, s vector.Scalar) {
	k.nested += scalarSize(&s) - scalarSize(&k.acc[g])
	k.acc[g] = s
}

func (k *keptScalars) take(g uint32, from kept, w uint32) { k.put(g, from.(*keptScalars).acc[w]) }

func (k *keptScalars) result(from, n int, out *vector.Vector) error {
	values := make([]vector.Scalar, n)
	for i := range values {
		if values[i] = k.acc[from+i]; values[i].Nested == nil { // of a group without a value
			values[i] = vector.NullOf(k.typ)
		}
	}
	return out.FromScalars(k.typ, values)
}

// scalarSize is the memory of a nested value beyond the scalar itself.
func scalarSize(v *vector.Scalar) int64 {
	if v.Nested == nil {
		return 0
	}
	return nestedBytes(v.Nested)
}
