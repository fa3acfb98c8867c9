package expr

import (
	"hash/maphash"
	"math"
	"reflect"
)

// Index finds equal expressions among many: it has numbers of expressions by their shape. A
// statement may have tens of thousands of them, and comparing all pairs takes seconds. The zero
// value is empty.
type Index struct {
	seed   maphash.Seed
	shapes map[uint64][]int
}

// Find returns the number of an expression that equals e, the first one that was added,
// or -1. at is the expression of a number.
func (x *Index) Find(e Expr, at func(number int) Expr) int {
	return x.First(e, func(number int) bool { return Equal(at(number), e) })
}

// First returns the first number that was added for an expression of e's shape and for
// which same is true, or -1.
func (x *Index) First(e Expr, same func(number int) bool) int {
	if x.shapes == nil {
		return -1
	}
	for _, number := range x.shapes[x.shape(e)] {
		if same(number) {
			return number
		}
	}
	return -1
}

// Place is First, but adds e with the number next where there is none.
func (x *Index) Place(e Expr, next int, same func(number int) bool) (number int, added bool) {
	if number = x.First(e, same); number >= 0 {
		return number, false
	}
	x.Add(e, next)
	return next, true
}

// Add adds an expression, or nil, with its number.
func (x *Index) Add(e Expr, number int) {
	if x.shapes == nil {
		x.seed, x.shapes = maphash.MakeSeed(), map[uint64][]int{}
	}
	shape := x.shape(e)
	x.shapes[shape] = append(x.shapes[shape], number)
}

// FirstArgument returns the first of a call's arguments, by which calls are added and found; nil
// for a call without arguments.
func FirstArgument(args []Expr) Expr {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// Unique is a list of distinct expressions. The zero value is empty.
type Unique struct {
	List  []Expr // in the order of Add
	index Index
}

// Add returns the place of an expression in the list, and whether it was not there yet.
func (x *Unique) Add(e Expr) (at int, added bool) {
	at, added = x.index.Place(e, len(x.List), func(i int) bool { return Equal(x.List[i], e) })
	if added {
		x.List = append(x.List, e)
	}
	return at, added
}

// shapeNodes bounds how much of an expression its shape tells.
const shapeNodes = 64

// shape is a number that equal expressions have in common, and others seldom.
func (x *Index) shape(e Expr) uint64 {
	var h maphash.Hash
	h.SetSeed(x.seed)
	left := shapeNodes
	Walk(e, func(n Expr) bool {
		if left--; left < 0 {
			return false
		}
		describe(&h, n)
		return true
	})
	return h.Sum64()
}

// describe writes what equal nodes have in common.
func describe(h *maphash.Hash, n Expr) {
	switch n := n.(type) {
	case nil:
	case *Column:
		maphash.WriteComparable(h, n.Index)
	case *Const:
		v := n.Value
		if v.Null || v.Nested != nil {
			break
		}
		_, _ = h.WriteString(v.Str)
		maphash.WriteComparable(h, [4]int64{v.I64, int64(v.U64), int64(v.I128.Lo), v.I128.Hi})
		maphash.WriteComparable(h, [2]uint64{math.Float64bits(v.F64), uint64(math.Float32bits(v.F32))})
	case *Call:
		_, _ = h.WriteString(n.Name)
	default:
		_, _ = h.WriteString(reflect.TypeOf(n).Elem().Name())
	}
}
