// Package buffer gathers rows of many batches into flat columns, for those who
// must see all rows before they can answer: sorting, aggregates with an order,
// the rows that a top-N keeps.
package rowstore

import (
	"github.com/parquetsql/parquetsql/vector"
)

// Column is one growing flat column.
type Column struct {
	Vec vector.Vector
	// Share says that strings need not be cloned: the rows are kept for so short
	// a time, or so many of their neighbours with them, that nothing is gained.
	Share bool

	arena Arena
}

// NewColumn is an empty column.
func NewColumn(t vector.Type) *Column {
	c := &Column{}
	c.Vec.Type = t
	if t.Storage() == vector.StoreNested {
		c.Vec.Offsets = []int32{0}
		c.Vec.Children = children(t)
	}
	return c
}

func children(t vector.Type) []*vector.Vector {
	list := make([]*vector.Vector, len(t.Fields))
	for i, f := range t.Fields {
		list[i] = &vector.Vector{Type: f.Type}
		if f.Type.Storage() == vector.StoreNested {
			list[i].Offsets = []int32{0}
			list[i].Children = children(f.Type)
		}
	}
	return list
}

// Bytes is the memory held: what strings refer to counts only where it was
// cloned for this column.
func (c *Column) Bytes() int64 {
	return c.arena.Bytes() + size(&c.Vec)
}

// StringBytes is the part of Bytes that strings refer to. It stays when rows
// were copied out of the column, also after a Reset.
func (c *Column) StringBytes() int64 { return c.arena.Bytes() }

// Size is the memory of a flat vector without what its strings refer to.
func Size(v *vector.Vector) int64 { return size(v) }

func size(v *vector.Vector) int64 {
	n := int64(cap(v.Bool)) + int64(cap(v.I64)+cap(v.U64)+cap(v.F64)+cap(v.Valid))*8 +
		int64(cap(v.I128)+cap(v.Str))*16 + int64(cap(v.F32)+cap(v.Offsets))*4 + int64(cap(v.Interval))*24
	for _, child := range v.Children {
		n += size(child)
	}
	return n
}

// Reset empties the column and keeps its memory, but for that of strings.
func (c *Column) Reset() {
	v := &c.Vec
	clear(v.Str)
	v.Len, v.Valid = 0, nil
	if v.Type.Storage() == vector.StoreNested {
		v.Offsets, v.Children = []int32{0}, children(v.Type)
	}
	v.Bool, v.I64, v.U64, v.I128 = v.Bool[:0], v.I64[:0], v.U64[:0], v.I128[:0]
	v.F32, v.F64, v.Str, v.Interval = v.F32[:0], v.F64[:0], v.Str[:0], v.Interval[:0]
	c.arena = Arena{}
}

// Append puts the rows of v that sel lists behind those there are; all of them
// where it is nil. Strings are cloned, except those of a dictionary, which
// lives on as long as one of them is needed.
func (c *Column) Append(v *vector.Vector, sel []int32) {
	n := v.Len
	if sel != nil {
		n = len(sel)
	}
	if n == 0 {
		return
	}
	if v.Type.Kind == vector.Null {
		appendNulls(&c.Vec, n)
		return
	}
	if c.Vec.Type.Storage() == vector.StoreNested {
		var dense vector.Vector
		dense.Gather(v, sel)
		concat(&c.Vec, &dense, &c.arena)
		return
	}
	appendValidity(&c.Vec, v, sel, n)
	to, from := &c.Vec, v
	if v.Form == vector.Dictionary {
		from = v.Dict
	}
	to.Len += n
	if to.Type.Storage() == vector.StoreString && v.Form != vector.Dictionary && !c.Share {
		to.Str = appendStrings(to.Str, v, sel, n, &c.arena)
		return
	}
	appendValues(to, from, v, sel, n)
}

func appendValues(to, from, v *vector.Vector, sel []int32, n int) {
	switch to.Type.Storage() {
	case vector.StoreBool:
		to.Bool = gather(to.Bool, from.Bool, v, sel, n)
	case vector.StoreInt64:
		to.I64 = gather(to.I64, from.I64, v, sel, n)
	case vector.StoreUint64:
		to.U64 = gather(to.U64, from.U64, v, sel, n)
	case vector.StoreInt128:
		to.I128 = gather(to.I128, from.I128, v, sel, n)
	case vector.StoreFloat32:
		to.F32 = gather(to.F32, from.F32, v, sel, n)
	case vector.StoreFloat64:
		to.F64 = gather(to.F64, from.F64, v, sel, n)
	case vector.StoreString:
		to.Str = gather(to.Str, from.Str, v, sel, n)
	case vector.StoreInterval:
		to.Interval = gather(to.Interval, from.Interval, v, sel, n)
	}
}

// place is where row i of what is appended lies in v.
func place(v *vector.Vector, sel []int32, i int) int {
	if v.Form == vector.Constant {
		return 0
	}
	if sel != nil {
		i = int(sel[i])
	}
	if v.Form == vector.Dictionary {
		return int(v.Codes[i])
	}
	return i
}

func gather[T any](to, values []T, v *vector.Vector, sel []int32, n int) []T {
	switch {
	case v.Form == vector.Flat && sel == nil:
		return append(to, values[:n]...)
	case v.Form == vector.Flat:
		for _, s := range sel {
			to = append(to, values[s])
		}
		return to
	}
	for i := range n {
		to = append(to, values[place(v, sel, i)])
	}
	return to
}

func appendStrings(to []string, v *vector.Vector, sel []int32, n int, arena *Arena) []string {
	if v.Form == vector.Constant {
		s := arena.Clone(v.Str[0])
		for range n {
			to = append(to, s)
		}
		return to
	}
	for i := range n {
		at := place(v, sel, i)
		if v.Valid != nil && !v.Valid.Get(at) {
			to = append(to, "") // what lies under a NULL may be large
			continue
		}
		to = append(to, arena.Clone(v.Str[at]))
	}
	return to
}

// appendValidity goes before Len grows.
func appendValidity(to, v *vector.Vector, sel []int32, n int) {
	if !v.MayHaveNulls() {
		if to.Valid != nil {
			extend(to, to.Len+n)
		}
		return
	}
	extend(to, to.Len+n)
	for i := range n {
		row := i
		if sel != nil {
			row = int(sel[i])
		}
		if v.IsNull(row) {
			to.Valid.Clear(to.Len + i)
		}
	}
}

// extend makes the validity cover n rows, new ones valid.
func extend(v *vector.Vector, n int) {
	for len(v.Valid)*64 < n {
		v.Valid = append(v.Valid, ^uint64(0))
	}
}

// appendNulls puts n NULLs behind the rows there are.
func appendNulls(v *vector.Vector, n int) {
	from := v.Len
	extend(v, from+n)
	for i := from; i < from+n; i++ {
		v.Valid.Clear(i)
	}
	v.Len += n
	switch v.Type.Storage() {
	case vector.StoreBool:
		v.Bool = append(v.Bool, make([]bool, n)...)
	case vector.StoreInt64:
		v.I64 = append(v.I64, make([]int64, n)...)
	case vector.StoreUint64:
		v.U64 = append(v.U64, make([]uint64, n)...)
	case vector.StoreInt128:
		v.I128 = append(v.I128, make([]vector.Int128, n)...)
	case vector.StoreFloat32:
		v.F32 = append(v.F32, make([]float32, n)...)
	case vector.StoreFloat64:
		v.F64 = append(v.F64, make([]float64, n)...)
	case vector.StoreString:
		v.Str = append(v.Str, make([]string, n)...)
	case vector.StoreInterval:
		v.Interval = append(v.Interval, make([]vector.IntervalValue, n)...)
	case vector.StoreNested:
		for range n {
			v.Offsets = append(v.Offsets, v.Offsets[len(v.Offsets)-1])
		}
		if v.Type.Kind == vector.Struct {
			for _, child := range v.Children {
				appendNulls(child, n)
			}
		}
	}
}

// concat puts the rows of a flat vector behind those of another.
func concat(to, v *vector.Vector, arena *Arena) {
	if v.Type.Kind == vector.Null {
		appendNulls(to, v.Len)
		return
	}
	appendValidity(to, v, nil, v.Len)
	to.Len += v.Len
	if to.Type.Storage() != vector.StoreNested {
		if to.Type.Storage() == vector.StoreString {
			to.Str = appendStrings(to.Str, v, nil, v.Len, arena)
			return
		}
		appendValues(to, v, v, nil, v.Len)
		return
	}
	if to.Type.Kind != vector.Struct {
		base := to.Offsets[len(to.Offsets)-1]
		for _, o := range v.Offsets[1 : v.Len+1] {
			to.Offsets = append(to.Offsets, base+o-v.Offsets[0])
		}
	}
	for i, child := range to.Children {
		switch {
		case i < len(v.Children):
			concat(child, v.Children[i], arena)
		case to.Type.Kind == vector.Struct: // a NULL of this type has no children
			appendNulls(child, v.Len)
		}
	}
}
