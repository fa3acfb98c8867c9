package group

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

const (
	// mostNumbers is how many groups get numbers: their keys and states should be in the cache
	// of a processor, and do not spill.
	mostNumbers = 128 * vector.BatchSize
	// stateBytes is about what a state of one group takes, with room for further groups.
	stateBytes = 48
)

// numbers are the numbers of groups, which all workers share. When they are full, a group
// without a number will never have one. A group gets a number if there is memory for it in
// all workers, as each may come across it later.
type numbers struct {
	budget  *quota.Budget
	workers int64
	states  int64
	counts  int64        // bytes of a number in what is counted by number in the end
	share   atomic.Int64 // of a worker: what is reserved for its groups

	mu    sync.Mutex
	table hashtable.Table // nothing is inserted any more when full
	full  bool
	held  int64 // reserved of the budget
}

// newNumbers is for some workers and COUNT(DISTINCT x) of some x: each has a result, and each
// worker counts one at a time.
func newNumbers(plan *groupPlan, workers, distinct int) *numbers {
	return &numbers{
		budget: plan.env.Budget, workers: int64(workers), states: int64(len(plan.states)), counts: 8 * int64(workers+distinct),
		table: hashtable.New(plan.types[:len(plan.keys)], plan.seed, false),
	}
}

// of writes the numbers of keys, unless they are full.
func (n *numbers) of(keys []*vector.Vector, b *vector.Batch, into []uint32) (bool, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.full {
		return false, nil
	}
	if err := n.table.FindOrInsert(keys, b, into); err != nil {
		return false, err
	}
	n.full = n.table.Len() >= mostNumbers
	share := n.table.Bytes() + int64(n.table.Len())*n.states*stateBytes
	more := n.table.Bytes() + share*n.workers + int64(n.table.Len())*n.counts - n.held
	if more < quota.GroupChargeStep {
		return true, nil
	}
	switch err := n.budget.Reserve(more); {
	case err == nil:
		n.held += more
		n.share.Store(share)
	case errors.Is(err, errs.ErrMemoryLimit):
		n.full = true
	default:
		return false, err
	}
	return true, nil
}

func (n *numbers) release() {
	n.budget.Release(n.held)
	n.held = 0
}

// numberer finds the numbers of a worker's rows, without waiting for other workers but for
// keys that the worker has not seen before.
type numberer struct {
	*numbers
	own    hashtable.Table  // nil when the numbers are full
	shared []uint32         // by id of own
	find   hashtable.Finder // then
	size   int              // more than the greatest number so far

	ids  []uint32
	keys []*vector.Vector
}

func newNumberer(plan *groupPlan, n *numbers) *numberer {
	r := &numberer{numbers: n, own: hashtable.New(plan.types[:len(plan.keys)], plan.seed, false)}
	for range plan.keys {
		r.keys = append(r.keys, &vector.Vector{})
	}
	return r
}

// number writes the numbers of the selected rows of b, hashtable.Missing where there is none;
// all says that there are no such rows.
func (r *numberer) number(keys []*vector.Vector, b *vector.Batch, into []uint32) (all bool, err error) {
	if r.own != nil {
		if err := r.own.FindOrInsert(keys, b, into); err != nil {
			return false, err
		}
		if all, err = r.meet(); err != nil {
			return false, err
		}
		if all {
			for i, id := range into[:b.Rows()] {
				into[i] = r.shared[id]
			}
			return true, nil
		}
		r.stop()
	}
	if err := r.find.Find(keys, b, into); err != nil {
		return false, err
	}
	for _, n := range into[:b.Rows()] {
		if n == hashtable.Missing {
			return false, nil
		}
	}
	return true, nil
}

// stop ends the numbering: no more groups get numbers.
func (r *numberer) stop() {
	if r.own == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.full = true
	r.own, r.shared = nil, nil
	r.find, r.size = r.table.NewFinder(), r.table.Len()
}

// meet finds the numbers of the worker's new keys. It returns false if the numbers are full.
func (r *numberer) meet() (bool, error) {
	for from := len(r.shared); from < r.own.Len(); from = len(r.shared) {
		n := min(vector.BatchSize, r.own.Len()-from)
		r.ids = vector.Resize(r.ids, n)
		for i := range r.ids {
			r.ids[i] = uint32(from + i)
		}
		if err := r.own.Keys(r.ids, r.keys); err != nil {
			return false, err
		}
		if ok, err := r.of(r.keys, &vector.Batch{Len: n, Cols: r.keys}, r.ids); !ok || err != nil {
			return false, err
		}
		for _, number := range r.ids {
			r.shared = append(r.shared, number)
			r.size = max(r.size, int(number)+1)
		}
	}
	return true, nil
}

// bytes is what the worker holds besides the numbers.
func (r *numberer) bytes() int64 {
	n := int64(cap(r.shared)) * 4
	if r.own != nil {
		n += r.own.Bytes()
	}
	return n
}
