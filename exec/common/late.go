package common

import (
	"context"
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// pair is the same partitions of the old rows and of those of a round, which are compared one after
// the other.
type pair struct {
	old, round *spill.Partitions
	file       *spill.File // of both, where they are parts of a partition; else nil
	partition  int
}

func (p *pair) close() error {
	if p.file == nil {
		return nil
	}
	p.old.Close()
	p.round.Close()
	return p.file.Close()
}

// lateRows is where late is.
type lateRows struct {
	pairs []*pair // the last one is compared, and is a partition of the one before it
	// The rows of a partition are compared in so many passes, in each those of some hashes.
	pass, passes int
	cursor       *spill.Cursor // over the rows of the round; nil between two passes
	hasher       *hashtable.Hasher
	hashes       []uint64
	picked       []int32
}

const (
	// roomShare is the part of the memory limit that the table of a pass should take. It is
	// kept: the rows of rounds take what there is.
	roomShare = 4
	// slotBytes is what a row takes in a table besides its values, which are there twice at
	// most.
	slotBytes = 128
	// fewPasses are not worth it that the rows of a partition are written once more, divided, and
	// then read one more time.
	fewPasses = 4
	// mostPairs is how often rows are divided at most, with the first time.
	mostPairs = 3
	// mostPasses bounds how many times a partition is read in a round.
	mostPasses = 1024
)

// late returns rows of the round that narrow has left to it and that are new, when the round
// has no more rows; nil at their end.
func (s *seen) late(ctx context.Context) (*vector.Batch, error) {
	if s.old == nil {
		return nil, nil
	}
	for {
		if s.at.cursor == nil {
			if more, err := s.next(ctx); !more || err != nil {
				return nil, err
			}
		}
		b, err := s.at.cursor.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			s.at.cursor = nil
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
	at := &s.at
	if len(at.pairs) == 0 {
		if err := s.round.Flush(nil); err != nil {
			return false, err
		}
		at.pairs = append(at.pairs, &pair{old: s.old, round: s.round, partition: -1})
	}
	s.forget(s.room())
	for at.pass++; at.pass >= at.passes; at.pass++ {
		more, err := s.nextPartition(ctx)
		if !more || err != nil {
			return false, err
		}
	}
	s.table = hashtable.New(s.types, s.seed, false)
	p := at.pairs[len(at.pairs)-1]
	if err := p.old.Read(ctx, p.partition, s.compare); err != nil {
		return false, err
	}
	at.cursor = p.round.Cursor(p.partition)
	return true, nil
}

// nextPartition goes on to the next partition, which may have no rows to compare. false is the end of
// the round.
func (s *seen) nextPartition(ctx context.Context) (bool, error) {
	at := &s.at
	last := len(at.pairs) - 1
	p := at.pairs[last]
	if p.partition >= 0 {
		p.round.Drop(p.partition)
	}
	at.pass, at.passes = -1, 0
	if p.partition++; p.partition == hashtable.Partitions {
		at.pairs = at.pairs[:last]
		if last > 0 {
			return true, p.close()
		}
		s.round.Close()
		err := s.roundFile.Close()
		s.begin()
		return false, err
	}
	passes := s.passesOf(p)
	if passes <= fewPasses || last == mostPairs-1 {
		at.passes = passes
		return true, nil
	}
	below, err := s.divided(ctx, p)
	if err != nil {
		return false, err
	}
	at.pairs = append(at.pairs, below)
	return true, nil
}

// divided is the rows of a partition by other bits of their hashes. The old rows stay where they are too,
// for the next rounds.
func (s *seen) divided(ctx context.Context, p *pair) (*pair, error) {
	below := &pair{file: spill.New(s.env.TempDir, s.env.Encrypt, s.env.Budget), partition: -1}
	below.old, below.round = p.old.Below(s.share, below.file), p.round.Below(s.share, below.file)
	err := p.old.Copy(ctx, p.partition, below.old)
	if err == nil {
		err = p.round.Copy(ctx, p.partition, below.round)
	}
	if err == nil {
		err = below.round.Flush(nil)
	}
	if err != nil {
		return nil, errors.Join(err, below.close())
	}
	p.round.Drop(p.partition)
	return below, nil
}

// passesOf is in how many passes the rows of a partition are compared.
func (s *seen) passesOf(p *pair) int {
	rows, bytes := p.round.Total(p.partition)
	if rows == 0 {
		return 0
	}
	before, more := p.old.Total(p.partition)
	return int(min(1+(2*(bytes+more)+slotBytes*int64(rows+before))/max(1, s.room()), mostPasses))
}

// room is the memory of the table of a pass.
func (s *seen) room() int64 { return s.env.Budget.Limit() / roomShare }

// compare adds the rows of the pass to the table, and deselects the others and those that it
// has.
func (s *seen) compare(b *vector.Batch) error {
	b.Sel = nil // of a batch that a cursor used before
	if at := &s.at; at.passes > 1 {
		at.hashes, at.picked = vector.Resize(at.hashes, b.Len), vector.Resize(at.picked, b.Len)[:0]
		at.hasher.Hash(b.Cols, b, at.hashes)
		for i, h := range at.hashes {
			if hashtable.Mix(h)%uint64(at.passes) == uint64(at.pass) {
				at.picked = append(at.picked, int32(i))
			}
		}
		b.Sel = at.picked
	}
	if err := s.insert(b); err != nil {
		return err
	}
	if err := s.charge(); err != nil {
		return fmt.Errorf("WITH RECURSIVE with UNION, which looks for each row among all rows before it: %w", err)
	}
	return nil
}
