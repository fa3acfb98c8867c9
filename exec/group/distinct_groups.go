package group

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/vector"
)

// distinctGroups is aggregates by keys, some of them COUNT(DISTINCT x). The first groups
// get numbers, and each x has an aggregation of its own, SELECT DISTINCT number, x, which
// several workers share and which can spill: its rows are divided by both, so that groups may
// be of any size, and have no keys, which are often texts. The states of the other aggregates
// are by number, each worker's own. Where there are too many groups, the rows of those
// without a number go to an aggregation of all aggregates, whose groups spill as wholes.
type distinctGroups struct {
	distinctCounts
	plan    groupPlan // the keys and the other aggregates
	numbers *numbers
	workers []*numberedWorker
	rest    *stream       // of groups without a number
	always  *vector.Batch // keys of groups that there are even if no row is in them; or nil

	states []aggregate.State // of all workers
	counts [][]int64         // by values: by number
	at     int               // the next group of the result
	ran    bool
	failed error
	out    vector.Batch
	ids    []uint32
}

func newDistinctGroups(env exec.Env, in []exec.Operator, keys []expr.Expr, aggs []*aggregate.Call, schema vector.Schema) *distinctGroups {
	d := &distinctGroups{distinctCounts: distinctCounts{in: in, schema: schema}}
	number := expr.NewColumn(len(in[0].Schema()), "number", vector.Of(vector.BigInt))
	others := d.divide(env, aggs, number)
	d.plan = newPlan(env, keys, others)
	d.numbers = newNumbers(&d.plan, len(in), len(d.values))
	d.rest = newAggregation(env, nil, keys, aggs, schema).streams(1)[0]
	return d
}

// Close implements exec.Operator.
func (d *distinctGroups) Close() error {
	if !d.done {
		for _, w := range d.workers {
			d.numbers.budget.Release(w.groups.held)
		}
		d.numbers.release()
		d.workers, d.states = nil, nil
	}
	return errors.Join(d.rest.Close(), d.distinctCounts.Close())
}

// Next implements exec.Operator.
func (d *distinctGroups) Next(ctx context.Context) (*vector.Batch, error) {
	if d.done || d.failed != nil {
		return nil, d.failed
	}
	if !d.ran {
		d.ran = true
		if d.failed = d.readAll(ctx); d.failed != nil {
			return nil, d.failed
		}
	}
	if n := min(vector.BatchSize, d.numbers.table.Len()-d.at); n > 0 {
		d.failed = d.emit(n)
		d.at += n
		return &d.out, d.failed
	}
	return d.rest.Next(ctx)
}

// readAll adds all rows, then merges what the workers have.
func (d *distinctGroups) readAll(ctx context.Context) error {
	if err := d.addAlways(); err != nil {
		return err
	}
	for i := range d.in {
		d.workers = append(d.workers, d.newWorker(i))
	}
	all := append(d.all(), d.rest.aggregation)
	for _, a := range all {
		a.begin(len(d.in))
	}
	err := parallel.Each(ctx, len(d.in), func(ctx context.Context, i int) error {
		for {
			b, err := d.in[i].Next(ctx)
			switch {
			case err != nil:
				return err
			case b == nil:
				return d.workers[i].end()
			}
			if err := d.workers[i].push(b); err != nil {
				return err
			}
		}
	})
	for _, a := range all {
		if err == nil {
			err = a.finish(ctx)
		}
	}
	if err != nil {
		return err
	}
	if err := d.merge(); err != nil {
		return err
	}
	for _, v := range d.values {
		counts, err := v.countBy(ctx, d.numbers.table.Len())
		if err != nil {
			return err
		}
		d.counts = append(d.counts, counts)
	}
	return nil
}

// merge adds up the states of all workers.
func (d *distinctGroups) merge() error {
	groups := make([]uint32, d.numbers.table.Len())
	for i := range groups {
		groups[i] = uint32(i)
	}
	d.states = d.workers[0].groups.states
	for i, w := range d.workers {
		for k, s := range w.groups.states {
			s.Resize(len(groups))
			if i == 0 {
				continue
			}
			if err := d.states[k].Merge(s, groups, groups); err != nil {
				return err
			}
		}
	}
	return nil
}

// emit makes the output batch of the next n groups.
func (d *distinctGroups) emit(n int) error {
	for len(d.out.Cols) < len(d.schema) {
		d.out.Cols = append(d.out.Cols, &vector.Vector{})
	}
	d.out.Len, d.out.Sel = n, nil
	d.ids = vector.Resize(d.ids, n)
	for i := range d.ids {
		d.ids[i] = uint32(d.at + i)
	}
	keys := len(d.plan.keys)
	if err := d.numbers.table.Keys(d.ids, d.out.Cols[:keys]); err != nil {
		return err
	}
	for i, o := range d.plan.out {
		if err := o.agg.ResultOf(d.states[o.state], d.at, n, d.out.Cols[keys+d.places[i]]); err != nil {
			return err
		}
	}
	for i, v := range d.values {
		for _, c := range v.columns {
			out := d.out.Cols[keys+c]
			out.Reset(vector.Of(vector.BigInt), n)
			copy(out.I64, d.counts[i][d.at:d.at+n])
		}
	}
	return nil
}

// countBy is how many of the values are not NULL, by the number of their group.
func (v *distinctValues) countBy(ctx context.Context, numbers int) ([]int64, error) {
	counts := make([][]int64, len(v.rows))
	err := parallel.Each(ctx, len(v.rows), func(ctx context.Context, i int) error {
		counts[i] = make([]int64, numbers)
		for {
			b, err := v.rows[i].Next(ctx)
			if b == nil || err != nil {
				return err
			}
			of, values := b.Cols[0], b.Cols[1]
			for k := range b.Rows() {
				if row := b.Row(k); v.divided || !values.IsNull(row) {
					counts[i][of.I64[row]]++
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for _, c := range counts[1:] {
		for number, n := range c {
			counts[0][number] += n
		}
	}
	return counts[0], exec.CloseAll(v.operators())
}
