package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/planner/logical"
)

// bottomUp applies f to every node, inputs first: f sees a node whose inputs
// were rewritten already.
func bottomUp(n logical.Node, f func(logical.Node) (logical.Node, error)) (logical.Node, error) {
	n, err := mapInputs(n, func(_ int, in logical.Node) (logical.Node, error) { return bottomUp(in, f) })
	if err != nil {
		return nil, err
	}
	return f(n)
}

// mapInputs is the node with f applied to each input. Most rules change few nodes, so that nothing is made
// for the others.
func mapInputs(n logical.Node, f func(i int, in logical.Node) (logical.Node, error)) (logical.Node, error) {
	old := n.Inputs()
	var inputs []logical.Node
	for i, in := range old {
		out, err := f(i, in)
		if err != nil {
			return nil, err
		}
		if out != in && inputs == nil {
			inputs = slices.Clone(old)
		}
		if inputs != nil {
			inputs[i] = out
		}
	}
	if inputs == nil {
		return n, nil
	}
	return logical.WithInputs(n, inputs)
}
