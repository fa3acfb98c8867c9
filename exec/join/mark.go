package join

import (
	"context"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// marker finds the result of MarkProbe: TRUE if Test is TRUE for a match, else NULL if
// it is NULL for one, else FALSE.
//
// In general the candidates are the build rows with equal Keys, and Test is evaluated
// for each of them. If Test is equalities (TestKeys), there are three stages: the rows
// for which it is TRUE are found by hash. Where there is none, Test can be NULL only if
// one of its keys is. With On, and where rows have many kinds of NULLs, a probe row with such a NULL
// meets the rows with equal Keys, other probe rows those of them that have a NULL themselves; else
// they are found by hash, too, see masked.go.
type marker struct {
	*prober
	stage  int
	test   *expr.Evaluator // nil: TRUE
	all    source
	nulls  source
	finds  [2]*hashtable.Probe // for all and for nulls
	masked maskedFinder
	values *vector.Vector
}

func newMarker(p *prober) *marker {
	m := &marker{prober: p, values: &vector.Vector{}, all: source{group: p.t.all}, nulls: source{group: p.t.nulls}}
	if p.Test != nil {
		m.test = expr.NewEvaluator(p.Test)
		m.test.Meter = p.env.Meter()
	}
	for i, g := range []group{m.all.group, m.nulls.group} {
		if g.keys != nil {
			m.finds[i] = g.keys.NewProbe()
		}
	}
	// Each match makes Test NULL if its only key is NULL.
	m.all.one = p.on == nil && len(p.TestKeys) == 1
	m.nulls.one = m.all.one
	return m
}

// step handles some pairs.
func (m *marker) step(ctx context.Context) error {
	p := m.prober
	switch {
	case m.stage == 0 && (len(p.TestKeys) > 0 || m.test == nil):
		if err := p.semi(&p.all); err != nil || !p.done || m.test == nil {
			return err
		}
		if m.all.one && len(p.Keys) == 0 {
			m.markAlone()
			return nil
		}
		return m.nextStage(ctx)
	case m.stage == 0:
		if !p.collect(&p.all, matched) {
			p.done = true
			return nil
		}
		return m.evaluate()
	}
	s := &m.all
	if m.stage == 2 {
		s = &m.nulls
	}
	if !p.collect(s, unknown) {
		return m.nextStage(ctx)
	}
	return m.evaluate()
}

// nextStage prepares stage 1, the probe rows with NULL in a key of Test, or 2, the
// others.
func (m *marker) nextStage(ctx context.Context) error {
	p := m.prober
	m.stage++
	if m.stage == 1 {
		if all, err := m.findMasked(ctx); all || err != nil {
			p.done = true
			return err
		}
	}
	p.i, p.k, p.done = 0, 0, m.stage > 2
	if p.done {
		return nil
	}
	s := &m.all
	if m.stage == 2 {
		s = &m.nulls
	}
	if err := p.lookUp(s, m.finds[m.stage-1], len(p.Keys)); err != nil {
		return err
	}
	s.rounds(!s.one)
	tests := p.b.Cols[len(p.Keys):p.hashed]
	for i := range s.ids {
		if anyNull(tests, p.b.Row(i)) != (m.stage == 1) || s.keys == nil && len(s.rows) == 0 {
			s.ids[i] = hashtable.Missing
		}
	}
	return nil
}

// markAlone marks the rows without a match where Test is one equality and all build rows are candidates.
func (m *marker) markAlone() {
	p := m.prober
	switch test := p.b.Cols[0]; {
	case len(m.nulls.group.rows) > 0:
		for i, state := range p.state {
			p.state[i] = max(state, unknown)
		}
	case len(m.all.group.rows) > 0 && test.MayHaveNulls():
		for i := range p.state {
			if test.IsNull(p.b.Row(i)) {
				p.state[i] = unknown
			}
		}
	}
}

// evaluate evaluates On and Test for the pairs.
func (m *marker) evaluate() error {
	p := m.prober
	if err := p.filter(); err != nil {
		return err
	}
	return p.evaluate(func(b *vector.Batch) error {
		m.test.Meter.Start(b.Rows())
		v, err := m.test.Eval(b)
		if err != nil {
			return err
		}
		if v, err = v.Flatten(nil); err != nil {
			return err
		}
		for i := range b.Rows() {
			row := b.Row(i)
			state := &p.state[p.pairs.which[row]]
			switch {
			case v.IsNull(row):
				*state = max(*state, unknown)
			case v.Bool[row]:
				*state = matched
			}
		}
		return nil
	})
}

// result is all rows of the batch with their marks.
func (m *marker) result() *vector.Batch {
	p := m.prober
	b := p.out.probeRows(p.b, p.b.Sel)
	m.values.Reset(vector.Of(vector.Boolean), b.Len)
	clear(m.values.Bool)
	for i, state := range p.state {
		row := p.b.Row(i)
		if m.values.Bool[row] = state == matched; state == unknown {
			m.values.SetNull(row)
		}
	}
	b.Cols[len(b.Cols)-1] = m.values
	return b
}
