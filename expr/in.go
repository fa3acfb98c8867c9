package expr

import (
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/set"
	"github.com/parquetsql/parquetsql/vector"
)

// inNode is x [NOT] IN (constants).
type inNode struct {
	p    *kernel.Condition // x IN (the values that are not NULL)
	not  bool
	null bool // the list has a NULL: a value that is not found may equal it
	out  kernel.Result
}

func (e *In) compile(by *Compiler) kernel.Node {
	list := vector.New(e.X.Type(), len(e.List))
	k := 0
	null := false
	for _, c := range e.List {
		s := c.(*Const).Value
		if s.Null {
			null = true
			continue
		}
		list.Set(k, s)
		k++
	}
	return &inNode{p: kernel.NewCondition([]kernel.Node{by.Node(e.X)}, memberPredicate(list, k), false), not: e.Not, null: null}
}

// memberPredicate selects the rows whose value is among the first k of the list.
func memberPredicate(list *vector.Vector, k int) kernel.Predicate {
	switch list.Type.Storage() {
	case vector.StoreInt64:
		return memberOfInts(list.I64[:k])
	case vector.StoreUint64:
		return memberOfWords(list.U64[:k])
	case vector.StoreString:
		return memberOf(list.Str[:k])
	case vector.StoreInt128:
		return memberOf(list.I128[:k])
	case vector.StoreBool:
		return memberOf(list.Bool[:k])
	case vector.StoreFloat32:
		return memberOfFloats(list.F32[:k])
	case vector.StoreFloat64:
		return memberOfFloats(list.F64[:k])
	}
	return memberOfIntervals(list.Interval[:k])
}

// shortList is the number of values up to which a loop is faster than a hash table.
const shortList = 8

// memberOf is for values whose equality is Go's ==.
func memberOf[T interface {
	vector.Value
	comparable
}](list []T) kernel.Predicate {
	if len(list) <= shortList {
		return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
			a, k := kernel.OperandOf[T](args[0]), 0
			for _, i := range kernel.Listed(rows, n) {
				into[k] = i
				v := a.At(i)
				for _, w := range list {
					if v == w {
						k++
						break
					}
				}
			}
			return into[:k], nil
		}
	}
	set := make(map[T]struct{}, len(list))
	for _, v := range list {
		set[v] = struct{}{}
	}
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		a, k := kernel.OperandOf[T](args[0]), 0
		for _, i := range kernel.Listed(rows, n) {
			into[k] = i
			if _, ok := set[a.At(i)]; ok {
				k++
			}
		}
		return into[:k], nil
	}
}

// A list of integers becomes a set.Ints if that is small, in bytes altogether or per
// value; else a hash table is smaller.
const (
	denseBytes = 16 << 10
	denseRatio = 32
)

// memberOfInts takes a bitmap where the list is dense.
func memberOfInts(list []int64) kernel.Predicate {
	if len(list) > shortList {
		lo, hi := slices.Min(list), slices.Max(list)
		if set.IntsBytes(lo, hi) <= max(denseBytes, denseRatio*int64(len(list))) {
			ints := set.NewInts(lo, hi)
			for _, v := range list {
				ints.Add(v)
			}
			return ints.Select
		}
	}
	return memberOfWords(list)
}

// memberOfWords is for 64-bit integers.
func memberOfWords[T int64 | uint64](list []T) kernel.Predicate {
	if len(list) <= shortList {
		return memberOf(list)
	}
	words := set.NewWords(len(list))
	for _, v := range list {
		words.Add(uint64(v))
	}
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		a, k := kernel.OperandOf[T](args[0]), 0
		for _, i := range kernel.Listed(rows, n) {
			into[k] = i
			if words.Has(uint64(a.At(i))) {
				k++
			}
		}
		return into[:k], nil
	}
}

// memberOfFloats is for numbers that are equal if their floatKey is.
func memberOfFloats[T float32 | float64](list []T) kernel.Predicate {
	words := set.NewWords(len(list))
	for _, v := range list {
		words.Add(floatKey(float64(v)))
	}
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		a, k := kernel.OperandOf[T](args[0]), 0
		for _, i := range kernel.Listed(rows, n) {
			into[k] = i
			if words.Has(floatKey(float64(a.At(i)))) {
				k++
			}
		}
		return into[:k], nil
	}
}

// memberOfIntervals is for values that are equal if they are as long.
func memberOfIntervals(list []vector.IntervalValue) kernel.Predicate {
	set := make(map[vector.Int128]struct{}, len(list))
	for _, v := range list {
		set[v.Normal()] = struct{}{}
	}
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		a, k := kernel.OperandOf[vector.IntervalValue](args[0]), 0
		for _, i := range kernel.Listed(rows, n) {
			into[k] = i
			if _, ok := set[a.At(i).Normal()]; ok {
				k++
			}
		}
		return into[:k], nil
	}
}

func (e *inNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	v, err := e.p.Eval(f, rows)
	if err != nil || !e.not && !e.null {
		return v, err
	}
	if v.Form == vector.Constant { // NULL in all rows
		return v, nil
	}
	e.out.Reset(v.Type, f.N)
	e.out.Valid = v.Valid
	for _, i := range kernel.Listed(rows, f.N) {
		hit := v.Bool[i]
		e.out.Bool[i] = hit != e.not
		if !hit && e.null {
			e.out.Null(int(i))
		}
	}
	return &e.out.Vector, nil
}

func (e *inNode) Select(f *kernel.Frame, rows, into []int32) ([]int32, error) {
	switch {
	case !e.not:
		return e.p.Select(f, rows, into)
	case e.null: // not found is NULL, found is FALSE
		return into[:0], nil
	}
	v, err := e.p.Eval(f, rows)
	if err != nil {
		return nil, err
	}
	if v.Form == vector.Constant {
		return into[:0], nil
	}
	k := 0
	for _, i := range kernel.Listed(rows, f.N) {
		into[k] = i
		if !v.Bool[i] {
			k++
		}
	}
	return kernel.KeepValid(into[:k], v.Valid), nil
}

// floatKey is the same for floats that are equal: for both zeros and for every NaN.
func floatKey(v float64) uint64 {
	switch {
	case v == 0:
		return 0
	case v != v:
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(v)
}
