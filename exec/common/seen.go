package common

import (
	"context"
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/hashtable"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/membudget"
	"github.com/parquetsql/parquetsql/vector"
)

// seen is the rows of WITH RECURSIVE … UNION that there were. They are in a table until half
// of the memory limit is used up. From then on they are on disk, divided by their hashes,
// and so are the rows of a round: which of them are new is known only when the round has
// ended, and a table is made of one partition after the other.
type seen struct {
	env   exec.Env
	types []vector.Type
	seed  hashtable.Seed

	table  hashtable.Table   // of all rows, or of a part of one partition
	budget *membudget.Budget // of the table
	held   int64             // bytes reserved of it
	ids    []uint32
	fresh  []bool // by new id: whether its first row is still to come
	sel    []int32
	texts  vector.Longest
	// returned is the rows that wait for the next round, which go to disk before the table does.
	returned *part

	// Of rows on disk; old is nil before.
	old, round         *spill.Partitions
	oldFile, roundFile *spill.File
	share              *membudget.Budget // of both

	// Where late is.
	partition, pass, passes int
	cursor                  *spill.Cursor // nil between two passes
	hasher                  *hashtable.Hasher
	hashes                  []uint64
	picked                  []int32
}

const (
	// roomShare is the part of the memory limit that the table of a pass should take. It is
	// kept: the rows of rounds take what there is.
	roomShare = 4
	// slotBytes is what a row takes in a table besides its values, which are there twice at
	// most.
	slotBytes = 128
	// mostPasses bounds how many times a partition is read in a round.
	mostPasses = 1024
)

func newSeen(env exec.Env, schema vector.Schema) *seen {
	s := &seen{env: env, seed: hashtable.NewSeed(), budget: env.Budget.Half()}
	for _, c := range schema {
		s.types = append(s.types, c.Type)
	}
	s.table = hashtable.New(s.types, s.seed, false)
	return s
}

// narrow deselects the rows that are equal to earlier ones, or all of them where only late
// knows.
func (s *seen) narrow(b *vector.Batch) error {
	sel := []int32{}
	err := s.texts.Cut(b, exec.CutBytes, func(some *vector.Batch, _ int64) error {
		if s.old != nil {
			return s.round.Add(some, nil)
		}
		if err := s.insert(some); err != nil {
			return err
		}
		for i := range some.Rows() {
			sel = append(sel, int32(some.Row(i)))
		}
		err := s.charge()
		if errors.Is(err, errs.ErrMemoryLimit) {
			return s.divide()
		}
		return err
	})
	b.Sel = sel
	return err
}

// insert adds rows to the table, and deselects those that it has.
func (s *seen) insert(b *vector.Batch) error {
	if b.Rows() == 0 {
		return nil
	}
	before := uint32(s.table.Len())
	s.ids = vector.Resize(s.ids, b.Rows())
	if err := s.table.FindOrInsert(b.Cols, b, s.ids); err != nil {
		return err
	}
	s.fresh = vector.Resize(s.fresh, s.table.Len()-int(before))
	for i := range s.fresh {
		s.fresh[i] = true
	}
	s.sel = vector.Resize(s.sel, b.Rows())[:0]
	for i, id := range s.ids {
		if id >= before && s.fresh[id-before] {
			s.fresh[id-before] = false
			s.sel = append(s.sel, int32(b.Row(i)))
		}
	}
	b.Sel = s.sel
	return nil
}

// charge reserves what the table has grown by.
func (s *seen) charge() error {
	n := s.table.Bytes() + s.table.Bytes()/2 - s.held // a table that grows is there twice for a moment
	if n < chargeStep {
		return nil
	}
	err := s.budget.Need(n)
	if err != nil && s.returned.held > 0 {
		if err := s.returned.spill(); err != nil {
			return err
		}
		err = s.budget.Need(n)
	}
	if err == nil {
		s.held += n
	}
	return err
}

// divide moves the rows of the table to disk.
func (s *seen) divide() error {
	s.share = s.env.Budget.Half().Half()
	s.oldFile, s.hasher = spill.New(s.env.TempDir, s.env.Encrypt, s.env.Budget), hashtable.NewHasher(len(s.types), s.seed)
	s.old = s.partitions(s.oldFile)
	keys := &vector.Batch{}
	for range s.types {
		keys.Cols = append(keys.Cols, &vector.Vector{})
	}
	for from := 0; from < s.table.Len(); from += vector.BatchSize {
		keys.Len = min(vector.BatchSize, s.table.Len()-from)
		s.ids = vector.Resize(s.ids, keys.Len)
		for i := range s.ids {
			s.ids[i] = uint32(from + i)
		}
		if err := s.table.Keys(s.ids, keys.Cols); err != nil {
			return err
		}
		if err := s.old.Add(keys, nil); err != nil {
			return err
		}
	}
	s.forget(s.room())
	s.begin()
	return nil
}

func (s *seen) partitions(file *spill.File) *spill.Partitions {
	return spill.NewPartitions(spill.Layout{Types: s.types, Keys: len(s.types), Seed: s.seed, Copies: true}, file, s.share)
}

// begin makes room for the rows of a round on disk.
func (s *seen) begin() {
	s.roundFile = spill.New(s.env.TempDir, s.env.Encrypt, s.env.Budget)
	s.round = s.partitions(s.roundFile)
	s.partition, s.pass, s.passes = -1, 0, 0
}

// forget gives up the table, but not more memory of it than keep.
func (s *seen) forget(keep int64) {
	s.table = nil
	keep = min(keep, s.held)
	s.budget.Release(s.held - keep)
	s.held = keep
}

// late returns rows of the round that narrow has left to it and that are new, when the round
// has no more rows; nil at their end.
func (s *seen) late(ctx context.Context) (*vector.Batch, error) {
	if s.old == nil {
		return nil, nil
	}
	for {
		if s.cursor == nil {
			if more, err := s.next(ctx); !more || err != nil {
				return nil, err
			}
		}
		b, err := s.cursor.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			s.cursor = nil
			continue
		}
		if err := s.compare(b); err != nil {
			return nil, err
		}
		if b.Rows() > 0 {
			return b, s.old.Add(b, nil)
		}
	}
}

// next begins the next pass: its table has the old rows. false is the end of the round.
func (s *seen) next(ctx context.Context) (bool, error) {
	if err := s.round.Flush(nil); err != nil {
		return false, err
	}
	s.forget(s.room())
	for s.pass++; s.pass >= s.passes; s.pass++ {
		if s.partition >= 0 {
			s.round.Drop(s.partition)
		}
		if s.partition++; s.partition == hashtable.Partitions {
			s.round.Close()
			err := s.roundFile.Close()
			s.begin()
			return false, err
		}
		s.pass, s.passes = -1, s.passesOf(s.partition)
	}
	s.table = hashtable.New(s.types, s.seed, false)
	if err := s.old.Read(ctx, s.partition, s.compare); err != nil {
		return false, err
	}
	s.cursor = s.round.Cursor(s.partition)
	return true, nil
}

// passesOf is in how many passes the rows of a partition are compared.
func (s *seen) passesOf(p int) int {
	rows, bytes := s.round.Total(p)
	if rows == 0 {
		return 0
	}
	before, more := s.old.Total(p)
	return int(min(1+(2*(bytes+more)+slotBytes*int64(rows+before))/max(1, s.room()), mostPasses))
}

// room is the memory of the table of a pass.
func (s *seen) room() int64 { return s.env.Budget.Limit() / roomShare }

// compare adds the rows of the pass to the table, and deselects the others and those that it
// has.
func (s *seen) compare(b *vector.Batch) error {
	b.Sel = nil // of a batch that a cursor used before
	if s.passes > 1 {
		s.hashes, s.picked = vector.Resize(s.hashes, b.Len), vector.Resize(s.picked, b.Len)[:0]
		s.hasher.Hash(b.Cols, b, s.hashes)
		for i, h := range s.hashes {
			if hashtable.Mix(h)%uint64(s.passes) == uint64(s.pass) {
				s.picked = append(s.picked, int32(i))
			}
		}
		b.Sel = s.picked
	}
	if err := s.insert(b); err != nil {
		return err
	}
	if err := s.charge(); err != nil {
		return fmt.Errorf("WITH RECURSIVE with UNION, which looks for each row among all rows before it: %w", err)
	}
	return nil
}

// close forgets all rows.
func (s *seen) close() error {
	s.forget(0)
	s.cursor = nil
	if s.old == nil {
		return nil
	}
	s.old.Close()
	s.round.Close()
	return errors.Join(s.oldFile.Close(), s.roundFile.Close())
}
