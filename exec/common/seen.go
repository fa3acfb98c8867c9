package common

import (
	"errors"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
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

	table  hashtable.Table // of all rows, or of a part of one partition
	budget *quota.Budget   // of the table
	held   int64           // bytes reserved of it
	ids    []uint32
	fresh  []bool // by new id: whether its first row is still to come
	sel    []int32
	texts  vector.Longest
	// returned is the rows that wait for the next round, which go to disk before the table does.
	returned *part

	// Of rows on disk; old is nil before.
	old, round         *spill.Partitions
	oldFile, roundFile *spill.File
	share              *quota.Budget // of both

	at lateRows
}

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
	if n < quota.ChargeStep {
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
	s.oldFile, s.at.hasher = spill.New(s.env.TempDir, s.env.Encrypt, s.env.Budget), hashtable.NewHasher(len(s.types), s.seed)
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
	s.at.pass, s.at.passes = 0, 0
}

// forget gives up the table, but not more memory of it than keep.
func (s *seen) forget(keep int64) {
	s.table = nil
	keep = min(keep, s.held)
	s.budget.Release(s.held - keep)
	s.held = keep
}

// close forgets all rows.
func (s *seen) close() error {
	s.forget(0)
	s.at.cursor = nil
	if s.old == nil {
		return nil
	}
	var err error
	for _, p := range s.at.pairs {
		err = errors.Join(err, p.close())
	}
	s.old.Close()
	s.round.Close()
	return errors.Join(err, s.oldFile.Close(), s.roundFile.Close())
}
