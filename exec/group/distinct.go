package group

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/vector"
)

// distinctCounts is aggregates without keys, some of them COUNT(DISTINCT x): each x
// has an aggregation of its own, SELECT DISTINCT x, which several workers share and which
// can spill, and the result is its number of rows that are not NULL. The other aggregates
// have one aggregation together. Every batch goes to all of them.
type distinctCounts struct {
	in     []exec.Operator
	schema vector.Schema
	values []distinctValues
	byArg  expr.Index // of values
	others *stream    // nil if there are none
	places []int      // by aggregate of others: the column of the result
	done   bool
}

// distinctValues is the values of one argument and the columns that want their number.
type distinctValues struct {
	of      expr.Expr
	divided bool // the rows have what the values are made of, which are never NULL
	rows    []*stream
	columns []int
}

func newDistinctCounts(env exec.Env, in []exec.Operator, aggs []*aggregate.Call, schema vector.Schema) exec.Operator {
	d := &distinctCounts{in: in, schema: schema}
	if others := d.divide(env, aggs); len(others) > 0 {
		d.others = newAggregation(env, nil, nil, others, nil).streams(1)[0]
	}
	return d
}

// divide finds the values to count, in the groups of some keys, and the other aggregates.
func (d *distinctCounts) divide(env exec.Env, aggs []*aggregate.Call, keys ...expr.Expr) (others []*aggregate.Call) {
	for i, a := range aggs {
		if !a.CountsDistinct() {
			others, d.places = append(others, a), append(d.places, i)
			continue
		}
		v := d.valuesOf(env, keys, a.Args()[0])
		v.columns = append(v.columns, i)
	}
	return others
}

// valuesOf finds or adds the values of x in the groups of some keys.
func (d *distinctCounts) valuesOf(env exec.Env, keys []expr.Expr, x expr.Expr) *distinctValues {
	i, added := d.byArg.Place(x, len(d.values), func(i int) bool { return expr.Equal(d.values[i].of, x) })
	if added {
		parts := expr.MadeOf(x)
		divided := parts != nil
		if !divided {
			parts = []expr.Expr{x}
		}
		rows := newAggregation(env, nil, slices.Concat(keys, parts), nil, nil).streams(len(d.in))
		d.values = append(d.values, distinctValues{of: x, divided: divided, rows: rows})
	}
	return &d.values[i]
}

// all is every aggregation.
func (d *distinctCounts) all() []*aggregation {
	var list []*aggregation
	if d.others != nil {
		list = append(list, d.others.aggregation)
	}
	for _, v := range d.values {
		list = append(list, v.rows[0].aggregation)
	}
	return list
}

// Schema implements exec.Operator.
func (d *distinctCounts) Schema() vector.Schema { return d.schema }

// Close implements exec.Operator.
func (d *distinctCounts) Close() error {
	d.done = true
	var streams []exec.Operator
	if d.others != nil {
		streams = append(streams, d.others)
	}
	for _, v := range d.values {
		streams = append(streams, v.operators()...)
	}
	return errors.Join(exec.CloseAll(streams), exec.CloseAll(d.in))
}

// Next implements exec.Operator.
func (d *distinctCounts) Next(ctx context.Context) (*vector.Batch, error) {
	if d.done {
		return nil, nil
	}
	d.done = true
	if err := d.read(ctx); err != nil {
		return nil, err
	}
	out := &vector.Batch{Len: 1, Cols: make([]*vector.Vector, len(d.schema))}
	if d.others != nil {
		b, err := d.others.Next(ctx)
		if err != nil {
			return nil, err
		}
		for i, c := range d.places {
			out.Cols[c] = b.Cols[i]
		}
	}
	for _, v := range d.values {
		n, err := v.count(ctx)
		if err != nil {
			return nil, err
		}
		for _, c := range v.columns {
			out.Cols[c] = vector.NewConstant(vector.IntScalar(n), 1)
		}
	}
	return out, nil
}

// read adds all rows to all aggregations.
func (d *distinctCounts) read(ctx context.Context) error {
	all := d.all()
	for _, a := range all {
		a.begin(len(d.in))
	}
	err := parallel.Each(ctx, len(d.in), func(ctx context.Context, i int) error {
		for {
			b, err := d.in[i].Next(ctx)
			if err != nil {
				return err
			}
			for _, a := range all {
				if b != nil {
					err = a.workers[i].push(b)
				} else {
					err = a.workers[i].end()
				}
				if err != nil {
					return err
				}
			}
			if b == nil {
				return nil
			}
		}
	})
	for _, a := range all {
		if err == nil {
			err = a.finish(ctx)
		}
	}
	return err
}

func (v *distinctValues) operators() []exec.Operator {
	list := make([]exec.Operator, len(v.rows))
	for i, s := range v.rows {
		list[i] = s
	}
	return list
}

// count is how many of the values are not NULL. It frees their memory, for those that
// are counted next.
func (v *distinctValues) count(ctx context.Context) (int64, error) {
	var n atomic.Int64
	err := parallel.Each(ctx, len(v.rows), func(ctx context.Context, i int) error {
		for {
			b, err := v.rows[i].Next(ctx)
			if b == nil || err != nil {
				return err
			}
			values := 0
			for i := range b.Rows() {
				if v.divided || !b.Cols[0].IsNull(b.Row(i)) {
					values++
				}
			}
			n.Add(int64(values))
		}
	})
	if err != nil {
		return 0, err
	}
	return n.Load(), exec.CloseAll(v.operators())
}
