package group

import (
	"context"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// Answers returns one value per aggregate over the rows that it can answer for
// without reading them: 0 or NULL if there are none. all says that it answers for
// all rows.
type Answers func(ctx context.Context) (values []vector.Scalar, all bool, err error)

// answeredAggregate combines answers from metadata with the aggregates over the other rows.
type answeredAggregate struct {
	answers Answers
	rest    exec.Operator
	aggs    []*aggregate.Call
	schema  vector.Schema
	done    bool
}

// NewAnswered produces one row of COUNT, MIN and MAX aggregates, whose
// columns schema describes. answers is called once; unless it answers for all rows, rest,
// which produces one row of the same aggregates over the other rows, is read
// after it.
func NewAnswered(answers Answers, rest exec.Operator, aggs []*aggregate.Call, schema vector.Schema) exec.Operator {
	return &answeredAggregate{answers: answers, rest: rest, aggs: aggs, schema: schema}
}

// Schema implements exec.Operator.
func (k *answeredAggregate) Schema() vector.Schema { return k.schema }

// Close implements exec.Operator.
func (k *answeredAggregate) Close() error {
	k.done = true
	return k.rest.Close()
}

// Next implements exec.Operator.
func (k *answeredAggregate) Next(ctx context.Context) (*vector.Batch, error) {
	if k.done {
		return nil, nil
	}
	k.done = true
	values, all, err := k.answers(ctx)
	if err == nil && !all {
		err = k.add(ctx, values)
	}
	if err != nil {
		return nil, err
	}
	out := &vector.Batch{Len: 1}
	for i, v := range values {
		v.Type = k.schema[i].Type
		out.Cols = append(out.Cols, vector.NewConstant(v, 1))
	}
	return out, nil
}

// add combines the values with those of the other rows.
func (k *answeredAggregate) add(ctx context.Context, values []vector.Scalar) error {
	b, err := k.rest.Next(ctx)
	if err != nil || b == nil || b.Rows() == 0 {
		return err
	}
	row := b.Row(0)
	for i := range values {
		if values[i], err = combine(k.aggs[i].Name(), values[i], b.Cols[i].Get(row)); err != nil {
			return err
		}
	}
	return nil
}

// combine is COUNT, MIN or MAX of two sets of rows, given that of each.
func combine(name string, a, b vector.Scalar) (vector.Scalar, error) {
	switch {
	case name == "COUNT":
		a.I64 += b.I64
		return a, nil
	case a.Null:
		return b, nil
	case b.Null:
		return a, nil
	}
	if better, err := comesBefore(name, b, a); better || err != nil {
		return b, err
	}
	return a, nil
}

// comesBefore reports whether MIN is b rather than a, or MAX, by the name.
func comesBefore(name string, b, a vector.Scalar) (bool, error) {
	op := expr.OpLt
	if name == "MAX" {
		op = expr.OpGt
	}
	e, err := expr.NewCompare(op, expr.NewConst(b), expr.NewConst(a))
	if err != nil {
		return false, err
	}
	c, ok := e.(*expr.Const)
	return ok && c.Value.Bool, nil
}
