package spill

import (
	"context"
	"slices"
	"sync"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/block"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// Layout describes the rows of Partitions: the key columns come first.
type Layout struct {
	Types []vector.Type
	Keys  int
	Seed  hashtable.Seed // of the tables that the rows go to
	// Copies says that the strings of rows in memory are copied, together those of a
	// partition, but for long ones of dictionaries: who reads a partition goes through them in
	// their order in memory, and those of a batch need not stay longer than the batch. Take
	// and Read have batches of at most vector.BatchSize rows then, if they are in memory; a
	// batch's vectors are used again for the next one.
	Copies bool
	// Hashed says that batches of rows in memory may have one column more than Types, the last:
	// the hashes of the keys, as UBIGINT. They do where keys are texts that lie elsewhere, in
	// dictionaries: hashing one more time would fetch each of them. Otherwise it costs less than
	// to keep the hash.
	Hashed bool
	// Coarse says that only few partitions have rows, see hashtable.Coarse.
	Coarse bool
}

// ManyColumns is the number of columns from which on Coarse is better.
const ManyColumns = 100

// partition is the partition of a hash.
func (l *Layout) partition(hash uint64, level int) int {
	p := hashtable.Partition(hash, level)
	if l.Coarse {
		p = hashtable.Coarse(p)
	}
	return p
}

// Partitions are rows divided by the hash of their key, so that each partition can
// be aggregated or joined by itself. Rows are in memory, charged to the budget, until
// the budget is used up; then the largest partitions go to disk. A partition that is
// still too large can be divided again. It belongs to one goroutine, but when all rows
// were added several goroutines may read, divide and drop different partitions. Several
// Partitions may share a File. What the methods say of a partition does not count the rows
// that Flush would give it.
type Partitions struct {
	layout Layout
	file   *File
	budget *quota.Budget
	level  int

	adding adding
	list   []partition
	bytes  int64 // of all rows in memory
	held   int64 // reserved of the budget
	disk   bool

	block  []byte
	reader rowstore.Reader // for Take and Spill
	mu     sync.Mutex      // for Drop and Flush
}

// partition is the rows of one partition, in memory and on disk.
type partition struct {
	rows   *rowstore.Rows
	bytes  int64
	blocks []Block

	diskRows  int
	diskBytes int64 // in memory
}

const (
	// freeBytes of rows in memory are not charged.
	freeBytes = quota.FreeRow * vector.BatchSize
	// blockRows is about how many rows a block on disk has at most.
	blockRows = 4 * vector.BatchSize
)

// NewPartitions returns hashtable.Partitions empty partitions.
func NewPartitions(layout Layout, file *File, budget *quota.Budget) *Partitions {
	return newPartitions(layout, file, budget, 0)
}

func newPartitions(layout Layout, file *File, budget *quota.Budget, level int) *Partitions {
	s := &Partitions{
		layout: layout, file: file, budget: budget, level: level, adding: newAdding(&layout), list: make([]partition, hashtable.Partitions),
	}
	for p := range s.list {
		s.list[p].rows = layout.store()
	}
	return s
}

// chunkValues is how many values a chunk of rows in memory has at most, if it has more than
// leastRows: who reads a chunk makes texts of it, which are not charged.
const (
	chunkValues = 64 * vector.BatchSize
	leastRows   = 64
)

// store is an empty store of the rows in memory.
func (l *Layout) store() *rowstore.Rows {
	if l.Copies {
		types := l.Types
		if l.hashed() {
			types = append(slices.Clip(types), hashType)
		}
		return rowstore.NewChunks(types, min(vector.BatchSize, max(leastRows, chunkValues/max(1, len(l.Types)))))
	}
	return rowstore.New(l.Types)
}

// charge reserves what the rows have grown by, or moves partitions to disk.
func (s *Partitions) charge() error {
	n := s.bytes - freeBytes - s.held
	if n < quota.ChargeStep {
		return nil
	}
	if s.budget.Reserve(n) == nil {
		s.held += n
		return nil
	}
	for s.bytes > (s.held+freeBytes)/2 {
		largest := &s.list[s.Largest()]
		if err := s.spill(largest); err != nil {
			return err
		}
		s.clear(largest)
	}
	return nil
}

// Rows is the number of rows of a partition that are in memory.
func (s *Partitions) Rows(p int) int { return s.list[p].rows.Len() }

// Bytes is the memory that the rows of a partition need.
func (s *Partitions) Bytes(p int) int64 { return s.list[p].rows.Used() }

// Total is the number of rows of a partition, in memory and on disk, and the memory
// that all of them need.
func (s *Partitions) Total(p int) (rows int, bytes int64) {
	part := &s.list[p]
	return part.diskRows + part.rows.Len(), part.diskBytes + part.rows.Used()
}

// Held is the memory that the rows of all partitions hold.
func (s *Partitions) Held() int64 { return s.bytes }

// Largest is the partition whose rows hold the most memory.
func (s *Partitions) Largest() int {
	largest := 0
	for p := range s.list {
		if s.list[p].bytes > s.list[largest].bytes {
			largest = p
		}
	}
	return largest
}

// OnDisk reports whether rows were moved to disk.
func (s *Partitions) OnDisk() bool { return s.disk }

// Spill moves the rows of a partition to disk.
func (s *Partitions) Spill(p int) error {
	err := s.spill(&s.list[p])
	s.reset(&s.list[p])
	return err
}

func (s *Partitions) spill(part *partition) error {
	s.disk = s.disk || part.rows.Len() > 0
	part.diskRows, part.diskBytes = part.diskRows+part.rows.Len(), part.diskBytes+part.rows.Used()
	return s.chunks(part, func(b *vector.Batch) error {
		for from, n := 0, 0; from < b.Len; from += n {
			n = rowsOfBlock(b, from)
			if err := s.write(part, b, from, n); err != nil {
				return err
			}
		}
		return nil
	})
}

// rowsOfBlock is how many rows of b from one on make a block: fewer where rows are long.
func rowsOfBlock(b *vector.Batch, from int) int {
	most := min(blockRows, b.Len-from)
	bytes := int64(0)
	for n := range most {
		for _, c := range b.Cols {
			bytes += 8 + c.TextBytes(from+n)
		}
		if bytes > quota.BlockBytes {
			return max(n, 1)
		}
	}
	return most
}

// write makes a block of n rows from one on.
func (s *Partitions) write(part *partition, b *vector.Batch, from, n int) error {
	var view vector.Vector
	s.block = block.Begin(s.block, n)
	for _, c := range b.Cols[:len(s.layout.Types)] {
		view.Slice(c, from, n)
		s.block = block.AppendColumn(s.block, &view)
	}
	place, err := s.file.Append(s.block)
	if cap(s.block) > 2*quota.BlockBytes {
		s.block = nil // of one long row
	}
	part.blocks = append(part.blocks, place)
	return err
}

// Take calls f with the rows of a partition that are in memory, then forgets them.
func (s *Partitions) Take(p int, f func(b *vector.Batch) error) error {
	part := &s.list[p]
	err := s.chunks(part, f)
	s.reset(part)
	return err
}

func (s *Partitions) chunks(part *partition, f func(b *vector.Batch) error) error {
	defer s.reader.Forget()
	for i := range part.rows.Chunks() {
		if err := f(s.reader.Read(part.rows, i)); err != nil {
			return err
		}
	}
	return nil
}

// reset forgets rows and keeps some of their memory for the next ones.
func (s *Partitions) reset(part *partition) {
	s.bytes -= part.bytes
	part.rows.Reset()
	part.bytes = part.rows.Bytes()
	s.bytes += part.bytes
}

// clear forgets rows and their memory.
func (s *Partitions) clear(part *partition) {
	s.bytes -= part.bytes
	s.budget.Made(part.bytes)
	part.bytes = 0
	part.rows.Clear()
}

// Level is how many times the rows were divided before: 0 for NewPartitions.
func (s *Partitions) Level() int { return s.level }

// Below returns empty partitions for rows of one partition. They divide these rows by
// other bits of the hash.
func (s *Partitions) Below(budget *quota.Budget, file *File) *Partitions {
	return newPartitions(s.layout, file, budget, s.level+1)
}

// Divide moves the rows of a partition to new partitions, by other bits of the hash.
// Rows of the same key stay together, so the caller must end dividing at some level.
func (s *Partitions) Divide(ctx context.Context, p int) (*Partitions, error) {
	into := s.Below(s.budget, s.file)
	if err := s.Copy(ctx, p, into); err != nil {
		into.Close()
		return nil, err
	}
	s.Drop(p)
	return into, nil
}

// Copy adds the rows of a partition to others.
func (s *Partitions) Copy(ctx context.Context, p int, into *Partitions) error {
	return s.Read(ctx, p, func(b *vector.Batch) error { return into.Add(b, nil) })
}

// Drop forgets the rows of a partition.
func (s *Partitions) Drop(p int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	part := &s.list[p]
	s.clear(part)
	part.blocks, part.diskRows, part.diskBytes = nil, 0, 0
	s.release()
}

// Shrink gives up the memory that is kept for further rows.
func (s *Partitions) Shrink() {
	s.adding.shrink()
	for p := range s.list {
		if part := &s.list[p]; part.rows.Len() == 0 {
			s.clear(part)
		}
	}
	s.release()
}

// release gives back to the budget what is not needed any more.
func (s *Partitions) release() {
	if n := s.held - max(0, s.bytes-freeBytes); n > 0 {
		s.budget.Release(n)
		s.held -= n
	}
}

// Close forgets all rows. The file is its owner's.
func (s *Partitions) Close() {
	s.adding.forget()
	s.adding.shrink()
	for p := range s.list {
		s.Drop(p)
	}
}
