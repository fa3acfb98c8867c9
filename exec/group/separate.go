package group

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// Where the input is sorted by the key, roughly, a row's group is near those of the rows
// before it, however many groups there are: the worker's own table costs no cache misses
// and may grow. Workers read different stretches of such an input and have few groups in common,
// where stretches meet. In the end those are merged, and all others are results already.

// mostCommon is how few of the groups have to be in several tables: one in mostCommon. Each
// of them ends a piece of the result.
const mostCommon = 256

// pieces are finished groups of a table: those with ids from from[i] to below to[i].
type pieces struct {
	groups   *groups
	from, to []int
}

// common is groups of one table that are in another one, too.
type common struct{ own, other []uint32 }

// keeps reports whether the worker keeps its table, whatever its size. The states must be those
// that stay as they are where others take groups of theirs.
func (w *groupWorker) keeps() bool {
	t, ok := w.groups.table.(interface{ Clustered() bool })
	w.kept = ok && t.Clustered() && !slices.ContainsFunc(w.groups.states, func(s aggregate.State) bool {
		_, ok := s.(aggregate.Reusable)
		return !ok
	})
	return w.kept
}

// findPieces makes pieces of the workers' tables if few groups are in several of them.
func (a *aggregation) findPieces(ctx context.Context) error {
	total := 0
	for _, w := range a.workers {
		if w.groups == nil {
			return nil
		}
		total += w.groups.len()
	}
	if !slices.ContainsFunc(a.workers, func(w *groupWorker) bool { return w.kept }) {
		return nil
	}
	shared := make([][]common, len(a.workers))
	var found atomic.Int64
	err := parallel.Each(ctx, len(a.workers), func(ctx context.Context, i int) (err error) {
		shared[i], err = a.findCommon(ctx, i, func(n int) bool { return found.Add(int64(n)) <= int64(total/mostCommon) })
		return err
	})
	if err != nil || found.Load() > int64(total/mostCommon) {
		return err
	}
	for i := len(a.workers) - 1; i >= 0; i-- { // what others are merged into comes later
		if err := a.separate(a.workers[i].groups, shared[i]); err != nil {
			return err
		}
	}
	// From here on only the memory in use is reserved, no longer twice as much.
	a.streaming = true
	for _, w := range a.workers {
		a.budget.Release(w.groups.held)
	}
	return nil
}

// findCommon lists the groups of worker i that workers before it have, each once: by worker. It ends
// early if few says that they are too many.
func (a *aggregation) findCommon(ctx context.Context, i int, few func(n int) bool) ([]common, error) {
	own, list := a.workers[i].groups, make([]common, i)
	finders := make([]hashtable.Finder, i)
	for o := range finders {
		finders[o] = a.workers[o].groups.table.NewFinder()
	}
	keys := vector.Batch{Cols: make([]*vector.Vector, len(a.plan.keys))}
	for c := range keys.Cols {
		keys.Cols[c] = &vector.Vector{}
	}
	ids, others, known := make([]uint32, vector.BatchSize), make([]uint32, vector.BatchSize), make([]bool, vector.BatchSize)
	for from := 0; from < own.len() && i > 0; from += vector.BatchSize {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		keys.Len = min(vector.BatchSize, own.len()-from)
		ids = ids[:keys.Len]
		for k := range ids {
			ids[k] = uint32(from + k)
		}
		if err := own.table.Keys(ids, keys.Cols); err != nil {
			return nil, err
		}
		clear(known)
		n := 0
		for o, find := range finders {
			if err := find.Find(keys.Cols, &keys, others); err != nil {
				return nil, err
			}
			for k, id := range ids {
				if others[k] == hashtable.Missing || known[k] {
					continue
				}
				known[k] = true
				list[o].own, list[o].other = append(list[o].own, id), append(list[o].other, others[k])
				n++
			}
		}
		if !few(n) {
			return nil, nil
		}
	}
	return list, nil
}

// separate merges the groups that other tables have into those; the others are the pieces.
func (a *aggregation) separate(g *groups, shared []common) error {
	var gone []uint32
	for o, c := range shared {
		to := a.workers[o].groups
		for i, s := range to.states {
			if err := s.Merge(g.states[i], c.own, c.other); err != nil {
				return err
			}
		}
		gone = append(gone, c.own...)
	}
	slices.Sort(gone)
	left, from := pieces{groups: g}, 0
	for _, id := range append(gone, uint32(g.len())) {
		if from < int(id) {
			left.from, left.to = append(left.from, from), append(left.to, int(id))
		}
		from = int(id) + 1
	}
	a.separated = append(a.separated, left)
	return nil
}

// pieceList is a groupSource of the pieces of one table after the other. A table belongs to one
// stream: results of states are not for several at a time.
type pieceList struct {
	*aggregation
	current pieces
}

func (l *pieceList) close() { l.current = pieces{} }

func (l *pieceList) next(context.Context) (g *groups, from, n int, err error) {
	for len(l.current.from) == 0 {
		next := int(l.part.Add(1)) - 1
		if next >= len(l.separated) {
			return nil, 0, 0, nil
		}
		l.current = l.separated[next]
	}
	from = l.current.from[0]
	n = min(expr.BatchRows(l.budget, len(l.schema)), l.current.to[0]-from)
	if l.current.from[0] += n; l.current.from[0] == l.current.to[0] {
		l.current.from, l.current.to = l.current.from[1:], l.current.to[1:]
	}
	return l.current.groups, from, n, nil
}
