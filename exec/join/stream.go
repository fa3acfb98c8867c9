package join

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/vector"
)

// stream is the operator of one probe input.
type stream struct {
	*joiner
	in     exec.Operator
	load   *loader
	prober *prober // over the table; over an empty one if the rows go to parts
	parts  *spill.Partitions
	some   vector.Batch  // of the batch: the rows that can have a match
	others vector.Batch  // and those that cannot
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
		b, err := s.in.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			s.end()
			if s.tail == nil {
				return nil, nil
			}
			break
		}
		if b, err = s.load.load(b); err != nil {
			return nil, err
		}
		if err := s.take(b); err != nil {
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
	s.load = newLoader(&s.probe)
	t := s.table
	if t == nil {
		t = s.newTable()
		if err := t.freeze(ctx); err != nil {
			return err
		}
		s.parts = spill.NewPartitions(s.layout(&s.probe), s.file, s.env.Budget)
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
	if !s.mayHaveNullKeys(b) {
		return s.parts.Add(b, nil)
	}
	s.some.Len, s.some.Cols, s.others.Len, s.others.Cols = b.Len, b.Cols, b.Len, b.Cols
	s.some.Sel, s.others.Sel = s.split(b, s.some.Sel[:0], s.others.Sel[:0])
	if len(s.some.Sel) > 0 {
		if err := s.parts.Add(&s.some, nil); err != nil {
			return err
		}
	}
	if len(s.others.Sel) == 0 || !s.probeAlone() {
		return nil
	}
	return s.prober.start(&s.others, nil, true)
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
	case s.table == nil:
		s.tail = s.joinParts()
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
