package logical

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
)

// WithExprs is the node with f applied to each of its Exprs; the column that an
// Unnest unnests stays. f must keep the types.
func WithExprs(n Node, f func(expr.Expr) (expr.Expr, error)) (Node, error) {
	m := mapper{f: f}
	switch n := n.(type) {
	case *Scan:
		c := *n
		c.Filter, c.Unnested = m.list(n.Filter), m.list(n.Unnested)
		return &c, m.err
	case *Filter:
		return &Filter{In: n.In, Conjuncts: m.list(n.Conjuncts)}, m.err
	case *Project:
		return &Project{In: n.In, Items: m.computed(n.Items)}, m.err
	case *Aggregate:
		return &Aggregate{In: n.In, Groups: m.computed(n.Groups), Aggs: m.aggs(n.Aggs)}, m.err
	case *GroupingSets:
		c := *n
		c.Keys, c.Aggs = m.computed(n.Keys), m.aggs(n.Aggs)
		return &c, m.err
	case *Sort:
		return &Sort{In: n.In, Keys: m.keys(n.Keys)}, m.err
	case *TopN:
		c := *n
		c.Keys = m.keys(n.Keys)
		return &c, m.err
	case *Window:
		return m.window(n)
	case *Unnest:
		c := *n
		c.On = m.one(n.On)
		return &c, m.err
	case *Join:
		c := m.join(n)
		return &c, m.err
	case *Apply:
		return &Apply{m.join(&n.Join)}, m.err
	case *AsOfJoin:
		c := *n
		c.On, c.Left, c.Right = m.list(n.On), m.one(n.Left), m.one(n.Right)
		return &c, m.err
	}
	if len(n.Exprs()) > 0 {
		return nil, fmt.Errorf("internal error: the expressions of a %T cannot be replaced", n)
	}
	return n, nil
}

// mapper applies f until it fails.
type mapper struct {
	f   func(expr.Expr) (expr.Expr, error)
	err error
}

func (m *mapper) one(e expr.Expr) expr.Expr {
	if e == nil || m.err != nil {
		return e
	}
	out, err := m.f(e)
	if err != nil {
		m.err = err
		return e
	}
	return out
}

func (m *mapper) list(list []expr.Expr) []expr.Expr {
	if list == nil {
		return nil
	}
	out := make([]expr.Expr, len(list))
	for i, e := range list {
		out[i] = m.one(e)
	}
	return out
}

func (m *mapper) computed(list []Computed) []Computed {
	out := make([]Computed, len(list))
	for i, c := range list {
		c.Expr = m.one(c.Expr)
		out[i] = c
	}
	return out
}

func (m *mapper) keys(list []expr.SortKey) []expr.SortKey {
	out := make([]expr.SortKey, len(list))
	for i, k := range list {
		k.Expr = m.one(k.Expr)
		out[i] = k
	}
	return out
}

func (m *mapper) aggs(list []Aggregation) []Aggregation {
	out := make([]Aggregation, len(list))
	for i, a := range list {
		out[i] = a
		if m.err == nil {
			out[i].Call, m.err = a.Call.Transform(m.f)
		}
	}
	return out
}

func (m *mapper) join(j *Join) Join {
	c := *j
	c.On, c.Test = m.list(j.On), m.one(j.Test)
	return c
}

func (m *mapper) window(w *Window) (Node, error) {
	c := &Window{In: w.In, Partition: m.list(w.Partition), OrderBy: m.keys(w.OrderBy), Grouped: w.Grouped, Repeats: w.Repeats}
	for _, call := range w.Calls {
		if m.err == nil {
			call.Call, m.err = call.Call.Transform(m.f)
		}
		c.Calls = append(c.Calls, call)
	}
	return c, m.err
}
