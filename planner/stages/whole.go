package stages

import "github.com/parquetsql/parquetsql/planner/logical"

// whole is a node that one task runs, with all that is below it but the reading of tables: a recursion
// reads its rows round by round, and a part of it would end when its own rows do.
func (c *cutter) whole(n logical.Node, what string) (part, error) {
	var out part
	node, err := c.undivided(n, map[logical.CommonID]bool{}, &out)
	if err != nil {
		return part{}, err
	}
	if len(out.inputs) > 0 && !c.AllowGather {
		return part{}, gather(what)
	}
	out.node = node
	return out, nil
}

// undivided has stages in place of the tables and of what was shared outside; own are the shared rows
// within.
func (c *cutter) undivided(n logical.Node, own map[logical.CommonID]bool, out *part) (logical.Node, error) {
	switch n := n.(type) {
	case *logical.Scan:
		p := c.gathered(c.scan(n))
		out.inputs, out.whole = append(out.inputs, p.inputs...), append(out.whole, p.whole...)
		return p.node, nil
	case *logical.MetaAggregate:
		return c.undivided(&logical.Aggregate{In: n.In, Aggs: n.Aggs}, own, out)
	case *logical.With:
		own[n.ID] = true
	case *logical.Recursive:
		own[n.ID] = true
	case *logical.Reuse:
		if own[n.ID] {
			return n, nil
		}
		p, err := c.reuse(n)
		if err != nil {
			return nil, err
		}
		p = c.gathered(p)
		out.inputs = append(out.inputs, p.inputs...)
		return p.node, nil
	}
	inputs := make([]logical.Node, len(n.Inputs()))
	for i, in := range n.Inputs() {
		var err error
		if inputs[i], err = c.undivided(in, own, out); err != nil {
			return nil, err
		}
	}
	return logical.WithInputs(n, inputs)
}
