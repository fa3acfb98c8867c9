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

// NewValues returns the given batches.
func NewValues(schema vector.Schema, batches []*vector.Batch) Operator {
	return &values{schema: schema, batches: batches}
}

// OneRow is one row without columns: the input of SELECT without FROM.
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
	v.out = *v.batches[0] // a copy, because the consumer may set Sel
	v.batches = v.batches[1:]
	return &v.out, nil
}
