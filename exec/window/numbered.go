package window

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/vector"
)

// numbered is a Window whose calls are all ROW_NUMBER of all rows as they come: it keeps none of them.
type numbered struct {
	in     exec.Operator // all rows
	inputs []exec.Operator
	schema vector.Schema
	n      int64
	number vector.Vector
	out    vector.Batch
}

// numbersAll reports whether a Window only numbers the rows.
func numbersAll(w Window) bool {
	for _, c := range w.Calls {
		if c.Kind() != window.RowNumber || c.Ordered() {
			return false
		}
	}
	return len(w.Partition) == 0 && len(w.OrderBy) == 0
}

func newNumbered(env exec.Env, in []exec.Operator, schema vector.Schema) exec.Operator {
	return &numbered{in: env.Gather(in), inputs: in, schema: schema}
}

// Schema implements exec.Operator.
func (o *numbered) Schema() vector.Schema { return o.schema }

// Close implements exec.Operator.
func (o *numbered) Close() error { return errors.Join(o.in.Close(), exec.CloseAll(o.inputs)) }

// Next implements exec.Operator.
func (o *numbered) Next(ctx context.Context) (*vector.Batch, error) {
	b, err := o.in.Next(ctx)
	if b == nil || err != nil {
		return nil, err
	}
	o.number.Reset(vector.Of(vector.BigInt), b.Len)
	clear(o.number.I64) // of rows that are not selected
	for i := range b.Rows() {
		o.n++
		o.number.I64[b.Row(i)] = o.n
	}
	o.out.Len, o.out.Sel, o.out.Cols = b.Len, b.Sel, append(o.out.Cols[:0], b.Cols...)
	for len(o.out.Cols) < len(o.schema) {
		o.out.Cols = append(o.out.Cols, &o.number)
	}
	return &o.out, nil
}
