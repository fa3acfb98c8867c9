package group

import (
	"context"
	"fmt"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// stream returns a part of the groups.
type stream struct {
	*aggregation
	number int

	source groupSource // nil before the first phase
	out    vector.Batch
	ids    []uint32
	held   int64 // reserved for lists and maps of out
	failed error
	closed bool
}

var _ exec.Operator = (*stream)(nil)

// Schema implements exec.Operator.
func (s *stream) Schema() vector.Schema { return s.schema }

// Close implements exec.Operator.
func (s *stream) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	if s.source != nil {
		s.source.close()
	}
	s.budget.Release(s.held)
	return s.end()
}

// Next implements exec.Operator.
func (s *stream) Next(ctx context.Context) (*vector.Batch, error) {
	if s.frozen.Load() && s.out.TextBytes() > quota.LeastLongTexts {
		exec.ForgetRows(&s.out) // memory is short, and the next groups may have texts as long
	}
	g, from, n, err := s.next(ctx)
	if n == 0 || err != nil {
		return nil, err
	}
	if s.failed = s.emit(g, from, n); s.failed != nil {
		return nil, s.failed
	}
	return &s.out, nil
}

// next is the next groups: n of g, from the id from on; none at the end.
func (s *stream) next(ctx context.Context) (g *groups, from, n int, err error) {
	if s.failed == nil && !s.closed && s.source == nil {
		if s.failed = s.start(ctx); s.failed == nil {
			s.source = s.newSource()
		}
	}
	if s.failed == nil {
		s.failed = ctx.Err()
	}
	if s.failed != nil || s.closed {
		return nil, 0, 0, s.failed
	}
	g, from, n, s.failed = s.source.next(ctx)
	return g, from, n, s.failed
}

// newSource is the stream's part of the result.
func (s *stream) newSource() groupSource {
	switch {
	case s.separated != nil:
		return &pieceList{aggregation: s.aggregation}
	case s.whole == nil && !s.frozen.Load():
		return newPartGroups(s.aggregation, s.number)
	case !s.takeAlone():
		return &groupList{}
	case s.whole == nil:
		// What does not fit is easier to bound for one partition at a time.
		return newPartGroups(s.aggregation, s.number)
	}
	return s.list(s.whole)
}

// list is the groups in steps. The results of a step take no more memory than a batch should.
func (a *aggregation) list(g *groups) *groupList {
	return &groupList{groups: g, most: expr.BatchRows(a.budget, len(a.schema))}
}

// emit makes the output batch of n groups, from the group with the id from on.
func (s *stream) emit(g *groups, from, n int) error {
	keys := len(s.plan.keys)
	for len(s.out.Cols) < keys+len(s.plan.out) {
		s.out.Cols = append(s.out.Cols, &vector.Vector{})
	}
	s.out.Len, s.out.Sel = n, nil
	if g.table != nil {
		s.ids = vector.Resize(s.ids, n)
		for i := range s.ids {
			s.ids[i] = uint32(from + i)
		}
		if err := g.table.Keys(s.ids, s.out.Cols[:keys]); err != nil {
			return err
		}
	}
	if err := s.reserve(g, from, n); err != nil {
		return err
	}
	for i, o := range s.plan.out {
		if err := o.agg.ResultOf(g.states[o.state], from, n, s.out.Cols[keys+i]); err != nil {
			return err
		}
	}
	return nil
}

// reserve charges the lists and maps of n groups, from the group with the id from on, in place of
// those of the batch before.
func (s *stream) reserve(g *groups, from, n int) error {
	s.budget.Release(s.held)
	s.held = 0
	for _, o := range s.plan.out {
		long, ok := g.states[o.state].(aggregate.Lengthy)
		if !ok {
			continue
		}
		bytes := long.ResultBytes(from, n)
		if bytes <= quota.FreeResults {
			continue
		}
		if err := s.budget.Need(bytes); err != nil {
			return fmt.Errorf("the result of %s: %w", o.agg.Name(), err)
		}
		s.held += bytes
	}
	return nil
}

// groupSource returns finished groups: n groups of g, from the id from on. n 0 is the
// end.
type groupSource interface {
	next(ctx context.Context) (g *groups, from, n int, err error)
	close()
}

// groupList is a groupSource of finished groups.
type groupList struct {
	groups *groups // nil: none, or no more
	most   int     // how many are returned at once
	at     int
}

func (l *groupList) close() { l.groups = nil }

func (l *groupList) next(context.Context) (g *groups, from, n int, err error) {
	if l.groups != nil && l.at >= l.groups.len() {
		l.groups = nil
	}
	if l.groups == nil {
		return nil, 0, 0, nil
	}
	from = l.at
	n = min(l.most, l.groups.len()-from)
	l.at += n
	return l.groups, from, n, nil
}
