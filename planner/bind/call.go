package bind

import (
	"fmt"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/vector"
)

// call binds a scalar function. An aggregate that reaches it is not allowed in
// its clause.
func (t *typer) call(e *ast.Call) (expr.Expr, error) {
	if e.Over != nil || window.Only(e.Name) {
		return nil, t.misplaced(e)
	}
	if aggregate.Is(e.Name) && t.foreign(e) {
		return t.foreignAggregate(e)
	}
	if aggregate.Is(e.Name) {
		return nil, fmt.Errorf("parquet: the aggregate %s is not allowed in %s", strings.ToUpper(e.Name), t.clause)
	}
	if isGrouping(e) {
		return nil, fmt.Errorf("parquet: %s is not allowed in %s: it needs a GROUP BY around it", strings.ToUpper(e.Name), t.clause)
	}
	if len(e.Args) == 0 {
		if s, ok := t.b.constant(strings.ToUpper(e.Name)); ok {
			return expr.NewConst(s), nil
		}
	}
	if !function.Is(e.Name) { // an unknown function is reported before errors in its arguments
		return function.New(e.Name, nil)
	}
	if e.Star || e.Distinct || e.Filter != nil || e.OrderBy != nil || e.IgnoreNulls {
		return nil, fmt.Errorf("parquet: %s is not an aggregate: it takes no *, DISTINCT, FILTER or ORDER BY", strings.ToUpper(e.Name))
	}
	args, err := t.all(e.Args...)
	if err != nil {
		return nil, err
	}
	return function.New(e.Name, args)
}

// constant is the value of a function that is the same for a whole query.
func (b *binder) constant(name string) (vector.Scalar, bool) {
	now := b.env.Now.UTC()
	switch name {
	case "VERSION":
		return vector.StringScalar(b.env.Version), true
	case "DATABASE", "SCHEMA", "CURRENT_SCHEMA":
		return vector.StringScalar("main"), true
	case "CURRENT_DATABASE", "CURRENT_CATALOG":
		return vector.StringScalar("parquet"), true
	case "NOW", "CURRENT_TIMESTAMP", "UTC_TIMESTAMP", "GET_CURRENT_TIMESTAMP", "TRANSACTION_TIMESTAMP":
		return vector.Scalar{Type: vector.TimestampType(vector.Micros, true), I64: now.UnixMicro()}, true
	case "LOCALTIMESTAMP":
		return vector.Scalar{Type: vector.TimestampType(vector.Micros, false), I64: now.UnixMicro()}, true
	case "CURRENT_DATE", "CURDATE", "TODAY", "UTC_DATE":
		days := vector.DaysFromCivil(int64(now.Year()), int(now.Month()), now.Day())
		return vector.Scalar{Type: vector.Of(vector.Date), I64: days}, true
	case "CURRENT_TIME", "CURTIME", "LOCALTIME", "UTC_TIME", "GET_CURRENT_TIME":
		midnight := now.Truncate(24 * time.Hour)
		return vector.Scalar{Type: vector.TimeType(vector.Micros), I64: now.Sub(midnight).Microseconds()}, true
	}
	return vector.Scalar{}, false
}
