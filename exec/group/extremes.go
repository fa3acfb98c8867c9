package group

import (
	"sync"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// extremes tells those who read the rows of the least and greatest values so far, of all workers.
// Rows that hold nothing lesser or greater need not be read.
type extremes struct {
	tell func(values []vector.Scalar)

	mu   sync.Mutex
	best []vector.Scalar // by aggregate; nil before the first values
}

// extremesEvery is how many rows a worker adds before it looks at its values again: to make a
// condition of them, and to test row groups with it, is work.
const extremesEvery = 8 * vector.BatchSize

// NewExtremes is New of aggregates without keys that are all MIN or MAX. Now and then tell is called with
// the values so far, by aggregate, none of which is NULL. Its calls do not overlap.
func NewExtremes(env exec.Env, in []exec.Operator, aggs []*aggregate.Call, schema vector.Schema, tell func(values []vector.Scalar)) exec.Operator {
	a := newAggregation(env, in, nil, aggs, schema)
	a.extremes = &extremes{tell: tell}
	return a.operators()[0]
}

// tellExtremes tells of the values of the worker, after its first rows and then now and then.
func (w *groupWorker) tellExtremes() error {
	if w.rows < w.toTell {
		return nil
	}
	w.toTell = w.rows + extremesEvery
	values := make([]vector.Scalar, len(w.plan.out))
	var one vector.Vector
	for i, o := range w.plan.out {
		if err := o.agg.ResultOf(w.groups.states[o.state], 0, 1, &one); err != nil {
			return err
		}
		values[i] = one.Get(0)
	}
	return w.extremes.add(w.plan.out, values)
}

// add takes in the values of one worker.
func (e *extremes) add(aggs []outPlan, values []vector.Scalar) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	better := e.best == nil
	for i := range values {
		if values[i].Null {
			return nil // any row may have the first value
		}
		if e.best == nil {
			continue
		}
		replaces, err := comesBefore(aggs[i].agg.Name(), values[i], e.best[i])
		if err != nil {
			return err
		}
		if !replaces {
			values[i] = e.best[i]
		}
		better = better || replaces
	}
	if better {
		e.best = values
		e.tell(values)
	}
	return nil
}
