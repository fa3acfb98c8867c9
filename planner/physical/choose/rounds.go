package choose

import (
	"maps"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
)

// rounds is a recursion around a node, as the node sees it. A subtree of its Step whose rows
// are the same in every round is computed once: no file is read in rounds.
type rounds struct {
	*recursion
	changing map[logical.CommonID]bool // the shared rows that are others in each round
	up       *rounds                   // the recursion around this one
}

// recursion collects what rounds read.
type recursion struct {
	fixed map[logical.Node]*physical.Shared
	list  []*physical.Shared // of fixed
	held  []*physical.Shared // of others
}

// recursive computes Step anew in each round, but for the subtrees whose rows are the same in
// all rounds.
func (c chooser) recursive(n *logical.Recursive) (physical.Node, error) {
	out := &physical.Recursive{Of: n, Before: &physical.Shared{Name: n.Name, Has: n.Output}}
	var err error
	if out.Init, err = c.picked(n.Init, n.From[0], n.Output, want{}); err != nil {
		return nil, err
	}
	r := &recursion{fixed: map[logical.Node]*physical.Shared{}}
	c.rounds = &rounds{recursion: r, changing: map[logical.CommonID]bool{n.ID: true}, up: c.rounds.vary(n.ID, nil)}
	c.scope = &scope{id: n.ID, rows: out.Before, up: c.scope}
	out.Step, err = c.picked(n.Step, n.From[1], n.Output, want{})
	out.Fixed, out.Held = r.list, r.held
	return out, err
}

// once reads the rows of a subtree that a recursion computes once.
func (c chooser) once(r *rounds, n logical.Node) (physical.Node, error) {
	rows, err := c.fix(r, n)
	return &physical.Once{Rows: rows, Readers: c.Workers}, err
}

// fix makes shared rows of a subtree, which belong to the recursion r.
func (c chooser) fix(r *rounds, n logical.Node) (*physical.Shared, error) {
	if rows := r.fixed[n]; rows != nil {
		return rows, nil
	}
	list := r.recursion
	c.rounds = r.up
	rows, err := c.shared(n)
	if err != nil {
		return nil, err
	}
	list.fixed[n] = rows
	list.list = append(list.list, rows)
	return rows, nil
}

// fixing is the outermost recursion that computes a subtree once; nil if none does. Keeping
// fixed rows, or rows that are kept already, would save nothing.
func (r *rounds) fixing(n logical.Node) *rounds {
	switch n.(type) {
	case *logical.Values, *logical.OneRow, *logical.Reuse:
		return nil
	}
	return r.constant(n)
}

// constant is the outermost recursion in whose rounds a subtree has the same rows; nil if
// there is none.
func (r *rounds) constant(n logical.Node) *rounds {
	if r == nil {
		return nil
	}
	if up := r.up.constant(n); up != nil {
		return up
	}
	if !varies(n, r.changing) {
		return r
	}
	return nil
}

// vary adds shared rows that are others in each round of the recursions around fixed, or of
// all if that is nil.
func (r *rounds) vary(id logical.CommonID, fixed *rounds) *rounds {
	switch {
	case r == nil:
		return nil
	case r == fixed:
		return &rounds{recursion: r.recursion, changing: r.changing, up: r.up.vary(id, nil)}
	case fixed != nil:
		return &rounds{recursion: r.recursion, changing: r.changing, up: r.up.vary(id, fixed)}
	}
	changing := maps.Clone(r.changing)
	changing[id] = true
	return &rounds{recursion: r.recursion, changing: changing, up: r.up.vary(id, nil)}
}

// hold says that rounds read shared rows, which have to stay until the last round of each
// recursion in which they are the same.
func (r *rounds) hold(id logical.CommonID, rows *physical.Shared) {
	for ; r != nil; r = r.up {
		if !r.changing[id] && !slices.Contains(r.list, rows) && !slices.Contains(r.held, rows) {
			r.held = append(r.held, rows)
		}
	}
}

// varies reports whether the rows of a subtree may be others in the next round. A
// volatile condition in a scan does not count: the scan is read once.
func varies(n logical.Node, changing map[logical.CommonID]bool) bool {
	if r, ok := n.(*logical.Reuse); ok && changing[r.ID] {
		return true
	}
	if _, scan := n.(*logical.Scan); !scan && slices.ContainsFunc(n.Exprs(), expr.IsVolatile) {
		return true
	}
	return slices.ContainsFunc(n.Inputs(), func(in logical.Node) bool { return varies(in, changing) })
}
