package join

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/vector"
)

// stream is the operator of one probe input.
type stream struct {
	*joiner
	in     exec.Operator
	load   *loader
	prober *prober
	tail   *tail // of the last stream, when all inputs have ended
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
		if err := s.prepare(ctx); err != nil {
			return nil, err
		}
		s.load, s.prober = newLoader(&s.probe), s.newProber(s.table)
		if !s.probeAlone() && (s.table.rows.Len() == 0 || s.never() && !s.buildAlone()) {
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
			if s.running.Add(-1) > 0 {
				return nil, nil
			}
			s.tail = &tail{prober: s.prober}
			break
		}
		if b, err = s.load.load(b); err != nil {
			return nil, err
		}
		if err := s.prober.start(b, nil, true); err != nil {
			return nil, err
		}
	}
	return s.tail.next()
}

// Close implements exec.Operator.
func (s *stream) Close() error {
	if s.closed {
		return nil
	}
	s.closed, s.done, s.prober, s.tail = true, true, nil, nil
	return errors.Join(s.in.Close(), s.close())
}

// tail returns the build rows without a match, when all probe rows have been tried.
type tail struct {
	prober *prober
	from   int
	rows   []uint32
}

func (t *tail) next() (*vector.Batch, error) {
	p := t.prober
	if !p.buildAlone() || t.from < 0 {
		return nil, nil
	}
	t.rows, t.from = p.t.unmatched(t.rows[:0], t.from, vector.BatchSize)
	if len(t.rows) == 0 {
		return nil, nil
	}
	return p.out.buildRows(t.rows)
}
