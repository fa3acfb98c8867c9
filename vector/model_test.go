package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// A model is a column as Go values: nil for NULL, []any for the elements of a
// LIST (of a MAP, pairs) and the fields of a STRUCT.
type model []any

// modelTypes are types of all storages, and of nested ones within each other.
func modelTypes() []Type {
	nullable := func(t Type) Field { return Field{Name: "f", Type: t, Nullable: true} }
	list := func(t Type) Type { return ListOf(nullable(t)) }
	group := func(types ...Type) Type {
		t := Type{Kind: Struct}
		for _, c := range types {
			t.Fields = append(t.Fields, nullable(c))
		}
		return t
	}
	types := []Type{Of(Boolean), Of(BigInt), Of(UBigInt), DecimalType(30, 2), Of(Float), Of(Double), Of(Varchar), Of(Interval), Of(Null)}
	all := group(types...)
	pair := Type{Kind: Map, Fields: []Field{nullable(Of(Varchar)), nullable(list(Of(BigInt)))}}
	variant := VariantType(Field{Name: "typed_value", Type: list(group(Of(Blob), Of(BigInt))), Nullable: true})
	return append(types, all, list(Of(Varchar)), list(list(Of(Boolean))), pair, group(list(all), Of(Varchar)), list(pair), variant)
}

// randomValue is NULL now and then.
func randomValue(r *rand.Rand, t Type) any {
	if t.Kind == Null || r.IntN(5) == 0 {
		return nil
	}
	switch t.Storage() {
	case StoreBool:
		return r.IntN(2) == 0
	case StoreInt64:
		return r.Int64() - math.MaxInt64/2
	case StoreUint64:
		return r.Uint64()
	case StoreInt128:
		return Int128{Hi: int64(r.IntN(3) - 1), Lo: r.Uint64()}
	case StoreFloat32:
		return float32(r.IntN(9)) / 4
	case StoreFloat64:
		return r.NormFloat64()
	case StoreString:
		return fmt.Sprint("text ", r.IntN(1000))
	case StoreInterval:
		return IntervalValue{Months: int64(r.IntN(9)), Micros: int64(r.IntN(9))}
	}
	value, repeat := []any{}, 1
	if t.HasElements() {
		repeat = r.IntN(4)
	}
	for range repeat {
		for _, f := range t.Fields {
			value = append(value, randomValue(r, f.Type))
		}
	}
	return value
}

func randomModel(r *rand.Rand, t Type, n int) model {
	m := make(model, n)
	for i := range m {
		m[i] = randomValue(r, t)
	}
	return m
}

// column writes a model into a flat vector, value by value, with junk elements
// before the first row and under NULLs.
func column(t Type, m model) *Vector {
	v := &Vector{Type: t, Len: len(m)}
	inner := make([]model, len(t.Fields))
	if t.HasElements() {
		v.Offsets = []int32{1}
		for i, f := range t.Fields {
			inner[i] = model{randomValue(rand.New(rand.NewPCG(1, 1)), f.Type)}
		}
	}
	for i, x := range m {
		if x == nil && t.Kind != Null {
			v.SetNull(i)
		}
		switch t.Storage() {
		case StoreBool:
			y, _ := x.(bool)
			v.Bool = append(v.Bool, y)
		case StoreInt64:
			y, _ := x.(int64)
			v.I64 = append(v.I64, y)
		case StoreUint64:
			y, _ := x.(uint64)
			v.U64 = append(v.U64, y)
		case StoreInt128:
			y, _ := x.(Int128)
			v.I128 = append(v.I128, y)
		case StoreFloat32:
			y, _ := x.(float32)
			v.F32 = append(v.F32, y)
		case StoreFloat64:
			y, _ := x.(float64)
			v.F64 = append(v.F64, y)
		case StoreString:
			y, ok := x.(string)
			if !ok {
				y = "under a NULL"
			}
			v.Str = append(v.Str, y)
		case StoreInterval:
			y, _ := x.(IntervalValue)
			v.Interval = append(v.Interval, y)
		case StoreNested:
			parts, _ := x.([]any)
			if x == nil { // a NULL list has an element that must never show
				parts = make([]any, len(t.Fields))
			}
			for k, p := range parts {
				inner[k%len(inner)] = append(inner[k%len(inner)], p)
			}
			if t.HasElements() {
				v.Offsets = append(v.Offsets, int32(len(inner[0])))
			}
		}
	}
	for i, f := range t.Fields {
		v.Children = append(v.Children, column(f.Type, inner[i]))
	}
	return v
}

// read is a row of a vector of any form as the model has it.
func read(v *Vector, i int) any {
	if v.Type.Kind == Null || v.Valid != nil && v.Form != Constant && !v.Valid.Get(i) || v.Valid != nil && v.Form == Constant && !v.Valid.Get(0) {
		return nil
	}
	switch v.Form {
	case Constant:
		i = 0
	case Dictionary:
		v, i = v.Dict, int(v.Codes[i])
	}
	switch v.Type.Storage() {
	case StoreBool:
		return v.Bool[i]
	case StoreInt64:
		return v.I64[i]
	case StoreUint64:
		return v.U64[i]
	case StoreInt128:
		return v.I128[i]
	case StoreFloat32:
		return v.F32[i]
	case StoreFloat64:
		return v.F64[i]
	case StoreString:
		return v.Str[i]
	case StoreInterval:
		return v.Interval[i]
	}
	value, from, to := []any{}, i, i+1
	if v.Type.HasElements() {
		from, to = int(v.Offsets[i]), int(v.Offsets[i+1])
	}
	for e := from; e < to; e++ {
		for _, c := range v.Children {
			value = append(value, read(c, e))
		}
	}
	return value
}

// randomForm is a column in a random form, and its model.
func randomForm(r *rand.Rand, t Type, n int) (*Vector, model) {
	switch form := Form(r.IntN(3)); {
	case form == Constant:
		m := randomModel(r, t, 1)
		v := column(t, m)
		v.Form, v.Len = Constant, n
		all := make(model, n)
		for i := range all {
			all[i] = m[0]
		}
		return v, all
	case form == Dictionary && t.Kind != Null:
		entries := model{}
		for len(entries) < 7 {
			if x := randomValue(r, t); x != nil {
				entries = append(entries, x)
			}
		}
		v, m := &Vector{Type: t, Form: Dictionary, Len: n, Dict: column(t, entries), Codes: make([]int32, n)}, make(model, n)
		for i := range m {
			v.Codes[i] = int32(r.IntN(len(entries)))
			if m[i] = entries[v.Codes[i]]; r.IntN(4) == 0 {
				m[i] = nil
				v.SetNull(i)
			}
		}
		return v, m
	}
	m := randomModel(r, t, n)
	return column(t, m), m
}

// randomRows lists some rows, in any order and more than once; nil now and then.
func randomRows(r *rand.Rand, n int) []int32 {
	if n == 0 || r.IntN(3) == 0 {
		return nil
	}
	rows := make([]int32, r.IntN(2*n))
	for i := range rows {
		rows[i] = int32(r.IntN(n))
	}
	return rows
}

func (m model) at(rows []int32) model {
	if rows == nil {
		return m
	}
	out := make(model, len(rows))
	for i, r := range rows {
		out[i] = m[r]
	}
	return out
}
