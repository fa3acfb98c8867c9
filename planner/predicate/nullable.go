package predicate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Required is the set of the columns that are never NULL.
func Required(columns logical.Columns) logical.Set {
	var s logical.Set
	for i := range columns {
		if !columns[i].Nullable {
			s.Add(columns[i].ID)
		}
	}
	return s
}

// Nullable reports whether an expression may be NULL if the required columns are
// not. In doubt it returns true: a function may be NULL for arguments that are not,
// unless it says otherwise.
func Nullable(e expr.Expr, required logical.Set) bool {
	switch e := e.(type) {
	case *expr.Column:
		return !required.Has(logical.ColumnID(e.Index))
	case *expr.Const:
		return e.Value.Null
	case *expr.IsNull, *expr.IsBool, *expr.DistinctFrom:
		return false
	case *expr.Coalesce:
		for _, a := range e.Args {
			if !Nullable(a, required) {
				return false
			}
		}
		return true
	case *expr.Compare, *expr.Logic, *expr.Not, *expr.Neg, *expr.In, *expr.Like, *expr.Render:
	case *expr.Case:
		return anyNullable(e.Thens, required) || Nullable(e.Else, required)
	case *expr.Cast:
		if e.Try {
			return true
		}
	case *expr.Call:
		if !e.Function.NotNull {
			return true
		}
	case *expr.Arith:
		if e.Op == expr.OpIntDiv || e.Op == expr.OpMod {
			return true // division by zero
		}
	default:
		return true
	}
	return anyNullable(e.Children(), required)
}

func anyNullable(list []expr.Expr, required logical.Set) bool {
	for _, e := range list {
		if e != nil && Nullable(e, required) {
			return true
		}
	}
	return false
}
