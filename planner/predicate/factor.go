package predicate

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// movable reports whether a condition may be evaluated earlier than written, or twice.
func movable(e expr.Expr) bool { return !expr.CanFail(e) && !expr.IsVolatile(e) }

// Factored is the conjuncts with what all operands of an OR have in common taken out
// of it: (x AND a) OR (x AND b) becomes x and (a OR b). What may fail stays inside, for
// the conditions before it may keep the error away.
func Factored(conjuncts []expr.Expr) ([]expr.Expr, error) {
	var out []expr.Expr
	for i, c := range conjuncts {
		list, err := factored(c)
		if err != nil {
			return nil, err
		}
		if list != nil && out == nil {
			out = slices.Clone(conjuncts[:i])
		}
		switch {
		case list != nil:
			out = append(out, list...)
		case out != nil:
			out = append(out, c)
		}
	}
	if out == nil {
		return conjuncts, nil
	}
	return out, nil
}

// factored is nil if there is nothing to take out. x IS NOT DISTINCT FROM a constant becomes x = it,
// which is TRUE of the same rows, and by which they are found in statistics.
func factored(c expr.Expr) ([]expr.Expr, error) {
	if d, ok := c.(*expr.DistinctFrom); ok && d.Not {
		if r, ok := d.R.(*expr.Const); !ok || r.Value.Null {
			return nil, nil
		}
		equal, err := expr.NewCompare(expr.OpEq, d.L, d.R)
		return []expr.Expr{equal}, err
	}
	or, ok := c.(*expr.Logic)
	if !ok || !or.Or {
		return nil, nil
	}
	branches := make([][]expr.Expr, 0, len(or.Args))
	for _, a := range or.Args {
		if b := expr.Conjuncts(a); !never(b) {
			branches = append(branches, b)
		}
	}
	if len(branches) == 0 {
		return []expr.Expr{expr.NewConst(vector.BoolScalar(false))}, nil
	}
	var shared []expr.Expr
	for _, x := range branches[0] {
		everywhere := movable(x) && !Has(shared, x)
		for _, b := range branches[1:] {
			everywhere = everywhere && Has(b, x)
		}
		if everywhere {
			shared = append(shared, x)
		}
	}
	if shared == nil && len(branches) == len(or.Args) {
		return nil, nil
	}
	rest := make([]expr.Expr, len(branches))
	for i, b := range branches {
		b = slices.DeleteFunc(slices.Clone(b), func(x expr.Expr) bool { return Has(shared, x) })
		var err error
		if rest[i], err = expr.NewAnd(b...); err != nil {
			return nil, err
		}
	}
	left, err := expr.NewOr(rest...)
	if err != nil {
		return nil, err
	}
	if k, ok := expr.Literal(left); ok && k.Bool {
		return shared, nil
	}
	return append(shared, expr.Conjuncts(left)...), nil
}

// never reports whether conjuncts are never all TRUE, and none may fail.
func never(conjuncts []expr.Expr) bool {
	null := false
	for _, c := range conjuncts {
		k, ok := c.(*expr.Const)
		null = null || ok && (k.Value.Null || !k.Value.Bool)
		if expr.CanFail(c) {
			return false
		}
	}
	return null
}

// Has reports whether a list has the same computation as e.
func Has(list []expr.Expr, e expr.Expr) bool {
	return slices.ContainsFunc(list, func(x expr.Expr) bool { return expr.Equal(x, e) })
}
