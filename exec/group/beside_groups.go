package group

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// gather brings the groups of all workers together and makes their results.
func (s *beside) gather(ctx context.Context) error {
	total := 0
	for _, k := range s.workers {
		total += k.groups.len()
	}
	if len(s.workers) > 1 && total > mergeAlone {
		return s.gatherParts(ctx)
	}
	first := s.workers[0]
	for _, k := range s.workers[1:] {
		if err := first.add.merge(first.groups, k.groups, k.groups.all()); err != nil {
			return err
		}
		k.to = append([]uint32(nil), first.add.to[:k.groups.len()]...)
	}
	var err error
	s.results, err = s.resultsOf(first.groups)
	return err
}

// gatherParts is gather for many groups: they are divided by the hash of their keys.
func (s *beside) gatherParts(ctx context.Context) error {
	lists := make([][][]uint32, len(s.workers))
	err := parallel.Each(ctx, len(s.workers), func(_ context.Context, i int) error {
		k := s.workers[i]
		lists[i], k.to = k.groups.partition(s.plan.coarse()), make([]uint32, k.groups.len())
		return nil
	})
	if err != nil {
		return err
	}
	var next atomic.Int64
	results, sizes, giving := make([][]*vector.Vector, hashtable.Partitions), make([]int, hashtable.Partitions), make([]sync.Mutex, len(s.workers))
	err = parallel.Each(ctx, len(s.workers), func(ctx context.Context, _ int) (err error) {
		add := s.plan.newGrouper()
		for p := int(next.Add(1)) - 1; p < len(results); p = int(next.Add(1)) - 1 {
			if err := ctx.Err(); err != nil {
				return err
			}
			all := s.plan.newPart(false)
			for i, k := range s.workers {
				list := lists[i][p]
				giving[i].Lock()
				err := add.merge(all, k.groups, list)
				giving[i].Unlock()
				if err != nil {
					return err
				}
				for at, id := range list {
					k.to[id] = add.to[at]
				}
			}
			sizes[p] = all.len()
			if results[p], err = s.resultsOf(all); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.join(lists, results, sizes)
}

// join puts the results of all partitions behind each other, and numbers the groups so.
func (s *beside) join(lists [][][]uint32, results [][]*vector.Vector, sizes []int) error {
	for i, o := range s.plan.out {
		all := &vector.Vector{}
		all.Reset(o.agg.Type(), 0)
		for p := range results {
			if err := all.Append(results[p][i], nil); err != nil {
				return err
			}
			results[p][i] = nil
		}
		s.results = append(s.results, all)
	}
	first := uint32(0)
	for p, n := range sizes {
		for i, k := range s.workers {
			for _, id := range lists[i][p] {
				k.to[id] += first
			}
		}
		first += uint32(n)
	}
	return nil
}

// resultsOf makes the results of groups, by aggregate.
func (s *beside) resultsOf(g *groups) ([]*vector.Vector, error) {
	out := make([]*vector.Vector, len(s.plan.out))
	bytes := int64(0)
	for i, o := range s.plan.out {
		out[i] = &vector.Vector{}
		if err := o.agg.ResultOf(g.states[o.state], 0, g.len(), out[i]); err != nil {
			return nil, err
		}
		bytes += out[i].Bytes()
	}
	if err := s.budget.Reserve(bytes); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.held += bytes
	s.mu.Unlock()
	return out, nil
}
