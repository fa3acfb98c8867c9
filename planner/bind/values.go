package bind

import (
	"fmt"
	"strconv"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
)

// values binds VALUES (…), (…). Its columns are named col0, col1 and so on, to PostgreSQL column1,
// column2.
func (b *binder) values(v *ast.Values, outer *typer) (logical.Node, error) {
	width := len(v.Rows[0])
	rows := make([][]expr.Expr, len(v.Rows))
	inputs := make([]logical.Node, len(v.Rows))
	for i, row := range v.Rows {
		if len(row) != width {
			return nil, errs.At(row[0].Start(), row[len(row)-1].Stop(), fmt.Errorf("VALUES: row 1 has %s, row %d has %d", errs.Count(width, "value"), i+1, len(row)))
		}
		t := typer{b: b, scope: &scope.Scope{}, clause: "VALUES", outer: outer, steps: newLayers()}
		var err error
		if rows[i], err = t.all(row...); err != nil {
			return nil, err
		}
		inputs[i] = t.steps.Compute(&logical.OneRow{}) // with the subqueries of the row
	}
	columns := make(logical.Columns, width)
	column := make([]expr.Expr, len(rows))
	for k := range columns {
		for i := range rows {
			column[i] = rows[i][k]
		}
		cast, ty, err := expr.CommonExprs(column)
		if err != nil {
			return nil, errs.Reword(err, func(err error) error { return fmt.Errorf("VALUES: column %d: %w", k+1, err) })
		}
		columns[k] = logical.Column{Name: "col" + strconv.Itoa(k), Type: ty}
		if b.env.PostgreSQL {
			columns[k].Name = "column" + strconv.Itoa(k+1)
		}
		for i := range rows {
			rows[i][k] = cast[i]
		}
	}
	return setRows(b.ids, columns, rows, inputs)
}
