// Package group groups rows by keys and aggregates each group: GROUP BY, DISTINCT and
// aggregates without keys.
//
// COUNT(DISTINCT x) is computed in four ways. Each is there because the one below it is slower by
// a factor, or fails, where it is used:
//
//	distinctCounts (distinct.go)   no keys: SELECT DISTINCT x in parallel, which spills; the
//	                               result is its number of rows
//	distinctGroups                 up to about 100,000 groups (distinct_groups.go): the same with the
//	                               number of the group beside x. Keys are often texts, and a
//	                               group may have most of the rows, which a set in a group's
//	                               state neither spills nor divides among workers
//	two aggregations               more groups: planner/rewrite groups by the keys and x and then
//	                               by the keys. It does so only where the other aggregates
//	                               can be computed in parts
//	a set in the state             the rest: other aggregates of DISTINCT values, several x beside
//	                               aggregates without parts, and windows (expr/aggregate)
package group

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// aggregation groups in two phases. In the first each worker finds or inserts the
// groups of its own input and updates their states. A worker with more groups than
// its cache holds gives them to partitions, divided by the hash of their keys, which
// all workers share, and its further rows wait, divided in the same way (parts.go). In
// the second phase the groups that workers still have of their own are merged by one
// worker if they are few and nothing is in partitions. Otherwise each stream of the
// result takes one partition after the other, adds the rows and groups that wait for it
// and returns its groups (build.go), so that one table at a time is in a core's cache.
// Where the input is sorted by the key the workers' tables are parts of the result as they
// are (separate.go).
//
// When the memory limit is reached, the workers write further rows to disk, by
// partition. What of a partition does not fit then is divided again.
type aggregation struct {
	in       []exec.Operator
	plan     groupPlan
	always   *vector.Batch // keys of groups that there are even if no row is in them; or nil
	finest   *finestGroups // of grouping sets; or nil
	extremes *extremes     // or nil
	schema   vector.Schema
	budget   *quota.Budget
	file     *spill.File

	workers   []*groupWorker
	shared    []sharedPart // by partition
	divided   atomic.Bool  // some groups or rows are in partitions
	frozen    atomic.Bool  // the memory limit was reached: further rows go to disk
	streaming bool         // in the second phase: only what is in use is reserved

	whole     *groups      // the result if it is in one place
	separated []pieces     // the result if it is in the workers' tables; otherwise it is in partitions
	part      atomic.Int32 // the next partition, or table of separated, that no stream has taken

	mu    sync.Mutex // of what follows
	ran   bool
	err   error
	alone bool // one stream alone returns the result, and has taken it
	open  int  // streams that are not closed
}

// New groups the rows of all inputs by keys and aggregates each group. schema
// describes the keys followed by the aggregates. Without keys the result is one
// row, even if there are no input rows. Without aggs it is SELECT DISTINCT. When
// the budget of env is used up, rows are spilled to disk. The groups come in as many
// streams as there are inputs, or in one if there are no keys; the first call of Next of
// any stream reads all inputs. Of texts, other than those of dictionaries, it keeps copies
// alone.
func New(env exec.Env, in []exec.Operator, keys []expr.Expr, aggs []*aggregate.Call, schema vector.Schema) []exec.Operator {
	if len(keys) == 0 && slices.ContainsFunc(aggs, (*aggregate.Call).CountsDistinct) {
		return []exec.Operator{newDistinctCounts(env, in, aggs, schema)}
	}
	if len(keys) > 0 && aggregate.GroupsByNumber(keys, aggs) {
		return []exec.Operator{newDistinctGroups(env, in, keys, aggs, schema)}
	}
	return newAggregation(env, in, keys, aggs, schema).operators()
}

func newAggregation(env exec.Env, in []exec.Operator, keys []expr.Expr, aggs []*aggregate.Call, schema vector.Schema) *aggregation {
	return &aggregation{in: in, plan: newPlan(env, keys, aggs), schema: schema, budget: env.Budget, file: spill.New(env.TempDir, env.Encrypt, env.Budget)}
}

// streams are n streams that return the groups together.
func (a *aggregation) streams(n int) []*stream {
	a.open = n
	list := make([]*stream, n)
	for i := range list {
		list[i] = &stream{aggregation: a, number: i}
	}
	return list
}

// operators are the streams of an aggregation that reads its inputs itself.
func (a *aggregation) operators() []exec.Operator {
	n := len(a.in)
	if len(a.plan.keys) == 0 {
		n = 1
	}
	list := make([]exec.Operator, n)
	for i, s := range a.streams(n) {
		list[i] = s
	}
	return list
}

// start runs the first phase if no stream has done so.
func (a *aggregation) start(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.ran {
		// Parallel makes an error of a panic, for all streams.
		a.err = parallel.Each(ctx, 1, func(ctx context.Context, _ int) error { return a.run(ctx) })
	}
	return a.err
}

// takeAlone reports whether a stream returns the result that one stream alone returns.
func (a *aggregation) takeAlone() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	taken := a.alone
	a.alone = true
	return !taken
}

// end closes the inputs with the last stream.
func (a *aggregation) end() error {
	a.mu.Lock()
	a.open--
	last := a.open == 0
	a.mu.Unlock()
	if !last {
		return nil
	}
	return errors.Join(a.free(), exec.CloseAll(a.in))
}

// free gives up all groups and rows.
func (a *aggregation) free() error {
	for _, w := range a.workers {
		if w == nil {
			continue
		}
		if w.groups != nil {
			a.release(w.groups)
		}
		for _, g := range w.aside {
			a.release(g)
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
	a.workers, a.shared, a.whole, a.separated = nil, nil, nil, nil
	return a.file.Close()
}
