package aggregate

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// Exchanged is Partial where the results of Calls come from other machines. It has more aggregates:
// states that are several numbers are one STRUCT of them. It is false where an aggregate needs all rows
// of a group.
func (a *Call) Exchanged() (Partial, bool) {
	if a.distinct || a.collected || len(a.order) > 0 || len(a.params) > 0 {
		return Partial{}, false
	}
	if a.part == countPart {
		return a.Partial()
	}
	same := func() (Partial, bool) {
		return Partial{[]*Call{a}, func(results []expr.Expr) *Call { return a.over(results) }}, true
	}
	switch s := a.state().(type) {
	case *argumentState:
		if s.nulls || s.last {
			return Partial{}, false
		}
		return a.exchangedArgument(s.sign > 0)
	case *intervalState:
		if a.function.Name == "SUM" {
			return same()
		}
	case *edgeState:
		if !s.nulls { // ANY_VALUE: any of those that are not NULL
			return same()
		}
	case *sketchState:
		return a.exchangedSketch(), true
	case packer:
		return a.exchangedNumbers(s.form()), true
	}
	if a.function.Combines && len(a.args) == 1 && !a.typ.IsNested() && a.typ.Equal(a.args[0].Type()) && (a.function.DistinctIgnored || a.function.Name == "BIT_XOR") {
		return same()
	}
	return Partial{}, false
}

// exchangedArgument is ARG_MIN or ARG_MAX: the value, and the key that it has.
func (a *Call) exchangedArgument(greatest bool) (Partial, bool) {
	filter := expr.NewIsNull(a.args[0], true)
	if a.filter != nil {
		both, err := expr.NewAnd(a.filter, filter)
		if err != nil {
			return Partial{}, false
		}
		filter = both
	}
	name := "MIN"
	if greatest {
		name = "MAX"
	}
	key, err := New(name, a.args[1:2], false, filter)
	if err != nil {
		return Partial{}, false
	}
	return Partial{[]*Call{a, key}, func(results []expr.Expr) *Call { return a.over(results) }}, true
}

// exchangedNumbers has the numbers of a state as the fields of a STRUCT.
func (a *Call) exchangedNumbers(f form) Partial {
	state := *a
	state.name, state.part, state.linear, state.sorted, state.counted = f.name+" STATE", noPart, nil, nil, nil
	state.typ = f.structType()
	state.state = func() State { return &packedState{State: a.state(), form: f, typ: state.typ} }
	return Partial{[]*Call{&state}, func(results []expr.Expr) *Call {
		c := a.over(results)
		c.part, c.linear, c.sorted, c.counted = noPart, nil, nil, nil
		c.state = func() State { return &unpackedState{State: f.whole(a)} }
		return c
	}}
}

// packer is a state that is a few numbers for each group.
type packer interface {
	State
	form() form
	// pack is the numbers of a group.
	pack(group int) packed
}

// unpacker is the state that adds them up.
type unpacker interface {
	State
	unpack(group uint32, p packed)
}

// form says which numbers a state has. States of one name add the same of the same arguments.
type form struct {
	name         string
	ints, floats []string               // the names of the numbers
	whole        func(a *Call) unpacker // the state that has the result of a
}

// packed is the numbers of a group.
type packed struct {
	ints   [4]int64
	floats [5]float64
}

func (f form) structType() vector.Type {
	t := vector.Type{Kind: vector.Struct}
	for _, name := range f.ints {
		t.Fields = append(t.Fields, vector.Field{Name: name, Type: vector.Of(vector.BigInt)})
	}
	for _, name := range f.floats {
		t.Fields = append(t.Fields, vector.Field{Name: name, Type: vector.Of(vector.Double)})
	}
	return t
}

// packedState is a state whose result is its numbers.
type packedState struct {
	State
	form form
	typ  vector.Type
}

func (s *packedState) Merge(from State, which, to []uint32) error {
	return s.State.Merge(from.(*packedState).State, which, to)
}

func (s *packedState) Result(from, n int, out *vector.Vector) error {
	in, ok := s.State.(packer)
	if !ok {
		return fmt.Errorf("internal error: a %T has no numbers", s.State)
	}
	out.Reset(s.typ, n)
	for k := range s.form.ints {
		out.Children[k].Reset(s.typ.Fields[k].Type, n)
	}
	for k := range s.form.floats {
		out.Children[len(s.form.ints)+k].Reset(vector.Of(vector.Double), n)
	}
	for i := range n {
		p := in.pack(from + i)
		for k := range s.form.ints {
			out.Children[k].I64[i] = p.ints[k]
		}
		for k := range s.form.floats {
			out.Children[len(s.form.ints)+k].F64[i] = p.floats[k]
		}
	}
	return nil
}

// unpackedState is a state whose rows are the numbers of others.
type unpackedState struct{ State }

func (s *unpackedState) Merge(from State, which, to []uint32) error {
	return s.State.Merge(from.(*unpackedState).State, which, to)
}

func (s *unpackedState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	to, ok := s.State.(unpacker)
	if !ok {
		return fmt.Errorf("internal error: a %T takes no numbers", s.State)
	}
	v := args[0]
	for i := range b.Rows() {
		row := b.Row(i)
		if v.IsNull(row) {
			continue
		}
		g := uint32(0)
		if groups != nil {
			g = groups[i]
		}
		from, at := rowOf(v, row)
		var p packed
		ints, floats := 0, 0
		for _, child := range from.Children {
			values, at := rowOf(child, at)
			if child.Type.Kind == vector.Double {
				p.floats[floats] = values.F64[at]
				floats++
			} else {
				p.ints[ints] = values.I64[at]
				ints++
			}
		}
		to.unpack(g, p)
	}
	return nil
}

// rowOf is where a vector of any form has the value of a row.
func rowOf(v *vector.Vector, row int) (*vector.Vector, int) {
	switch v.Form {
	case vector.Constant:
		return v, 0
	case vector.Dictionary:
		return v.Dict, int(v.Codes[row])
	}
	return v, row
}

// The sums of integers and decimals: 192 bits in two's complement, the lowest 64 first.
func exactForm() form {
	return form{name: "SUM", ints: []string{"low", "middle", "high", "count"}, whole: func(a *Call) unpacker { return &wideSumState{agg: a} }}
}

func (s *wideSum) packed() packed {
	return packed{ints: [4]int64{int64(s.Lo), int64(s.Mid), s.Hi, s.N}}
}

func (s *wideSumState) form() form            { return exactForm() }
func (s *wideSumState) pack(group int) packed { return s.acc[group].packed() }

func (s *wideSumState) unpack(group uint32, p packed) {
	s.acc[group].Add(uint64(p.ints[0]), uint64(p.ints[1]), p.ints[2])
	s.acc[group].N += p.ints[3]
}

func (s *intSumState) form() form { return exactForm() }

func (s *intSumState) pack(group int) packed {
	wide := s.wide(group)
	return wide.packed()
}

func (s *floatSumState) form() form {
	return form{name: "DOUBLE SUM", ints: []string{"count"}, floats: []string{"sum", "lost"}, whole: func(a *Call) unpacker { return &floatSumState{agg: a} }}
}

func (s *floatSumState) pack(group int) packed {
	a := &s.acc[group]
	return packed{ints: [4]int64{a.n}, floats: [5]float64{a.sum, a.lost}}
}

func (s *floatSumState) unpack(group uint32, p packed) {
	s.acc[group].merge(floatSum{sum: p.floats[0], lost: p.floats[1], n: p.ints[0]})
}

func (s *momentState) form() form {
	return form{name: "VARIANCE", ints: []string{"count"}, floats: []string{"mean", "squares"}, whole: wholeOf}
}

func (s *momentState) pack(group int) packed {
	a := &s.acc[group]
	return packed{ints: [4]int64{a.N}, floats: [5]float64{a.mean, a.m2}}
}

func (s *momentState) unpack(group uint32, p packed) {
	s.acc[group].Merge(spread{N: p.ints[0], mean: p.floats[0], m2: p.floats[1]})
}

func (s *pairState) form() form {
	return form{name: "PAIRS", ints: []string{"count"}, floats: []string{"mean_y", "mean_x", "squares_y", "squares_x", "products"}, whole: wholeOf}
}

func (s *pairState) pack(group int) packed {
	a := &s.acc[group]
	return packed{ints: [4]int64{a.N}, floats: [5]float64{a.meanY, a.meanX, a.yy, a.xx, a.xy}}
}

func (s *pairState) unpack(group uint32, p packed) {
	s.acc[group].Merge(pairs{N: p.ints[0], meanY: p.floats[0], meanX: p.floats[1], yy: p.floats[2], xx: p.floats[3], xy: p.floats[4]})
}

// form of sums of powers has the name of the function, which says what is added.
func (s *powerState) form() form {
	return form{name: s.adds, ints: []string{"count"}, floats: []string{"first", "second", "third", "fourth"}, whole: wholeOf}
}

func (s *powerState) pack(group int) packed {
	a := &s.acc[group]
	return packed{ints: [4]int64{a.N}, floats: [5]float64{a.Sums[0], a.Sums[1], a.Sums[2], a.Sums[3]}}
}

func (s *powerState) unpack(group uint32, p packed) {
	s.merge(&s.acc[group], powers{N: p.ints[0], Sums: [4]float64{p.floats[0], p.floats[1], p.floats[2], p.floats[3]}})
}

// wholeOf is a new state of a call. All its states are of one type, which takes numbers.
func wholeOf(a *Call) unpacker { return a.state().(unpacker) }
