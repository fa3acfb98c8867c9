package bind

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"

	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// node is the join with the subqueries of its ON. dependent says that the right side
// reads columns of the left one.
func (t *tableJoin) node(j logical.Join, dependent bool) (logical.Node, error) {
	switch {
	case t.join.Asof || t.join.Kind == ast.Positional:
		return t.ordered(j, dependent)
	case dependent && (j.Kind == logical.RightJoin || j.Kind == logical.FullJoin):
		return nil, fmt.Errorf("the right side of a %s cannot use columns of the left side", t.join.Kind)
	case !t.on.steps.Empty():
		return t.withSubqueries(j, dependent)
	}
	return joined(j, dependent), nil
}

// ordered is a join that depends on an order of the rows: ASOF or POSITIONAL.
func (t *tableJoin) ordered(j logical.Join, dependent bool) (logical.Node, error) {
	switch {
	case dependent:
		return nil, fmt.Errorf("the right side of a %s cannot use columns of the left side", t.join.Written())
	case t.join.Kind == ast.Positional:
		return &logical.PositionalJoin{L: j.L, R: j.R}, nil
	case t.join.Natural:
		return nil, errs.Unsupported("%s", t.join.Written())
	case !t.on.steps.Empty():
		return nil, errs.Unsupported("a subquery in the ON of an ASOF JOIN")
	}
	n, moved, err := newAsOf(t.b.ids, j)
	for c := range t.right.All() {
		if id, ok := moved[c.ID]; ok {
			c.ID = id
		}
	}
	return n, err
}

func joined(j logical.Join, dependent bool) logical.Node {
	if dependent {
		return &logical.Apply{Join: j}
	}
	return &j
}

// withSubqueries evaluates the conjuncts that have subqueries above an inner join.
// For the others it evaluates them above the side whose rows may be dropped, once for
// each row of the side whose rows are all kept.
func (t *tableJoin) withSubqueries(j logical.Join, dependent bool) (logical.Node, error) {
	var plain, with []expr.Expr
	for _, c := range j.On {
		if t.on.steps.Above(logical.ReadBy(c)) > 0 {
			with = append(with, c)
		} else {
			plain = append(plain, c)
		}
	}
	j.On = plain
	switch j.Kind {
	case logical.InnerJoin:
		return &logical.Filter{In: t.on.steps.Compute(joined(j, dependent)), Conjuncts: with}, nil
	case logical.FullJoin:
		return nil, errs.Unsupported("a subquery in the ON of a FULL JOIN")
	case logical.RightJoin:
		j.Kind, j.L, j.R = logical.LeftJoin, j.R, j.L
	}
	j.R = &logical.Filter{In: t.on.steps.Compute(j.R), Conjuncts: with}
	return &logical.Apply{Join: j}, nil
}
