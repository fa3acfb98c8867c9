package predicate

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Moved is what conditions that hold say of the columns of target: of a = b and b > 5,
// that a > 5. classes has the equalities. Conditions that may fail or are volatile say
// nothing, and neither do those that known already has.
func Moved(conditions []expr.Expr, classes *Classes, target logical.Set, known []expr.Expr) ([]expr.Expr, error) {
	equal := NewClasses()
	for _, c := range known {
		if a, b, ok := EqualColumns(c); ok {
			equal.Add(a, b)
		}
	}
	var out []expr.Expr
	for _, c := range conditions {
		if _, isNull := c.(*expr.IsNull); isNull || !movable(c) {
			continue
		}
		by, ok := counterparts(c, classes, target)
		if !ok {
			continue
		}
		moved, err := Replaced(c, by)
		if err != nil {
			return nil, err
		}
		if _, constant := moved.(*expr.Const); constant || Has(known, moved) || Has(out, moved) || sameSides(moved) {
			continue
		}
		if a, b, ok := EqualColumns(moved); ok && !equal.Add(a, b) {
			continue
		}
		out = append(out, moved)
	}
	return out, nil
}

// sameSides reports whether a comparison is one of a column with itself.
func sameSides(e expr.Expr) bool {
	c, ok := e.(*expr.Compare)
	return ok && expr.Equal(c.L, c.R)
}

// counterparts is, for each column of a condition that target does not have, an equal
// column that it has.
func counterparts(c expr.Expr, classes *Classes, target logical.Set) (map[logical.ColumnID]expr.Expr, bool) {
	by := map[logical.ColumnID]expr.Expr{}
	ok := true
	expr.Walk(c, func(x expr.Expr) bool {
		col, is := x.(*expr.Column)
		if !is || !ok {
			return ok
		}
		id := logical.ColumnID(col.Index)
		if _, known := by[id]; known || target.Has(id) {
			return true
		}
		i := slices.IndexFunc(classes.Of(id), func(o *expr.Column) bool {
			return target.Has(logical.ColumnID(o.Index)) && substitutable(c, col, o)
		})
		if ok = i >= 0; ok {
			by[id] = classes.Of(id)[i]
		}
		return ok
	})
	return by, ok && len(by) > 0
}

// substitutable reports whether a condition has the same value with one of two equal
// columns in place of the other. 0.0 and -0.0 are equal and not the same, and neither
// are two integers of different types; comparisons do not see that.
func substitutable(c expr.Expr, a, b *expr.Column) bool {
	same := a.T.Equal(b.T)
	switch a.T.Kind {
	case vector.BSON, vector.Variant, vector.Geometry, vector.Geography, vector.Interval:
		return false
	case vector.Half, vector.Float, vector.Double:
		return same && comparesWithConstants(c)
	}
	return same || comparesWithConstants(c)
}

// comparesWithConstants reports whether a condition only compares columns with
// constants or with each other.
func comparesWithConstants(c expr.Expr) bool {
	ok := true
	expr.Walk(c, func(x expr.Expr) bool {
		switch x.(type) {
		case *expr.Compare, *expr.In, *expr.Logic, *expr.Column, *expr.Const:
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// Part is what a disjunction says of the columns of target alone: of (a = 1 AND b = 2)
// OR (a = 3 AND c), that a = 1 OR a = 3. It is nil if that is nothing, or the whole
// condition.
func Part(c expr.Expr, target logical.Set) (expr.Expr, error) {
	or, ok := c.(*expr.Logic)
	if !ok || !or.Or || target.Contains(logical.ReadBy(c)) {
		return nil, nil
	}
	operands := make([]expr.Expr, len(or.Args))
	for i, a := range or.Args {
		var own []expr.Expr
		for _, x := range expr.Conjuncts(a) {
			if read := logical.ReadBy(x); movable(x) && !read.Empty() && target.Contains(read) {
				own = append(own, x)
			} else if part, err := Part(x, target); err != nil {
				return nil, err
			} else if part != nil {
				own = append(own, part)
			}
		}
		if own == nil {
			return nil, nil
		}
		var err error
		if operands[i], err = expr.NewAnd(own...); err != nil {
			return nil, err
		}
	}
	return expr.NewOr(operands...)
}
