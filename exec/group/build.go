package group

import (
	"context"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// partGroups is a groupSource that finishes one partition after the other: it adds the
// rows and groups of all workers that wait for it, returns the result, and frees the
// memory.
//
// When the memory limit is reached within a partition, its groups take in only rows of
// their own. The other rows are divided into smaller partitions, which are finished
// next. Each partition has one group at least, so this ends.
type partGroups struct {
	*aggregation
	number  int // of the stream
	merge   *grouper
	rest    []rest
	current groupList
	held    *groups // the groups of current
	again   *groups // empty groups of an earlier partition, or nil: their memory is used again
	owned   bool    // held was made for this stream, and may become again
	spare   int64   // reserved besides those, for the growth of groups that take in no others
	excess  int64   // bytes of the groups that could not be reserved
	cursor  spill.Cursor
	rows    groupRows
	ids     []uint32
	own     []int32 // rows of the groups
	others  []int32
}

// rest is the rows of a partition that its groups did not take in.
type rest struct {
	rows *spill.Partitions
	part int // the next one
}

func newPartGroups(a *aggregation, number int) *partGroups {
	return &partGroups{aggregation: a, number: number, merge: a.plan.newGrouper()}
}

func (s *partGroups) close() {
	s.drop()
	s.again, s.cursor = nil, spill.Cursor{}
	for _, r := range s.rest {
		r.rows.Close()
	}
	s.rest = nil
}

// drop frees the current groups.
func (s *partGroups) drop() {
	if s.held != nil {
		s.release(s.held)
		if s.owned && s.held.reset() {
			s.again = s.held
		}
		s.budget.Release(s.spare)
		s.held, s.current.groups, s.spare, s.excess = nil, nil, 0, 0
	}
}

func (s *partGroups) next(ctx context.Context) (g *groups, from, n int, err error) {
	for {
		if g, from, n, err = s.current.next(ctx); n > 0 || err != nil {
			return g, from, n, err
		}
		s.drop()
		if more, err := s.finish(ctx); err != nil || !more {
			return nil, 0, 0, err
		}
	}
}

// finish makes current the groups of the next partition. It returns false at the end.
func (s *partGroups) finish(ctx context.Context) (bool, error) {
	if n := len(s.rest); n > 0 {
		r := &s.rest[n-1]
		if r.part == hashtable.Partitions {
			r.rows.Close()
			s.rest = s.rest[:n-1]
			return true, nil
		}
		r.part++
		s.begin(s.plan.newPart(false), false)
		return true, s.takeIn(ctx, []*spill.Partitions{r.rows}, r.part-1)
	}
	p := int(s.part.Add(1)) - 1
	if p >= hashtable.Partitions {
		return false, nil
	}
	if s.plan.coarse() && p != hashtable.Coarse(p) {
		return true, nil
	}
	g := s.shared[p].groups
	s.shared[p].groups = nil
	owned := false
	if g == nil {
		// Rows on disk bring strings of their own, and memory is short.
		owned = !s.frozen.Load()
		if g, s.again = s.again, nil; g == nil {
			g = s.plan.newPart(owned)
		}
	}
	s.begin(g, owned)
	for i := range s.workers {
		w := s.workers[(i+s.number)%len(s.workers)] // seldom the one that another stream has locked
		if err := w.give(p, s.merge, g); err != nil {
			return false, err
		}
	}
	var waiting []*spill.Partitions
	for _, w := range s.workers {
		if w.parts != nil {
			waiting = append(waiting, w.parts.wait)
		}
	}
	return true, s.takeIn(ctx, waiting, p)
}

func (s *partGroups) begin(g *groups, owned bool) {
	s.held, s.owned = g, owned
	s.current = *s.list(g)
}

// takeIn adds the rows of partition p of all lists to the current groups.
func (s *partGroups) takeIn(ctx context.Context, lists []*spill.Partitions, p int) error {
	var find hashtable.Finder
	var over *spill.Partitions // nil until the memory limit is reached
	for _, list := range lists {
		s.cursor.Move(list, p)
		err := s.cursor.Each(ctx, s.inSteps(func(b *vector.Batch) error {
			if over != nil {
				return s.takeOwn(b, find, over)
			}
			s.rows.set(&s.plan, b)
			if err := s.merge.add(s.held, &s.rows); err != nil {
				return err
			}
			if !s.grow() {
				find = s.held.table.NewFinder()
				// The rows go to disk: the memory is for the groups.
				over = list.Below(quota.New(1), s.file)
				s.rest = append(s.rest, rest{rows: over})
			}
			return nil
		}))
		if err != nil {
			return err
		}
		list.Drop(p)
	}
	return nil
}

// ownStep is how much the groups that take in only rows of their own may grow without being
// charged, in one of some streams. It is more than quota.GroupChargeStep: such growth is an error where it
// does not fit.
func ownStep(streams int) int64 { return 32 * quota.GroupChargeStep / int64(max(1, streams/4)) }

// stepRows is how many rows are added, where memory is short, before it is charged.
const stepRows = vector.BatchSize/16 + 1

// inSteps makes f get few rows at a time where memory is short.
func (s *partGroups) inSteps(f func(b *vector.Batch) error) func(b *vector.Batch) error {
	if !s.frozen.Load() {
		return f
	}
	return func(b *vector.Batch) error {
		if b.Len == 1 { // perhaps a long row, and the groups keep a copy
			for _, c := range b.Cols {
				s.budget.Coming(c.TextBytes(0))
			}
		}
		step := vector.Batch{Cols: make([]*vector.Vector, len(b.Cols))}
		for c := range step.Cols {
			step.Cols[c] = &vector.Vector{}
		}
		for from := 0; from < b.Len; from += stepRows {
			step.Len, step.Sel = min(stepRows, b.Len-from), nil
			for c, v := range b.Cols {
				step.Cols[c].Slice(v, from, step.Len)
			}
			if err := f(&step); err != nil {
				return err
			}
		}
		exec.ForgetRows(&step) // what has taken rows in still has the vectors, and the next block may be a long row too
		return nil
	}
}

// grow charges the growth of groups that take in all rows, and as much again. It
// returns false if the memory limit is reached; what the groups have by then stays,
// reserved or not.
func (s *partGroups) grow() bool {
	n := s.held.bytes() - s.held.held
	if n < quota.GroupChargeStep {
		return true
	}
	if s.budget.Reserve(2*n) == nil {
		s.held.held += n
		s.spare += n
		return true
	}
	s.budget.Release(s.spare)
	s.spare = 0
	if s.budget.Reserve(n) == nil {
		s.held.held += n
	} else {
		s.excess = n
	}
	return false
}

// takeOwn adds the rows whose groups there are already. The others go to over.
func (s *partGroups) takeOwn(b *vector.Batch, find hashtable.Finder, over *spill.Partitions) error {
	s.ids = vector.Resize(s.ids, b.Rows())
	if err := find.Find(b.Cols[:len(s.plan.keys)], b, s.ids); err != nil {
		return err
	}
	s.own, s.others = vector.Resize(s.own, 0), vector.Resize(s.others, 0)
	ids := s.ids[:0]
	for i, id := range s.ids {
		row := int32(b.Row(i))
		if id == hashtable.Missing {
			s.others = append(s.others, row)
			continue
		}
		s.own, ids = append(s.own, row), append(ids, id)
	}
	if len(s.others) > 0 {
		if err := over.Add(&vector.Batch{Len: b.Len, Cols: b.Cols, Sel: s.others}, nil); err != nil {
			return err
		}
	}
	if len(s.own) == 0 {
		return nil
	}
	s.rows.set(&s.plan, &vector.Batch{Len: b.Len, Cols: b.Cols, Sel: s.own})
	if err := s.merge.update(s.held, &s.rows, ids); err != nil {
		return err
	}
	n := s.held.bytes() - s.held.held - s.excess
	if n < ownStep(len(s.workers)) {
		return nil
	}
	if err := s.budget.Need(n); err != nil {
		return s.plan.tooLarge(s.held, err)
	}
	s.held.held += n
	return nil
}
