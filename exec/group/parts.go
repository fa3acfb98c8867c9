package group

import (
	"sync"

	"github.com/parquetsql/parquetsql/exec/hashtable"
	"github.com/parquetsql/parquetsql/exec/rowstore"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/vector"
)

// partitionCount is how many partitions the groups are dealt out to, by the
// upper bits of their hash. (Those below are the tables' slots.)
const (
	partitionBits  = 6
	partitionCount = 1 << partitionBits
)

func partitionOf(hash uint64) int { return int(hash >> (64 - partitionBits)) }

// sharedPart is a partition's groups, which belong to all workers. A worker has it
// for as long as a batch of rows takes, or what its own table has for it.
type sharedPart struct {
	mu     sync.Mutex
	groups *groups
}

// newShared makes empty partitions. share: see hashtable.New.
func (a *aggregation) newShared(share bool) {
	shared := make([]sharedPart, partitionCount)
	for p := range shared {
		shared[p].groups = a.plan.newGroups(share)
	}
	a.shared = shared
}

// into calls f with a partition's groups and sees to what they have grown by.
func (a *aggregation) into(p int, f func(*groups) error) error {
	part := &a.shared[p]
	part.mu.Lock()
	defer part.mu.Unlock()
	if err := f(part.groups); err != nil {
		return err
	}
	if err := a.charge(part.groups); err != nil && !a.frozen.Load() {
		return err
	}
	return nil
}

// partition lists the groups of each partition.
func (g *groups) partition() [][]uint32 {
	lists := make([][]uint32, partitionCount)
	hashes := make([]uint64, vector.BatchSize)
	nums := make([]uint32, 0, vector.BatchSize)
	for from := 0; from < g.len(); from += vector.BatchSize {
		nums = nums[:min(vector.BatchSize, g.len()-from)]
		for i := range nums {
			nums[i] = uint32(from + i)
		}
		g.table.Hashes(nums, hashes)
		for i, num := range nums {
			p := partitionOf(hashes[i])
			lists[p] = append(lists[p], num)
		}
	}
	return lists
}

// partitions are where a worker's rows wait until there are a batch of them for a
// partition and are then taken in together, so that its table stays in the cache
// for a while and not for a row. When memory has run out they are written to disk
// instead.
type partitions struct {
	*aggregation
	add    *grouper
	hasher *hashtable.Hasher
	list   []*partition
	hashes []uint64
	lists  [][]int32 // by partition: the rows of the batch at hand, by their count
	row    []int32
	passes []*vector.Vector // of the batch: whether a row passes a FILTER
	first  []int32          // of the batch: a row that does, or -1
	rows   groupRows
	block  []byte
	null   *vector.Vector
}

// partition is one: the rows that wait, and those on disk.
type partition struct {
	cols   []*rowstore.Column // in the layout
	pass   []*rowstore.Column // by state: BOOLEAN, nil without FILTER
	n      int
	bytes  int64
	blocks []spill.Block
}

func (a *aggregation) newPartitions() *partitions {
	s := &partitions{aggregation: a, add: a.plan.newGrouper(), lists: make([][]int32, partitionCount)}
	s.hasher = hashtable.NewHasher(len(a.plan.keys), a.plan.seed)
	s.passes, s.first = make([]*vector.Vector, len(a.plan.states)), make([]int32, len(a.plan.states))
	s.rows.Cols = make([]*vector.Vector, len(a.plan.types))
	s.rows.pass = make([]*vector.Batch, len(a.plan.states))
	s.null = vector.NewConstant(vector.NullOf(vector.Of(vector.Null)), 1)
	for range partitionCount {
		p := &partition{}
		for _, t := range a.plan.types {
			c := rowstore.NewColumn(t)
			c.Share = true
			p.cols = append(p.cols, c)
		}
		for _, st := range a.plan.states {
			var c *rowstore.Column
			if st.filter != nil {
				c = rowstore.NewColumn(vector.Of(vector.Boolean))
			}
			p.pass = append(p.pass, c)
		}
		s.list = append(s.list, p)
	}
	return s
}

const (
	// waitRows and waitBytes bound what waits in a partition.
	waitRows  = vector.BatchSize
	waitBytes = 256 << 10
)

// take deals rows out.
func (s *partitions) take(rows *groupRows) error {
	n := rows.Rows()
	s.hashes = vector.Resize(s.hashes, n)
	s.hasher.Hash(rows.Cols[:len(s.plan.keys)], &rows.Batch, s.hashes)
	for p := range s.lists {
		s.lists[p] = s.lists[p][:0]
	}
	for i, h := range s.hashes {
		p := partitionOf(h)
		s.lists[p] = append(s.lists[p], int32(rows.Row(i)))
	}
	for i := range s.plan.states {
		if rows.pass[i] != nil {
			s.mark(i, rows)
		}
	}
	for p, list := range s.lists {
		if len(list) == 0 {
			continue
		}
		part := s.list[p]
		s.put(part, rows, list)
		if part.n < waitRows && part.bytes < waitBytes {
			continue
		}
		if err := s.flush(p); err != nil {
			return err
		}
	}
	return nil
}

// mark notes which rows pass the FILTER of state i.
func (s *partitions) mark(i int, rows *groupRows) {
	if s.passes[i] == nil {
		s.passes[i] = &vector.Vector{}
	}
	v := s.passes[i]
	v.Reset(vector.Of(vector.Boolean), rows.Len)
	clear(v.Bool)
	s.first[i] = -1
	for k := range rows.pass[i].Rows() {
		row := rows.pass[i].Row(k)
		v.Bool[row] = true
		s.first[i] = int32(row)
	}
}

// put makes rows wait. What an aggregate with FILTER has as arguments where the
// condition does not hold may be anything, not even a code of the dictionary;
// these rows get another row's, which nobody will look at.
func (s *partitions) put(part *partition, rows *groupRows, list []int32) {
	part.n += len(list)
	before := part.bytes
	own := len(s.plan.keys) + len(s.plan.shared)
	for c, v := range rows.Cols[:own] {
		part.cols[c].Append(v, list)
	}
	for i, st := range s.plan.states {
		if st.filter == nil {
			continue
		}
		part.pass[i].Append(s.passes[i], list)
		s.row = append(s.row[:0], list...)
		for k, row := range s.row {
			if !s.passes[i].Bool[row] {
				s.row[k] = max(s.first[i], 0)
			}
		}
		for _, c := range st.args {
			v := rows.Cols[c]
			if s.first[i] < 0 {
				v = s.null
			}
			part.cols[c].Append(v, s.row)
		}
	}
	if part.bytes = 0; before < waitBytes { // strings count by their headers
		for _, c := range part.cols {
			part.bytes += rowstore.Size(&c.Vec)
		}
	}
}

// flush takes the rows that wait for partition p in, or writes them to disk.
func (s *partitions) flush(p int) error {
	part := s.list[p]
	if part.n == 0 {
		return nil
	}
	if s.frozen.Load() {
		return s.spill(part)
	}
	for c, col := range part.cols {
		s.rows.Cols[c] = &col.Vec
	}
	s.rows.Len, s.rows.Sel = part.n, nil
	s.rows.setPass(part.pass)
	err := s.into(p, func(g *groups) error { return s.add.add(g, &s.rows) })
	part.reset()
	return err
}

// setPass makes the selections of the rows that pass.
func (r *groupRows) setPass(pass []*rowstore.Column) {
	for i, c := range pass {
		if c == nil {
			continue
		}
		if r.pass[i] == nil {
			r.pass[i] = &vector.Batch{}
		}
		b := r.pass[i]
		b.Len, b.Sel = r.Len, b.Sel[:0]
		if b.Sel == nil {
			b.Sel = []int32{} // none, where nil would be all
		}
		for row, ok := range c.Vec.Bool[:r.Len] {
			if ok {
				b.Sel = append(b.Sel, int32(row))
			}
		}
	}
}

func (p *partition) reset() {
	p.n, p.bytes = 0, 0
	for _, c := range p.cols {
		c.Reset()
	}
	for _, c := range p.pass {
		if c != nil {
			c.Reset()
		}
	}
}

// finish takes the last rows in.
func (s *partitions) finish() error {
	for p, part := range s.list {
		if err := s.flush(p); err != nil {
			return err
		}
		part.cols, part.pass = nil, nil
	}
	return nil
}
