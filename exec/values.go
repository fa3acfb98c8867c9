package exec

import (
	"context"

	"github.com/parquetsql/parquetsql/vector"
)

type values struct {
	schema  vector.Schema
	batches []*vector.Batch
	out     vector.Batch
}

// NewValues is rows that are there already.
func NewValues(schema vector.Schema, batches []*vector.Batch) Operator {
	return &values{schema: schema, batches: batches}
}

// OneRow is one row without columns, which SELECT without FROM selects from.
func OneRow() Operator {
	return NewValues(nil, []*vector.Batch{{Len: 1}})
}

func (v *values) Schema() vector.Schema { return v.schema }

func (v *values) Close() error {
	v.batches = nil
	return nil
}

func (v *values) Next(ctx context.Context) (*vector.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(v.batches) == 0 {
		return nil, nil
	}
	v.out = *v.batches[0] // whose Sel the consumer may set
	v.batches = v.batches[1:]
	return &v.out, nil
}
