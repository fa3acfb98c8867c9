package join

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// stream is the operator of one probe input.
type stream struct {
	*joiner
	in     exec.Operator
	load   *loader
	prober *prober           // over the table, or what is kept of it
	parts  *spill.Partitions // the rows that wait
	hasher *hashtable.Hasher
	hashes []uint64
	now    vector.Batch // the rows that need not wait: of kept partitions, and without a match
	later  vector.Batch
	tail   exec.Operator // of the last stream, when all inputs have ended
	done   bool
	err    error
	closed bool
}

// Schema implements exec.Operator.
func (s *stream) Schema() vector.Schema { return s.joiner.Schema }

// Next implements exec.Operator.
func (s *stream) Next(ctx context.Context) (*vector.Batch, error) {
	if s.err != nil || s.done {
		return nil, s.err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b, err := s.advance(ctx)
	s.err, s.done = err, b == nil
	return b, err
}

func (s *stream) advance(ctx context.Context) (*vector.Batch, error) {
	if s.prober == nil {
		if err := s.begin(ctx); err != nil {
			return nil, err
		}
		if s.useless() {
			return nil, s.in.Close()
		}
	}
	for s.tail == nil {
		if b, err := s.prober.next(ctx); b != nil || err != nil {
			return b, err
		}
		if !s.load.parts.More() {
			b, err := s.in.Next(ctx)
			if err != nil {
				return nil, err
			}
			if b == nil {
				s.load.exprs.End()
				s.end()
				if s.tail == nil {
					return nil, nil
				}
				break
			}
			s.load.parts.Start(b)
		}
		err := s.load.parts.Next(func(part *vector.Batch) error {
			b, err := s.load.load(part)
			if err != nil {
				return err
			}
			return s.take(b)
		})
		if err != nil {
			return nil, err
		}
	}
	return s.tail.Next(ctx)
}

// begin prepares the stream when the build side is complete.
func (s *stream) begin(ctx context.Context) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	s.load = newLoader(s.env, &s.probe)
	t := s.table
	if t == nil {
		t = s.kept
		s.parts = spill.NewPartitions(s.layout(&s.probe), s.file, s.env.Budget)
		s.hasher = hashtable.NewHasher(len(s.Keys), s.seed)
	}
	s.prober = s.newProber(t)
	return nil
}

// useless reports whether the probe side need not be read.
func (s *stream) useless() bool {
	if s.probeAlone() || s.table == nil {
		return false
	}
	return s.table.rows.Len() == 0 || s.never() && !s.buildAlone()
}

// take joins rows with the table, or lets them wait in the partitions.
func (s *stream) take(b *vector.Batch) error {
	if s.parts == nil {
		return s.prober.start(b, nil, true)
	}
	n := b.Rows()
	s.hashes = vector.Resize(s.hashes, n)
	s.hasher.Hash(b.Cols[:len(s.Keys)], b, s.hashes)
	s.now.Len, s.now.Cols, s.now.Sel = b.Len, b.Cols, s.now.Sel[:0]
	s.later.Len, s.later.Cols, s.later.Sel = b.Len, b.Cols, s.later.Sel[:0]
	nulls := s.mayHaveNullKeys(b)
	for i, h := range s.hashes {
		row := b.Row(i)
		if s.resident[hashtable.Partition(h, 0)] || nulls && s.hasNullKey(b, row) {
			s.now.Sel = append(s.now.Sel, int32(row))
		} else {
			s.later.Sel = append(s.later.Sel, int32(row))
		}
	}
	if len(s.later.Sel) > 0 {
		if err := s.parts.Add(&s.later, nil); err != nil {
			return err
		}
	}
	if len(s.now.Sel) == 0 {
		return nil
	}
	return s.prober.start(&s.now, nil, true)
}

// end hands the rows that wait to the last stream, which joins them.
func (s *stream) end() {
	if s.parts != nil {
		s.mu.Lock()
		s.probed = append(s.probed, s.parts)
		s.mu.Unlock()
		s.parts = nil
	}
	switch {
	case s.running.Add(-1) > 0:
		s.prober.forget()
	case s.table == nil:
		s.tail = &lastRows{unmatchedRows: unmatchedRows{prober: s.prober}}
	default:
		s.tail = &unmatchedRows{prober: s.prober}
	}
}

// Close implements exec.Operator.
func (s *stream) Close() error {
	if s.closed {
		return nil
	}
	s.closed, s.done, s.prober = true, true, nil
	if s.parts != nil {
		s.parts.Close()
	}
	var err error
	if s.tail != nil {
		err = s.tail.Close()
	}
	return errors.Join(err, s.in.Close(), s.close())
}

// unmatchedRows returns the rows of a table without a match, when all probe rows have
// been tried.
type unmatchedRows struct {
	prober *prober
	from   int
	rows   []uint32
}

func (u *unmatchedRows) Schema() vector.Schema { return u.prober.Schema }
func (u *unmatchedRows) Close() error          { return nil }

func (u *unmatchedRows) Next(ctx context.Context) (*vector.Batch, error) {
	p := u.prober
	if !p.buildAlone() || u.from < 0 {
		return nil, ctx.Err()
	}
	u.rows, u.from = p.t.unmatched(u.rows[:0], u.from, vector.BatchSize)
	if len(u.rows) == 0 {
		return nil, ctx.Err()
	}
	return p.out.buildRows(u.rows)
}
