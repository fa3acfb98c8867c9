package window

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/window"
)

// maker makes evaluators.
type maker struct {
	plan    *plan
	framers []*framer
	reads   []int // the columns that the evaluators read, without those of frames
}

// column finds or adds the column of an expression that an evaluator reads.
func (m *maker) column(e expr.Expr) int {
	at := m.plan.column(e)
	m.reads = append(m.reads, at)
	return at
}

func (m *maker) newEvaluator(c *window.Call) (evaluator, error) {
	if c.Ordered() {
		return m.newPlaced(c)
	}
	arg := func(i int) int { return m.column(c.Args()[i]) }
	switch c.Kind() {
	case window.Aggregate:
		return m.newAggregate(c)
	case window.Ntile:
		return inSection{&ntile{arg: arg(0)}}, nil
	case window.Lag, window.Lead:
		e := &shift{value: newValues(arg(0), c.IgnoreNulls()), distance: -1, other: -1, forward: c.Kind() == window.Lead}
		if len(c.Args()) > 1 {
			e.distance = arg(1)
		}
		if len(c.Args()) > 2 {
			e.other = arg(2)
		}
		return inSection{e}, nil
	case window.Fill:
		return m.newFill(c)
	case window.FirstValue, window.LastValue:
		return inSection{&edge{value: newValues(arg(0), c.IgnoreNulls()), framer: m.framer(c.Frame()), last: c.Kind() == window.LastValue}}, nil
	case window.NthValue:
		return inSection{&nth{value: newValues(arg(0), c.IgnoreNulls()), framer: m.framer(c.Frame()), number: arg(1)}}, nil
	}
	return inSection{&rank{kind: c.Kind()}}, nil
}

// framer finds or adds the computation of a frame.
func (m *maker) framer(f window.Frame) *framer {
	made := m.plan.newFramer(f)
	for _, old := range m.framers {
		if old.same(made) {
			return old
		}
	}
	m.framers = append(m.framers, made)
	return made
}
