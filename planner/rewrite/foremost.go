package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/planner/estimate"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// manyAlike is how many rows of the right side have equal keys at least where one of them stands for all.
const manyAlike = 2

// Foremost groups the right side of a semi or anti join of equalities and an inequality by the keys, where that
// leaves fewer rows: whether a row has a match is decided by the greatest value, or by the least.
//
//	l SEMI JOIN r ON l.k = r.k AND l.x < r.y
//	l SEMI JOIN (SELECT k, MAX(y) AS y FROM r GROUP BY k) r ON l.k = r.k AND l.x < r.y
func Foremost(q logical.Query) (logical.Node, error) {
	est := estimatedAtNeed(q)
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		j, ok := n.(*logical.Join)
		if !ok || j.Kind != logical.SemiJoin && j.Kind != logical.AntiJoin || j.Test != nil || j.BuildsLeft() || len(j.On) < 2 {
			return n, nil
		}
		foremost, err := foremostOf(q, est, j)
		if foremost == nil || err != nil {
			return n, err
		}
		return foremost, nil
	})
}

// foremostOf is the join over the groups; nil where there are other conditions, or where groups are no fewer.
func foremostOf(q logical.Query, est func() *estimate.Estimator, j *logical.Join) (*logical.Join, error) {
	left, right := logical.Made(j.L), logical.Made(j.R)
	groups := &logical.Aggregate{In: j.R}
	out := *j
	out.R, out.On = groups, nil
	var bound *expr.Compare
	for _, e := range j.On {
		if expr.IsVolatile(e) {
			return nil, nil
		}
		if l, r, ok := estimate.Equality(e, left, right); ok && !r.Type().IsNested() {
			c := *e.(*expr.Compare)
			c.L, c.R = l, keyOf(q, groups, r).Ref()
			out.On = append(out.On, &c)
			continue
		}
		c, ok := e.(*expr.Compare)
		if !ok || bound != nil {
			return nil, nil
		}
		bound = &expr.Compare{}
		if *bound = *c; logical.Reads(c.L, right) {
			bound.L, bound.R, bound.Op = c.R, c.L, c.Op.Flip()
		}
	}
	if bound == nil || len(out.On) == 0 || !logical.Reads(bound.L, left) || !logical.Reads(bound.R, right) ||
		bound.R.Type().IsNested() || expr.CanFail(bound.R) { // it is computed of rows that have no partner, too
		return nil, nil
	}
	name := "MAX"
	switch bound.Op {
	case expr.OpLt, expr.OpLe:
	case expr.OpGt, expr.OpGe:
		name = "MIN"
	default:
		return nil, nil
	}
	if !est().Known(groups) || est().Of(groups).Count*manyAlike > est().Of(j.R).Count {
		return nil, nil
	}
	call, err := aggregate.New(name, []expr.Expr{bound.R}, false, nil)
	if err != nil {
		return nil, err
	}
	if !call.Type().Equal(bound.R.Type()) || bound.R.Type().Kind == vector.Variant {
		return nil, nil
	}
	foremost := logical.NewAggregation(q.IDs, call)
	groups.Aggs = append(groups.Aggs, foremost)
	bound.R = foremost.Column.Ref()
	out.On = append(out.On, bound)
	return &out, nil
}
