package aggregate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// Partial is an aggregate in two steps: Calls over the rows of smaller groups, then the
// call that Whole makes over the columns of their results. It has the same result for the
// groups that these are parts of, and the same errors.
type Partial struct {
	Calls []*Call
	Whole func(results []expr.Expr) *Call
}

// Partial is false where the aggregate has no such form.
func (a *Call) Partial() (Partial, bool) {
	switch {
	case a.distinct || a.collected || len(a.order) > 0 || len(a.params) > 0:
	case a.part == countPart:
		return Partial{[]*Call{a}, a.wholeCount}, true
	case a.sums() && sumsFit(a.args[0].Type()):
		return Partial{[]*Call{a.partialSum(), a.partialCount()}, a.wholeSum}, true
	case a.function.Combines && a.function.DistinctIgnored && len(a.args) == 1 && !a.typ.IsNested() && a.typ.Equal(a.args[0].Type()):
		return Partial{[]*Call{a}, func(results []expr.Expr) *Call { return a.over(results) }}, true
	}
	return Partial{}, false
}

// OverDistinct is a call with DISTINCT as one without it, over a column that has each value
// once in each group; false where the order of values may show in the result.
func (a *Call) OverDistinct(values expr.Expr) (*Call, bool) {
	if a.filter != nil {
		return nil, false
	}
	c, ok := a.OfDifferent()
	if !ok {
		return nil, false
	}
	c.args = []expr.Expr{values}
	return c, true
}

// OfDifferent is a call with DISTINCT as one without it, where each group has each value once; false where the
// order of values may show in the result.
func (a *Call) OfDifferent() (*Call, bool) {
	if !a.distinct || len(a.args) != 1 || len(a.order) > 0 || a.part != countPart && !(a.sums() && isExact(a.args[0].Type())) {
		return nil, false
	}
	c := *a
	c.text, c.distinct = a.written(), false
	return &c, true
}

// over is the call over other arguments.
func (a *Call) over(args []expr.Expr) *Call {
	c := *a
	c.text, c.args, c.filter = a.written(), args, nil
	return &c
}

// isExact reports whether SUM adds exactly.
func isExact(t vector.Type) bool {
	return t.IsInteger() || t.Kind == vector.Decimal && t.Precision <= 38
}

// sumsFit reports whether sums of any number of rows have at most 38 digits.
func sumsFit(t vector.Type) bool {
	const rows = 10 // digits of the number of rows of a group
	return t.IsInteger() || t.Kind == vector.Decimal && t.Precision <= 38-rows
}

// partialSum is the sum with all its digits, of what the state adds.
func (a *Call) partialSum() *Call {
	c := a.partOf("SUM", sumPart, vector.DecimalType(38, a.args[0].Type().Scale))
	c.state = func() State { return newExactSum(c) }
	return c
}

// partialCount is the number of values that partialSum adds.
func (a *Call) partialCount() *Call {
	c := a.partOf("COUNT", countPart, vector.Of(vector.BigInt))
	c.state = func() State { return &countState{} }
	return c
}

// partOf is the call of another function over the same values.
func (a *Call) partOf(name string, part part, t vector.Type) *Call {
	c := *a
	c.name, c.function, c.part, c.linear, c.text, c.typ = name, functions[name], part, nil, "", t
	return &c
}

func (a *Call) wholeSum(results []expr.Expr) *Call {
	c := a.over(results)
	c.state = func() State { return &sumOfSums{wideSumState: wideSumState{agg: c}} }
	return c
}

func (a *Call) wholeCount(results []expr.Expr) *Call {
	c := a.over(results)
	c.state = func() State { return &sumOfCounts{} }
	return c
}

// sumOfSums adds sums, DECIMAL(38), and the numbers of their values, BIGINT.
type sumOfSums struct {
	wideSumState
	counts picker
}

func (s *sumOfSums) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	sums := s.pick.pick(groups, args[0], b)
	for i := range sums.n {
		v := sums.from.I128[sums.place(i)]
		s.acc[sums.group(i)].Add(v.Lo, uint64(v.Hi), v.Hi>>63)
	}
	counts := s.counts.pick(groups, args[1], b)
	for i := range counts.n {
		s.acc[counts.group(i)].N += counts.from.I64[counts.place(i)]
	}
	return nil
}

func (s *sumOfSums) Merge(from State, which, to []uint32) error {
	return s.wideSumState.Merge(&from.(*sumOfSums).wideSumState, which, to)
}

// sumOfCounts adds numbers of rows, BIGINT.
type sumOfCounts struct{ countState }

func (s *sumOfCounts) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	for i := range p.n {
		s.counts[p.group(i)] += p.from.I64[p.place(i)]
	}
	return nil
}

func (s *sumOfCounts) Merge(from State, which, to []uint32) error {
	return s.countState.Merge(&from.(*sumOfCounts).countState, which, to)
}
