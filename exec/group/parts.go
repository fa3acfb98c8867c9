package group

import (
	"slices"
	"sync"

	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// sharedPart is a partition's groups, which belong to all workers. A worker locks it
// for many rows, or for all groups that its own table has for it.
type sharedPart struct {
	mu     sync.Mutex
	groups *groups // nil: none
}

// into calls f with a partition's groups and charges their growth to the budget.
func (a *aggregation) into(p int, f func(*groups) error) error {
	part := &a.shared[p]
	part.mu.Lock()
	defer part.mu.Unlock()
	if part.groups == nil {
		part.groups = a.plan.newPart(false)
	}
	if err := f(part.groups); err != nil {
		return err
	}
	if err := a.charge(part.groups); err != nil && !a.frozen.Load() {
		return err
	}
	return nil
}

// partition returns the ids of the groups of each partition; for coarse see spill.Layout.
func (g *groups) partition(coarse bool) [][]uint32 {
	lists := make([][]uint32, hashtable.Partitions)
	hashes := make([]uint64, vector.BatchSize)
	ids := make([]uint32, 0, vector.BatchSize)
	for from := 0; from < g.len(); from += vector.BatchSize {
		ids = ids[:min(vector.BatchSize, g.len()-from)]
		for i := range ids {
			ids[i] = uint32(from + i)
		}
		g.table.Hashes(ids, hashes)
		for i, id := range ids {
			p := hashtable.Partition(hashes[i], 0)
			if coarse {
				p = hashtable.Coarse(p)
			}
			lists[p] = append(lists[p], id)
		}
	}
	return lists
}

// partitions are a worker's rows that wait for the second phase. Where too many wait, they
// are added to the groups of their partition, all at once, so that its table stays in the
// cache for a while instead of one row. When memory has run out they are written to disk
// instead.
type partitions struct {
	*aggregation
	add  *grouper
	wait *spill.Partitions
	in   vector.Batch // a batch in the layout, then for each FILTER whether rows pass

	passes []*vector.Vector // by state: whether a row passes its FILTER
	args   []*vector.Vector // by column of the layout: arguments of states with FILTER
	row    []int32
	null   *vector.Vector
	rows   groupRows
}

func (a *aggregation) newPartitions() *partitions {
	layout := spill.Layout{
		Types: slices.Clone(a.plan.types), Keys: len(a.plan.keys), Seed: a.plan.seed, Copies: true, Hashed: a.plan.hashed(),
		Coarse: a.plan.coarse(),
	}
	for _, st := range a.plan.states {
		if st.filter != nil {
			layout.Types = append(layout.Types, vector.Of(vector.Boolean))
		}
	}
	return &partitions{
		aggregation: a, add: a.plan.newGrouper(), wait: spill.NewPartitions(layout, a.file, a.budget),
		passes: make([]*vector.Vector, len(a.plan.states)), args: make([]*vector.Vector, len(a.plan.types)),
		null: vector.NewConstant(vector.NullOf(vector.Of(vector.Null)), 1),
	}
}

const (
	// waitRows and waitBytes bound what waits in a partition: many rows may be few groups.
	waitRows  = 32 * vector.BatchSize
	waitBytes = 2048 * vector.BatchSize
	// waitShare is the part of the memory limit that waiting rows may have, of all workers
	// together. Groups need less.
	waitShare = 4
)

// take divides rows among the partitions.
func (s *partitions) take(rows *groupRows) error {
	s.in.Len, s.in.Sel = rows.Len, rows.Sel
	s.in.Cols = append(s.in.Cols[:0], rows.Cols...)
	for i, st := range s.plan.states {
		if st.filter == nil {
			continue
		}
		if err := s.filtered(i, rows); err != nil {
			return err
		}
		s.in.Cols = append(s.in.Cols, s.passes[i])
	}
	if err := s.wait.Add(&s.in, s.touched); err != nil {
		return err
	}
	s.freeze()
	if most := s.budget.Limit() / waitShare / int64(len(s.workers)); most > 0 && s.wait.Held() > most {
		return s.flushHalf()
	}
	return nil
}

// touched flushes a partition that has got rows and has too many now.
func (s *partitions) touched(p int) error {
	if s.wait.Rows(p) < waitRows && s.wait.Bytes(p) < waitBytes {
		return nil
	}
	return s.flush(p)
}

// freeze tells all workers where rows had to go to disk.
func (s *partitions) freeze() {
	if s.wait.OnDisk() {
		s.frozen.Store(true)
	}
}

// flushHalf adds or writes rows until about half of them are left.
func (s *partitions) flushHalf() error {
	for most := s.wait.Held() / 2; s.wait.Held() > most; {
		p := s.wait.Largest()
		if err := s.flush(p); err != nil {
			return err
		}
		s.wait.Shrink()
	}
	return nil
}

// filtered notes which rows pass the FILTER of state i. Its arguments may be
// anything in the other rows, even a code that the dictionary does not have: they
// get the arguments of a row that passes; they are never read.
func (s *partitions) filtered(i int, rows *groupRows) error {
	if s.passes[i] == nil {
		s.passes[i] = &vector.Vector{}
	}
	pass := s.passes[i]
	pass.Reset(vector.Of(vector.Boolean), rows.Len)
	clear(pass.Bool)
	n := rows.pass[i].Rows()
	for k := range n {
		pass.Bool[rows.pass[i].Row(k)] = true
	}
	s.row = vector.Resize(s.row, rows.Len)
	for row, ok := range pass.Bool {
		if s.row[row] = int32(row); !ok && n > 0 {
			s.row[row] = int32(rows.pass[i].Row(0))
		}
	}
	for _, c := range s.plan.states[i].args {
		if n == 0 {
			s.in.Cols[c] = s.null
			continue
		}
		if s.args[c] == nil {
			s.args[c] = &vector.Vector{}
		}
		if err := s.args[c].Gather(rows.Cols[c], s.row); err != nil {
			return err
		}
		s.in.Cols[c] = s.args[c]
	}
	return nil
}

// flush adds the rows that wait in partition p to its groups, or writes them to
// disk.
func (s *partitions) flush(p int) error {
	if err := s.plan.env.Ended(); err != nil {
		return err
	}
	if s.frozen.Load() {
		return s.wait.Spill(p)
	}
	return s.wait.Take(p, func(b *vector.Batch) error {
		if err := s.plan.env.Ended(); err != nil {
			return err
		}
		s.rows.set(&s.plan, b)
		return s.into(p, func(g *groups) error { return s.add.add(g, &s.rows) })
	})
}

// set makes r the selected rows of b, which has the columns of partitions.in.
func (r *groupRows) set(plan *groupPlan, b *vector.Batch) {
	r.Batch = vector.Batch{Len: b.Len, Sel: b.Sel, Cols: b.Cols[:len(plan.types)]}
	if r.pass == nil {
		r.pass = make([]*vector.Batch, len(plan.states))
	}
	passes := b.Cols[len(plan.types):]
	for i, st := range plan.states {
		if st.filter == nil {
			continue
		}
		if r.pass[i] == nil {
			r.pass[i] = &vector.Batch{}
		}
		pass := r.pass[i]
		pass.Len, pass.Sel = b.Len, pass.Sel[:0]
		if pass.Sel == nil {
			pass.Sel = []int32{} // none; nil would be all
		}
		for i := range b.Rows() {
			if row := b.Row(i); passes[0].Bool[row] {
				pass.Sel = append(pass.Sel, int32(row))
			}
		}
		passes = passes[1:]
	}
	r.hashes = nil
	if b.Sel == nil && len(passes) > 0 {
		r.hashes = passes[0].U64[:b.Len]
	}
}

// finish leaves the last rows where they wait, unless memory is short: then they are
// added or written.
func (s *partitions) finish() error {
	if err := s.wait.Flush(s.touched); err != nil {
		return err
	}
	s.freeze()
	if limit := s.budget.Limit(); s.frozen.Load() || limit > 0 && s.budget.Used() > limit/2 {
		if err := s.flushAll(); err != nil {
			return err
		}
	}
	s.wait.Shrink()
	return nil
}

// flushAll adds or writes the rows that wait in all partitions.
func (s *partitions) flushAll() error {
	if err := s.wait.Flush(nil); err != nil {
		return err
	}
	for p := range hashtable.Partitions {
		if err := s.flush(p); err != nil {
			return err
		}
	}
	s.wait.Shrink()
	return nil
}
