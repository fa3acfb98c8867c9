package bind

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
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
		known, err := constantRows(ids, columns, rows[i:n])
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

// constantRows is rows that are known.
func constantRows(ids *logical.IDs, columns logical.Columns, rows [][]expr.Expr) (logical.Node, error) {
	n := &logical.Values{}
	for _, c := range columns {
		c.ID = ids.New()
		n.Output = append(n.Output, c)
	}
	for len(rows) > 0 {
		part := rows[:min(len(rows), vector.BatchSize)]
		rows = rows[len(part):]
		batch := &vector.Batch{Len: len(part)}
		values := make([]vector.Scalar, len(part))
		for k := range n.Output {
			c := &n.Output[k]
			for i, row := range part {
				values[i] = row[k].(*expr.Const).Value
				c.Nullable = c.Nullable || values[i].Null
			}
			v := &vector.Vector{}
			if err := v.FromScalars(c.Type, values); err != nil {
				return nil, err
			}
			batch.Cols = append(batch.Cols, v)
		}
		n.Batches = append(n.Batches, batch)
	}
	return n, nil
}
