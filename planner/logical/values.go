package logical

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// NewValues is rows of constants, which have the types of the columns. The columns get identities of their own.
func NewValues(ids *IDs, columns Columns, rows [][]expr.Expr) (*Values, error) {
	n := &Values{}
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
