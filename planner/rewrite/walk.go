package rewrite

import "github.com/parquetsql/parquetsql/planner/logical"

// bottomUp applies f to every node, inputs first: f sees a node whose inputs
// were rewritten already.
func bottomUp(n logical.Node, f func(logical.Node) (logical.Node, error)) (logical.Node, error) {
	n, err := mapInputs(n, func(_ int, in logical.Node) (logical.Node, error) { return bottomUp(in, f) })
	if err != nil {
		return nil, err
	}
	return f(n)
}

// mapInputs is the node with f applied to each input.
func mapInputs(n logical.Node, f func(i int, in logical.Node) (logical.Node, error)) (logical.Node, error) {
	old := n.Inputs()
	inputs := make([]logical.Node, len(old))
	for i, in := range old {
		var err error
		if inputs[i], err = f(i, in); err != nil {
			return nil, err
		}
	}
	return logical.WithInputs(n, inputs)
}
