package bind

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Plans of ASOF joins. The operator has inner and left joins of conditions
// between the two sides; the others become these.

// newAsOf is an ASOF join with the kind, sides and conjuncts of j. moved has, by its identity
// in j.R, each column of the right side that the result has under another identity.
func newAsOf(ids *logical.IDs, j logical.Join) (n logical.Node, moved map[logical.ColumnID]logical.ColumnID, err error) {
	for _, c := range j.On {
		if k, ok := c.(*expr.Const); ok && (k.Value.Null || !k.Value.Bool) { // a side of the type NULL
			return &j, nil, nil
		}
	}
	switch j.Kind {
	case logical.InnerJoin, logical.LeftJoin:
		n, err = nearest(j)
	case logical.SemiJoin, logical.AntiJoin: // there is a nearest row where there is any
		if _, err = nearest(j); err == nil {
			n = &j
		}
	case logical.RightJoin, logical.FullJoin:
		return keepRight(ids, j)
	default:
		err = errs.Unsupported("ASOF %s", j.Kind)
	}
	return n, nil, err
}

// nearest is an inner or left join. Conditions on one side alone come before the search.
func nearest(j logical.Join) (logical.Node, error) {
	var both, left, right []expr.Expr
	of := logical.Made(j.R)
	for _, c := range j.On {
		read := logical.ReadBy(c)
		switch {
		case logical.Reads(c, of):
			right = append(right, c)
		case !read.Empty() && read.Intersect(of).Empty():
			left = append(left, c)
		default:
			both = append(both, c)
		}
	}
	if len(left) > 0 && j.Kind != logical.LeftJoin {
		j.L = &logical.Filter{In: j.L, Conjuncts: left}
	}
	if len(right) > 0 {
		j.R = &logical.Filter{In: j.R, Conjuncts: right}
	}
	n := logical.NewAsOfJoin(j.Kind, j.L, j.R, both)
	if n == nil {
		return nil, fmt.Errorf("the ON of an ASOF JOIN is one of >=, >, <= and < between the two sides, AND equalities between them; " +
			"with further conditions, join LATERAL (SELECT … WHERE … ORDER BY … LIMIT 1)")
	}
	if len(left) == 0 || j.Kind != logical.LeftJoin {
		return n, nil
	}
	// A row that does not fulfil its conditions has no nearest one: NULL has none.
	cond, err := expr.NewAnd(left...)
	if err != nil {
		return nil, err
	}
	n.Left, err = expr.NewCase(nil, []expr.Expr{cond}, []expr.Expr{n.Left}, nil)
	return n, err
}

// keepRight is a right or full join: the nearest rows, of which only the number is kept,
// joined with all rows of the right side by their numbers.
func keepRight(ids *logical.IDs, j logical.Join) (logical.Node, map[logical.ColumnID]logical.ColumnID, error) {
	numbered, number, err := logical.NewNumbered(ids, j.R, nil, nil)
	if err != nil {
		return nil, nil, err
	}
	columns, id := numbered.Columns(), ids.NewCommon()
	below, all := logical.NewReuse(ids, id, "right", columns), logical.NewReuse(ids, id, "right", columns)
	read, moved := map[int]*expr.Column{}, map[logical.ColumnID]logical.ColumnID{}
	var near, whole logical.Column
	for i, c := range columns {
		read[int(c.ID)] = below.Output[i].Ref()
		if c.ID == number.ID {
			near, whole = below.Output[i], all.Output[i]
		} else {
			moved[c.ID] = all.Output[i].ID
		}
	}
	kind := logical.InnerJoin
	if j.Kind == logical.FullJoin {
		kind = logical.LeftJoin
	}
	first := logical.Join{Kind: kind, L: j.L, R: below}
	for _, c := range j.On {
		if !logical.Reads(c, logical.Made(j.R)) && !logical.ReadBy(c).Intersect(logical.Made(j.R)).Empty() {
			if c, err = renamed(c, read); err != nil {
				return nil, nil, err
			}
			first.On = append(first.On, c)
			continue
		}
		return nil, nil, errs.Unsupported("a condition on one side alone in the ON of an ASOF JOIN that keeps the right side")
	}
	l, err := nearest(first)
	if err != nil {
		return nil, nil, err
	}
	same, err := expr.NewCompare(expr.OpEq, near.Ref(), whole.Ref())
	if err != nil {
		return nil, nil, err
	}
	p := &logical.Project{In: &logical.Join{Kind: j.Kind, L: l, R: all, On: []expr.Expr{same}}}
	hidden := logical.Made(below)
	hidden.Add(whole.ID)
	for _, c := range p.In.Columns() {
		if !hidden.Has(c.ID) {
			p.Items = append(p.Items, logical.HandOn(c))
		}
	}
	return &logical.With{ID: id, Name: "right", Def: numbered, Body: p}, moved, nil
}

// renamed is an expression over other columns in place of those of a map.
func renamed(e expr.Expr, by map[int]*expr.Column) (expr.Expr, error) {
	return expr.Transform(e, func(e expr.Expr) expr.Expr {
		if c, ok := e.(*expr.Column); ok && by[c.Index] != nil {
			return by[c.Index]
		}
		return e
	})
}
