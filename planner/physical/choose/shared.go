package choose

import (
	"fmt"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
)

// scope is the shared rows that the nodes below a With or a Recursive may read.
type scope struct {
	id   logical.CommonID
	rows *physical.Shared
	up   *scope
}

func (s *scope) find(id logical.CommonID) (*physical.Shared, error) {
	for ; s != nil; s = s.up {
		if s.id == id {
			return s.rows, nil
		}
	}
	return nil, fmt.Errorf("internal error: the plan reads common rows %d outside of their WITH", id)
}

// with makes the rows of Def readable in Body.
func (c chooser) with(n *logical.With) (physical.Node, error) {
	out := &physical.With{Of: n}
	fixed := c.rounds.constant(n.Def)
	var err error
	if fixed != nil {
		out.Fixed = true
		out.Rows, err = c.fix(fixed, n.Def)
	} else {
		out.Rows, err = c.shared(n.Def)
	}
	if err != nil {
		return nil, err
	}
	out.Rows.Name = n.Name
	c.rounds = c.rounds.vary(n.ID, fixed)
	c.scope = &scope{id: n.ID, rows: out.Rows, up: c.scope}
	out.Body, err = c.node(n.Body)
	return out, err
}

// shared is the rows of a node, to be kept.
func (c chooser) shared(n logical.Node) (*physical.Shared, error) {
	def, err := c.node(n)
	return &physical.Shared{Def: def, Has: n.Columns()}, err
}

// reuse reads shared rows.
func (c chooser) reuse(n *logical.Reuse) (physical.Node, error) {
	rows, err := c.scope.find(n.ID)
	if err != nil {
		return nil, err
	}
	c.rounds.hold(n.ID, rows)
	return &physical.Reuse{Of: n, Rows: rows, Readers: c.Workers}, nil
}
