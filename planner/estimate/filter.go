package estimate

import (
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// The parts of rows that satisfy conditions about which nothing is known.
const (
	partCondition = 0.25
	partRange     = 1.0 / 3
	partEqual     = 0.1
	partPrefix    = 0.05 // LIKE 'x%'
	partPattern   = 0.1  // LIKE '%x%'
)

// filter is the rows that satisfy all conjuncts.
func filter(in *Rows, conjuncts []expr.Expr) *Rows {
	if len(conjuncts) == 0 {
		return in
	}
	out := &Rows{Count: in.Count, from: []*Rows{in}}
	part := 1.0
	for _, c := range conjuncts {
		part *= out.part(c)
	}
	out.Count *= part
	return out
}

// Part is the part of pairs of rows, or of rows, that satisfy a condition.
func (e *Estimator) Part(c expr.Expr, inputs ...logical.Node) float64 {
	r := &Rows{Count: 1}
	for _, in := range inputs {
		one := e.Of(in)
		r.Count *= max(1, one.Count)
		r.from = append(r.from, one)
	}
	return r.part(c)
}

// part is the part of the rows that satisfy a condition. It notes in r what columns
// hold in these rows, for the conditions after it.
func (r *Rows) part(e expr.Expr) float64 {
	switch e := e.(type) {
	case *expr.Const:
		if e.Value.Null || !e.Value.Bool {
			return 0
		}
		return 1
	case *expr.Compare:
		return r.compared(e)
	case *expr.In:
		c := r.value(e.X)
		part := min(1, float64(len(e.List))/c.Distinct) * (1 - c.Nulls)
		if e.Not {
			return max(0, 1-c.Nulls-part)
		}
		r.narrow(e.X, func(c *Column) { c.Distinct = min(c.Distinct, float64(len(e.List))) })
		return part
	case *expr.Like:
		return either(e.Not, likePart(e))
	case *expr.IsNull:
		c := r.value(e.X)
		if e.Not {
			return 1 - c.Nulls
		}
		return max(c.Nulls, 1/max(r.Count, 1))
	case *expr.Logic:
		return r.logic(e)
	case *expr.Not:
		return 1 - r.loose().part(e.X)
	case *expr.IsBool:
		part := r.loose().part(e.X)
		return either(e.Not, either(!e.Value, part))
	case *expr.DistinctFrom:
		return either(!e.Not, r.equal(e.L, e.R))
	case *expr.Column:
		return 0.5
	}
	return partCondition
}

func either(not bool, part float64) float64 {
	if not {
		return 1 - part
	}
	return part
}

// loose is r for conditions that do not hold for all rows of the result.
func (r *Rows) loose() *Rows { return &Rows{Count: r.Count, from: []*Rows{r}} }

func (r *Rows) logic(e *expr.Logic) float64 {
	part := 1.0
	for _, a := range e.Args {
		if e.Or {
			part *= 1 - r.loose().part(a)
		} else {
			part *= r.part(a)
		}
	}
	return either(e.Or, part)
}

func likePart(e *expr.Like) float64 {
	if p, ok := expr.Literal(e.Pattern); ok && p.Str != "" && p.Str[0] != '%' && p.Str[0] != '_' {
		return partPrefix
	}
	return partPattern
}

// narrow changes what r knows of a column.
func (r *Rows) narrow(e expr.Expr, f func(*Column)) {
	for {
		cast, ok := e.(*expr.Cast)
		if !ok {
			break
		}
		e = cast.X
	}
	if c, ok := e.(*expr.Column); ok {
		id := logical.ColumnID(c.Index)
		known := r.Column(id)
		known.Nulls = 0
		f(&known)
		r.set(id, known)
	}
}

func (r *Rows) compared(e *expr.Compare) float64 {
	switch e.Op {
	case expr.OpEq:
		part := r.equal(e.L, e.R)
		if k, ok := e.R.(*expr.Const); ok {
			p, ranged := Position(&k.Value)
			r.narrow(e.L, func(c *Column) { *c = Column{Distinct: 1, Ranged: ranged, Min: p, Max: p} })
		}
		return part
	case expr.OpNe:
		return max(0, 1-r.value(e.L).Nulls-r.equal(e.L, e.R))
	}
	k, ok := e.R.(*expr.Const)
	if !ok {
		return partRange
	}
	return r.ranged(e, k.Value)
}

// equal is the part of the rows in which two values are equal.
func (r *Rows) equal(a, b expr.Expr) float64 {
	l, h := r.value(a), r.value(b)
	if l.Ranged && h.Ranged && (l.Max < h.Min || h.Max < l.Min) {
		return 0.1 / max(1, r.Count)
	}
	_, column := a.(*expr.Column)
	if _, constant := b.(*expr.Const); constant && !column && len(a.Children()) > 1 {
		return max(partEqual, 1/l.Distinct)
	}
	return (1 - l.Nulls) * (1 - h.Nulls) / max(1, l.Distinct, h.Distinct)
}

// ranged is the part of the rows on one side of a constant.
func (r *Rows) ranged(e *expr.Compare, bound vector.Scalar) float64 {
	c := r.value(e.L)
	p, ok := Position(&bound)
	if !ok || !c.Ranged {
		return partRange * (1 - c.Nulls)
	}
	lo, hi := c.Min, c.Max
	step := 0.0
	if e.L.Type().IsInteger() || e.L.Type().Kind == vector.Date {
		step = 1
	}
	switch e.Op {
	case expr.OpLt:
		hi = min(hi, p-step)
	case expr.OpLe:
		hi = min(hi, p)
	case expr.OpGt:
		lo = max(lo, p+step)
	case expr.OpGe:
		lo = max(lo, p)
	}
	part := 1.0
	switch {
	case lo > hi:
		part = 0.1 / max(1, r.Count)
		lo = hi
	case c.Max > c.Min:
		part = (hi - lo + step) / (c.Max - c.Min + step)
	}
	r.narrow(e.L, func(c *Column) {
		c.Distinct, c.Min, c.Max = max(1, c.Distinct*part), lo, hi
	})
	return part * (1 - c.Nulls)
}

// Position is a value as a number that keeps the order of the type, false if it has
// none. A text is its first bytes.
func Position(s *vector.Scalar) (float64, bool) {
	if s.Null {
		return 0, false
	}
	switch s.Type.Storage() {
	case vector.StoreBool:
		if s.Bool {
			return 1, true
		}
		return 0, true
	case vector.StoreFloat32:
		return float64(s.F32), !math.IsNaN(float64(s.F32)) && !math.IsInf(float64(s.F32), 0)
	case vector.StoreFloat64:
		return s.F64, !math.IsNaN(s.F64) && !math.IsInf(s.F64, 0)
	case vector.StoreString:
		p := 0.0
		for i := range 6 {
			p *= 256
			if i < len(s.Str) {
				p += float64(s.Str[i])
			}
		}
		return p, s.Type.Kind != vector.Decimal
	}
	v, ok := s.Whole()
	p := v.Float64()
	if s.Type.Kind == vector.Decimal {
		p /= math.Pow10(s.Type.Scale)
	}
	return p, ok
}
