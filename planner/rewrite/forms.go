package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// sameIfEqual reports whether values of a type that GROUP BY puts together are the same,
// so that functions of them are. Zeros of floats have a sign, and intervals, maps and
// Variants are equal in several forms.
func sameIfEqual(t vector.Type) bool {
	switch t.Kind {
	case vector.Boolean, vector.Date, vector.Time, vector.Timestamp, vector.TimestampTZ, vector.Varchar, vector.Enum, vector.JSON, vector.UUID, vector.Blob:
		return true
	case vector.Decimal:
		return t.Precision <= 38
	case vector.List, vector.Struct:
		return !slices.ContainsFunc(t.Fields, func(f vector.Field) bool { return !sameIfEqual(f.Type) })
	}
	return t.IsInteger()
}

// sameInGroups reports whether a condition is the same for all values of its columns that
// GROUP BY puts together: of the interval of 30 days and that of a month, which are one
// group, a condition on the days must not drop one before they are grouped.
func sameInGroups(c expr.Expr) bool {
	same, compares := true, true
	expr.Walk(c, func(x expr.Expr) bool {
		switch x := x.(type) {
		case *expr.Column:
			same = same && sameIfEqual(x.T)
		case *expr.Cast:
			compares = compares && x.X.Type().IsNumeric() && x.Type().IsNumeric()
		case *expr.Const, *expr.Compare, *expr.DistinctFrom, *expr.In, *expr.Logic, *expr.Not, *expr.IsNull, *expr.IsBool:
		default:
			compares = false
		}
		return same || compares
	})
	return same || compares
}

// ofGroups takes down only what is the same for all rows of a group or partition.
func ofGroups(to below) below {
	return func(c expr.Expr) (expr.Expr, error) {
		if !sameInGroups(c) {
			return nil, nil
		}
		return to(c)
	}
}
