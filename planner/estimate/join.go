package estimate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

func (e *Estimator) join(j *logical.Join) *Rows {
	l, r := e.Of(j.L), e.Of(j.R)
	m := matchOf(j, l, r)
	pairs := l.Count * r.Count * m.part
	out := &Rows{from: []*Rows{l, r}}
	switch j.Kind {
	case logical.InnerJoin:
		out.Count = pairs
	case logical.LeftJoin:
		out.Count = max(pairs, l.Count)
	case logical.RightJoin:
		out.Count = max(pairs, r.Count)
	case logical.FullJoin:
		out.Count = max(pairs, l.Count, r.Count)
	case logical.SemiJoin:
		out.Count = l.Count * m.matched
	case logical.AntiJoin:
		out.Count = l.Count * max(1-m.matched, 0.05)
	default:
		out.Count = l.Count
	}
	if j.Kind == logical.MarkJoin {
		out.set(j.Mark.ID, Column{Distinct: 2, Ranged: true, Max: 1})
	}
	return out
}

// match is what ON says of pairs.
type match struct {
	part    float64 // of all pairs match
	matched float64 // the part of the rows of the left side with a match
}

func matchOf(j *logical.Join, l, r *Rows) match {
	out := match{part: 1, matched: 1}
	left, right := logical.Made(j.L), logical.Made(j.R)
	both := &Rows{Count: max(1, l.Count) * max(1, r.Count), from: []*Rows{l, r}}
	var keys []Key
	for _, c := range j.On {
		a, b, ok := Equality(c, left, right)
		if !ok {
			part := both.part(c)
			out.part *= part
			out.matched = min(out.matched, part*max(1, r.Count))
			continue
		}
		k := Key{L: l.value(a), R: r.value(b)}
		k.L.Refer(k.R.Key)
		k.R.Refer(k.L.Key)
		keys = append(keys, k)
		out.matched *= min(1, k.R.Distinct/k.L.Distinct) * (1 - k.L.Nulls)
	}
	out.part *= Keys(keys, l.Count, r.Count)
	if r.Count < 1 {
		out.matched *= r.Count
	}
	return out
}

// Refer notes that a column's values are among those of a key of another table.
func (c *Column) Refer(key float64) {
	if key > 0 {
		c.Distinct = min(c.Distinct, key)
	}
}

// Key is what the two sides of an equality hold.
type Key struct{ L, R Column }

// Keys is the part of the pairs of rows that are equal in all keys.
func Keys(keys []Key, left, right float64) float64 {
	part, all := 1.0, 1.0
	l, r, most := 1.0, 1.0, 1.0
	for _, k := range keys {
		part *= (1 - k.L.Nulls) * (1 - k.R.Nulls)
		if k.L.Ranged && k.R.Ranged && (k.L.Max < k.R.Min || k.R.Max < k.L.Min) {
			part *= 0.01
		}
		all *= max(1, k.L.Distinct, k.R.Distinct)
		most = max(most, k.L.Distinct, k.R.Distinct)
		l *= max(1, k.L.Distinct)
		r *= max(1, k.R.Distinct)
	}
	if len(keys) > 1 { // there are not more combinations than rows on the side that they identify
		if l >= left {
			all = min(all, max(most, left))
		}
		if r >= right {
			all = min(all, max(most, right))
		}
	}
	return part / all
}

// Equality is the sides of a conjunct that compares a value of the left input with one
// of the right.
func Equality(c expr.Expr, left, right logical.Set) (l, r expr.Expr, ok bool) {
	e, ok := c.(*expr.Compare)
	if !ok || e.Op != expr.OpEq {
		return nil, nil, false
	}
	a, b := logical.ReadBy(e.L), logical.ReadBy(e.R)
	switch {
	case a.Empty() || b.Empty():
	case left.Contains(a) && right.Contains(b):
		return e.L, e.R, true
	case left.Contains(b) && right.Contains(a):
		return e.R, e.L, true
	}
	return nil, nil, false
}
