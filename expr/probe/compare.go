package probe

import (
	"slices"
	"sort"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// relation is the subset of a < b, a = b and a > b that may hold for two values that
// are not NULL.
type relation struct{ lt, eq, gt bool }

// relate returns how values of two domains may compare. If a bound is unknown, all
// relations are possible.
func relate(a, b domain) relation {
	r := relation{lt: true, eq: true, gt: true}
	if !a.value || !b.value {
		return relation{}
	}
	if a.lo != nil && b.hi != nil {
		if c, ok := expr.OrderScalars(a.lo, b.hi); ok {
			r.lt = c < 0
			r.eq = r.eq && c <= 0
		}
	}
	if a.hi != nil && b.lo != nil {
		if c, ok := expr.OrderScalars(a.hi, b.lo); ok {
			r.gt = c > 0
			r.eq = r.eq && c >= 0
		}
	}
	if r.eq && (absent(a, b) || absent(b, a)) {
		r.eq = false
	}
	return r
}

// absent reports whether a's bloom filter rules out the only value of b.
func absent(a, b domain) bool {
	return a.bloom != nil && b.isPoint() && !a.bloom(*b.lo)
}

// compareOutcomes returns the possible results of a op b.
func compareOutcomes(op expr.Op, a, b domain) outcomes {
	r := relate(a, b)
	o := outcomes(0)
	if a.null || b.null {
		o |= canNull
	}
	if a.fails || b.fails {
		o |= canFail
	}
	holds := func(hit, miss bool) {
		if hit {
			o |= canTrue
		}
		if miss {
			o |= canFalse
		}
	}
	switch op {
	case expr.OpEq:
		holds(r.eq, r.lt || r.gt)
	case expr.OpNe:
		holds(r.lt || r.gt, r.eq)
	case expr.OpLt:
		holds(r.lt, r.eq || r.gt)
	case expr.OpLe:
		holds(r.lt || r.eq, r.gt)
	case expr.OpGt:
		holds(r.gt, r.lt || r.eq)
	case expr.OpGe:
		holds(r.gt || r.eq, r.lt)
	default:
		return unknown
	}
	return o
}

// distinctOutcomes returns the possible results of a IS DISTINCT FROM b, which is
// never NULL.
func distinctOutcomes(a, b domain) outcomes {
	r := relate(a, b)
	o := outcomes(0)
	if a.fails || b.fails {
		o |= canFail
	}
	if r.lt || r.gt || a.null && b.value || a.value && b.null {
		o |= canTrue
	}
	if r.eq || a.null && b.null {
		o |= canFalse
	}
	return o
}

// constantSet is the right side of IN: its values in order, without duplicates.
type constantSet struct {
	values []*vector.Scalar
	null   bool // NULL is in the list too
}

// newConstantSet returns false if the values and t have no common order.
func (b *builder) constants(list []*vector.Scalar, t vector.Type) (constantSet, bool) {
	set := constantSet{values: make([]*vector.Scalar, 0, len(list))}
	var known *vector.Type // of a value that is in order, as most others are
	for _, s := range list {
		switch {
		case s.Null || s.Type.Kind == vector.Null:
			set.null = true
		case (known == nil || !s.Type.Equal(*known)) && !scalar.SameOrder(s.Type, t):
			return set, false
		default:
			known = &s.Type
			set.values = append(set.values, s)
		}
	}
	slices.SortFunc(set.values, func(x, y *vector.Scalar) int {
		if b.ticker.Work(1) != nil {
			return 0
		}
		c, _ := expr.OrderScalars(x, y)
		return c
	})
	return set, b.ticker.Err() == nil
}

// outcomes returns the possible results of a IN set.
func (set constantSet) outcomes(a domain) outcomes {
	o := outcomes(0)
	if a.fails {
		o |= canFail
	}
	if len(set.values) == 0 && !set.null { // an empty list: FALSE even for NULL
		return o | canFalse
	}
	if a.null {
		o |= canNull
	}
	if !a.value {
		return o
	}
	from, to := 0, len(set.values)
	if a.lo != nil {
		from = sort.Search(to, func(i int) bool { c, _ := expr.OrderScalars(set.values[i], a.lo); return c >= 0 })
	}
	if a.hi != nil {
		to = sort.Search(to, func(i int) bool { c, _ := expr.OrderScalars(set.values[i], a.hi); return c > 0 })
	}
	hit := false
	for i := from; i < to && !hit; i++ {
		hit = a.bloom == nil || a.bloom(*set.values[i])
	}
	miss := !(hit && a.isPoint() && from < to)
	if hit {
		o |= canTrue
	}
	if miss && set.null {
		o |= canNull
	}
	if miss && !set.null {
		o |= canFalse
	}
	return o
}
