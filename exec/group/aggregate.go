// Package group groups rows by keys and aggregates each group: GROUP BY, DISTINCT and
// aggregates without keys.
package group

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/membudget"
	"github.com/parquetsql/parquetsql/vector"
)

// aggregation groups in two phases. In the first each worker finds or inserts the
// groups of its own input and updates their states. A worker with more groups than
// its cache holds moves them to partitions, divided by the hash of their keys, which
// all workers share (parts.go). In the second phase the groups that workers still
// have of their own are merged: by one worker if they are few, otherwise into the
// partitions, by all workers in parallel (merge.go).
//
// When the memory limit is reached, the workers write further rows to disk, by
// partition. The second phase then finishes one partition at a time: it adds the
// partition's rows, returns its groups and frees their memory. What does not fit then
// is divided again (spill.go).
type aggregation struct {
	in     []exec.Operator
	plan   groupPlan
	always *vector.Batch // keys of groups that there are even if no row is in them; or nil
	fine   *fineGroups   // of grouping sets; or nil
	schema vector.Schema
	budget *membudget.Budget
	file   *spill.File

	workers   []*groupWorker
	share     func()       // makes shared, once
	shared    []sharedPart // by partition; nil until a worker has too many groups
	frozen    atomic.Bool  // the memory limit was reached: further rows go to disk
	streaming bool         // in the second phase, with rows on disk

	ran    bool
	err    error
	source groupSource // of the result
	out    vector.Batch
	ids    []uint32
}

// New groups the rows of all inputs by keys and aggregates each group. schema
// describes the keys followed by the aggregates. Without keys the result is one
// row, even if there are no input rows. Without aggs it is SELECT DISTINCT. When
// the budget of env is used up, rows are spilled to disk.
func New(env exec.Env, in []exec.Operator, keys []expr.Expr, aggs []*aggregate.Call, schema vector.Schema) exec.Operator {
	if len(keys) == 0 && slices.ContainsFunc(aggs, countsDistinct) {
		return newDistinctCounts(env, in, aggs, schema)
	}
	return newAggregation(env, in, keys, aggs, schema)
}

func newAggregation(env exec.Env, in []exec.Operator, keys []expr.Expr, aggs []*aggregate.Call, schema vector.Schema) *aggregation {
	return &aggregation{in: in, plan: newPlan(env, keys, aggs), schema: schema, budget: env.Budget, file: spill.New(env.TempDir, env.Encrypt, env.Budget)}
}

func (a *aggregation) Schema() vector.Schema { return a.schema }

func (a *aggregation) Close() error {
	a.ran = true
	if a.source != nil {
		a.source.close()
		a.source = nil
	}
	for _, w := range a.workers {
		if w == nil {
			continue
		}
		if w.groups != nil {
			a.release(w.groups)
		}
		if w.parts != nil {
			w.parts.wait.Close()
		}
	}
	for p := range a.shared {
		if g := a.shared[p].groups; g != nil {
			a.release(g)
		}
	}
	a.workers, a.shared = nil, nil
	return errors.Join(a.file.Close(), exec.CloseAll(a.in))
}

func (a *aggregation) Next(ctx context.Context) (*vector.Batch, error) {
	if !a.ran {
		a.err = a.run(ctx)
	}
	if a.err != nil || a.source == nil {
		return nil, a.err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	g, from, n, err := a.source.next(ctx)
	if err != nil || n == 0 {
		a.err = err
		return nil, err
	}
	if a.err = a.emit(g, from, n); a.err != nil {
		return nil, a.err
	}
	return &a.out, nil
}

// emit makes the output batch of n groups, from the group with the id from on.
func (a *aggregation) emit(g *groups, from, n int) error {
	keys := len(a.plan.keys)
	for len(a.out.Cols) < keys+len(a.plan.out) {
		a.out.Cols = append(a.out.Cols, &vector.Vector{})
	}
	a.out.Len, a.out.Sel = n, nil
	if g.table != nil {
		a.ids = vector.Resize(a.ids, n)
		for i := range a.ids {
			a.ids[i] = uint32(from + i)
		}
		if err := g.table.Keys(a.ids, a.out.Cols[:keys]); err != nil {
			return err
		}
	}
	for i, o := range a.plan.out {
		if err := o.agg.ResultOf(g.states[o.state], from, n, a.out.Cols[keys+i]); err != nil {
			return err
		}
	}
	return nil
}

// groupSource returns finished groups: n groups of g, from the id from on. n 0 is the
// end.
type groupSource interface {
	next(ctx context.Context) (g *groups, from, n int, err error)
	close()
}

// groupList is a groupSource of finished groups.
type groupList struct {
	parts []*groups
	at    int
}

func (l *groupList) close() { l.parts = nil }

func (l *groupList) next(context.Context) (g *groups, from, n int, err error) {
	for len(l.parts) > 0 && l.at >= l.parts[0].len() {
		l.parts[0] = nil
		l.parts, l.at = l.parts[1:], 0
	}
	if len(l.parts) == 0 {
		return nil, 0, 0, nil
	}
	g, from = l.parts[0], l.at
	n = min(vector.BatchSize, g.len()-from)
	l.at += n
	return g, from, n, nil
}
