package bind

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// nullable reports whether an expression over some columns may be NULL. It errs on
// the side of yes: functions may be NULL for arguments that are not.
func nullable(e expr.Expr, in logical.Columns) bool {
	switch e := e.(type) {
	case *expr.Column:
		c, ok := in.Find(logical.ColumnID(e.Index))
		return !ok || c.Nullable
	case *expr.Const:
		return e.Value.Null
	case *expr.IsNull, *expr.IsBool, *expr.DistinctFrom:
		return false
	case *expr.Coalesce:
		for _, a := range e.Args {
			if !nullable(a, in) {
				return false
			}
		}
		return true
	case *expr.Compare, *expr.Logic, *expr.Not, *expr.Neg, *expr.In, *expr.Like, *expr.Render:
	case *expr.Case:
		return anyNullable(e.Thens, in) || nullable(e.Else, in)
	case *expr.Cast:
		if e.Try {
			return true
		}
	case *expr.Arith:
		if e.Op == expr.OpIntDiv || e.Op == expr.OpMod {
			return true // by zero
		}
	default:
		return true
	}
	return anyNullable(e.Children(), in)
}

func anyNullable(list []expr.Expr, in logical.Columns) bool {
	for _, e := range list {
		if e != nil && nullable(e, in) {
			return true
		}
	}
	return false
}
