package bind

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// setRows is a node of rows: runs of constants as they are, the others computed over
// their inputs.
func setRows(ids *logical.IDs, columns logical.Columns, rows [][]expr.Expr, inputs []logical.Node) (logical.Node, error) {
	var parts []logical.Node
	for i := 0; i < len(rows); {
		n := i
		for n < len(rows) && constants(rows[n]) {
			n++
		}
		if n == i {
			parts = append(parts, computedRows(ids, inputs[i], columns, rows[i]))
			i++
			continue
		}
		known, err := logical.NewValues(ids, columns, rows[i:n])
		if err != nil {
			return nil, err
		}
		parts, i = append(parts, known), n
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return logical.NewUnion(ids, parts...), nil
}

func constants(row []expr.Expr) bool {
	for _, x := range row {
		if _, ok := x.(*expr.Const); !ok {
			return false
		}
	}
	return true
}
