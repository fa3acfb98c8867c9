package bind

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// mostFields is how many fields a STRUCT has at most whose fields divide rows.
const mostFields = 8

// dividePartition divides rows by the values of which nested keys are made: the order of partitions does not matter,
// and columns are compared faster than what an expr.Ordered makes of each row.
func dividePartition(n *logical.Window) error {
	var keys []expr.Expr
	for _, e := range n.Partition {
		o, ok := e.(*expr.Ordered)
		if !ok || expr.IsVolatile(e) {
			keys = append(keys, e)
			continue
		}
		var err error
		if keys, err = appendParts(keys, o.X); err != nil {
			return err
		}
	}
	n.Partition = keys
	return nil
}

// appendParts appends keys that are equal where values of x are.
func appendParts(keys []expr.Expr, x expr.Expr) ([]expr.Expr, error) {
	var err error
	if parts := expr.MadeOf(x); parts != nil {
		for _, part := range parts {
			if keys, err = appendParts(keys, part); err != nil {
				return nil, err
			}
		}
		return keys, nil
	}
	c, ok := x.(*expr.Column)
	if !ok || !plainFields(c.T) {
		return append(keys, expr.OrderKey(x)), nil
	}
	keys = append(keys, expr.NewIsNull(x, false))
	for i := range c.T.Fields {
		field, err := function.New("STRUCT_EXTRACT_AT", []expr.Expr{x, expr.NewConst(vector.IntScalar(int64(i + 1)))})
		if err != nil {
			return nil, err
		}
		keys = append(keys, expr.OrderKey(field))
	}
	return keys, nil
}

// plainFields reports whether the type is a STRUCT of few fields that are not nested.
func plainFields(t vector.Type) bool {
	if t.Kind != vector.Struct || len(t.Fields) == 0 || len(t.Fields) > mostFields {
		return false
	}
	for _, f := range t.Fields {
		if f.Type.IsNested() {
			return false
		}
	}
	return true
}
