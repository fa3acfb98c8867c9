package bind

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"

	"github.com/parquetsql/parquetsql/vector"
)

// Comparisons of rows (a, b) value by value, with the three-valued logic of the
// SQL standard: (1, NULL) = (1, 2) is NULL, (1, NULL) = (2, 2) is FALSE.

// rowwiseOf is the n values of a row that a subquery returns: its columns, or the fields of the
// STRUCT that is its only one, as in (1, 2) IN (SELECT (a, b) FROM t).
func rowwiseOf(columns []expr.Expr, n int) ([]expr.Expr, error) {
	if len(columns) == n {
		return columns, nil
	}
	if len(columns) != 1 || columns[0].Type().Kind != vector.Struct || len(columns[0].Type().Fields) != n {
		return nil, fmt.Errorf("a subquery returns %d columns where %d must be", len(columns), n)
	}
	out := make([]expr.Expr, n)
	for i := range out {
		var err error
		if out[i], err = function.New("STRUCT_EXTRACT_AT", []expr.Expr{columns[0], expr.NewConst(vector.IntScalar(int64(i + 1)))}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// compareRows compares two rows of as many values; the first values that differ decide
// which one is less.
func compareRows(op expr.Op, l, r []expr.Expr) (expr.Expr, error) {
	last := len(l) - 1
	if last == 0 {
		keys, err := comparedBy(l[0], r[0])
		if err != nil {
			return nil, err
		}
		return expr.NewCompare(op, keys[0], keys[1])
	}
	if op == expr.OpEq || op == expr.OpNe {
		same := make([]expr.Expr, len(l))
		for i := range l {
			var err error
			if same[i], err = equal(l[i], r[i]); err != nil {
				return nil, err
			}
		}
		all, err := expr.NewAnd(same...)
		if err != nil || op == expr.OpEq {
			return all, err
		}
		return expr.NewNot(all)
	}
	strict := expr.OpLt
	if op == expr.OpGt || op == expr.OpGe {
		strict = expr.OpGt
	}
	out, err := expr.NewCompare(op, l[last], r[last])
	for i := last - 1; i >= 0 && err == nil; i-- {
		out, err = decides(strict, l[i], r[i], out)
	}
	return out, err
}

// equal is l = r for values of longer rows. As in DuckDB, which compares structs, a text beside
// another value is compared with the text of that value, where x = 1 casts the text to a number.
// A literal beside a date, a time or a UUID is one.
func equal(l, r expr.Expr) (expr.Expr, error) {
	var err error
	switch {
	case comparesAsText(l, r):
		r, err = expr.NewCast(r, vector.Of(vector.Varchar), false)
	case comparesAsText(r, l):
		l, err = expr.NewCast(l, vector.Of(vector.Varchar), false)
	}
	if err != nil {
		return nil, err
	}
	return expr.NewCompare(expr.OpEq, l, r)
}

// comparesAsText reports whether x is a text with whose text other is compared.
func comparesAsText(x, other expr.Expr) bool {
	if x.Type().Kind != vector.Varchar {
		return false
	}
	if other.Type().IsNumeric() {
		return true
	}
	if _, literal := expr.TextLiteral(x); literal {
		return false
	}
	switch other.Type().Shown().Kind {
	case vector.Boolean, vector.Date, vector.Timestamp, vector.TimestampTZ, vector.Time, vector.Interval:
		return true
	}
	return false
}

// decides is l op r, or else l = r and what the values after them say.
func decides(op expr.Op, l, r, rest expr.Expr) (expr.Expr, error) {
	differ, err := expr.NewCompare(op, l, r)
	if err != nil {
		return nil, err
	}
	same, err := expr.NewCompare(expr.OpEq, l, r)
	if err != nil {
		return nil, err
	}
	if rest, err = expr.NewAnd(same, rest); err != nil {
		return nil, err
	}
	return expr.NewOr(differ, rest)
}
