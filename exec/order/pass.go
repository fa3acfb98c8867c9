package order

import (
	"context"
	"sort"

	"github.com/parquetsql/parquetsql/exec"
)

// Skip lets an operator of NewSort, which has not begun, leave out its first n rows, for less than it takes to return
// them; false: it is another operator.
func Skip(op exec.Operator, n int64) bool {
	s, ok := op.(*sorter)
	if ok {
		s.skip += n
	}
	return ok
}

// pass leaves out the rows that are to be skipped. Of these no columns are read, and of runs in memory few keys.
func (s *sorter) pass(ctx context.Context) error {
	if s.skip == 0 {
		return nil
	}
	left, err := s.merge.leapAll(s.skip)
	if err != nil {
		return err
	}
	for s.skip = left; s.skip > 0; {
		picks, err := s.merge.next(int(min(s.skip, int64(s.most))))
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if s.skip -= int64(len(picks)); len(picks) == 0 {
			s.skip = 0
		}
	}
	return nil
}

// leapAll skips n rows before the first one is read, if all runs are in memory. It returns how many rows are still to be
// skipped.
func (m *merger) leapAll(n int64) (left int64, err error) {
	total := int64(0)
	for _, c := range m.cursors {
		if c.run.blocks != nil || m.started {
			return n, nil
		}
		total += int64(c.run.n)
	}
	if err := m.start(); err != nil {
		return 0, err
	}
	if n >= total {
		m.heap = nil
		return 0, nil
	}
	for i, at := range m.split(n) {
		m.heap[i].row = at
	}
	live := m.heap[:0]
	for _, c := range m.heap {
		if c.row < c.n {
			c.see()
			live = append(live, c)
		}
	}
	m.heap = live
	for i := len(live)/2 - 1; i >= 0; i-- {
		m.sift(i)
	}
	return 0, nil
}

// split is how many rows of each run of the heap are among the first n of all: a row in the middle of what is not known of a
// run has a rank, which says on which side of it the others are.
func (m *merger) split(n int64) []int {
	from, to := make([]int, len(m.heap)), make([]int, len(m.heap)) // what is not known
	for i, c := range m.heap {
		to[i] = c.n
	}
	at := make([]int, len(m.heap))
	for {
		run := 0
		for i := range to {
			if to[i]-from[i] > to[run]-from[run] {
				run = i
			}
		}
		if to[run] == from[run] {
			return from
		}
		pivot := m.heap[run].of((from[run] + to[run]) / 2)
		rank := int64(0)
		for i, c := range m.heap {
			at[i] = from[i] + sort.Search(to[i]-from[i], func(k int) bool { return !c.of(from[i] + k).less(pivot) })
			rank += int64(at[i])
		}
		if rank >= n {
			copy(to, at)
			continue
		}
		copy(from, at)
		from[run]++ // the pivot
	}
}

// of is the cursor at another row.
func (c *cursor) of(row int) *cursor {
	at := &cursor{num: c.num, keys: c.keys, row: row}
	at.see()
	return at
}
