package group

import (
	"context"

	"github.com/parquetsql/parquetsql/exec/hashtable"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/vector"
)

// spilledGroups is a groupSource that finishes one partition after the other: it
// adds the rows on disk of all workers, returns the result, and frees the memory.
type spilledGroups struct {
	*aggregation
	merge   *grouper
	part    int // the next one
	current groupList
	held    *groups // of partition part-1
	rows    groupRows
}

func (s *spilledGroups) close() {
	s.drop()
	s.part = hashtable.Partitions
}

// drop frees the current partition's groups.
func (s *spilledGroups) drop() {
	if s.held != nil {
		s.release(s.held)
		s.held, s.current.parts, s.shared[s.part-1].groups = nil, nil, nil
	}
}

func (s *spilledGroups) next(ctx context.Context) (g *groups, from, n int, err error) {
	for {
		if g, from, n, err = s.current.next(ctx); n > 0 || err != nil {
			return g, from, n, err
		}
		s.drop()
		if s.part == hashtable.Partitions {
			return nil, 0, 0, nil
		}
		p := s.part
		s.part++
		s.held = s.shared[p].groups
		s.current = groupList{parts: []*groups{s.held}}
		for _, w := range s.workers {
			if w.parts == nil {
				continue
			}
			if err := s.takeIn(ctx, s.held, w.parts.wait, p); err != nil {
				return nil, 0, 0, err
			}
		}
	}
}

// takeIn adds a worker's rows of partition p to g.
func (s *spilledGroups) takeIn(ctx context.Context, g *groups, wait *spill.Partitions, p int) error {
	err := wait.Read(ctx, p, func(b *vector.Batch) error {
		s.rows.set(&s.plan, b)
		if err := s.merge.add(g, &s.rows); err != nil {
			return err
		}
		return s.charge(g)
	})
	wait.Drop(p)
	return err
}
