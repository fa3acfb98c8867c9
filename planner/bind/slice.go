package bind

import (
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/vector"
)

// slice binds x[from:to:step] as LIST_SLICE. An absent bound is the first or the last
// element, whichever the step meets first.
func (t *typer) slice(e *ast.Slice) (expr.Expr, error) {
	bounds := []ast.Expr{e.From, e.To}
	if e.Step != nil {
		bounds = append(bounds, e.Step)
	}
	x, err := t.bind(e.X)
	if err != nil {
		return nil, err
	}
	args := []expr.Expr{x}
	for i, b := range bounds {
		if b == nil {
			args = append(args, expr.NewConst(vector.IntScalar([]int64{math.MinInt64, math.MaxInt64}[i])))
			continue
		}
		n, err := t.bind(b)
		if err != nil {
			return nil, err
		}
		args = append(args, n)
	}
	return scalarCall("list_slice", args)
}
