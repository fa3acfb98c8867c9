package rewrite

import "github.com/parquetsql/parquetsql/planner/logical"

// Prune drops the columns that nothing needs, down to what scans read. The
// columns of the plan itself all stay. What a node must know for it is its own:
// logical.Node.Narrow and logical.Needs.
func Prune(q logical.Query) (logical.Node, error) {
	return prune(q.Root, logical.Made(q.Root))
}

// prune is the node with at least the columns in need. A join that is there for columns
// which nothing needs goes with them, if it has no part in which rows there are.
func prune(n logical.Node, need logical.Set) (logical.Node, error) {
	if j, ok := n.(*logical.Join); ok && unused(j, need) {
		return prune(j.L, need)
	}
	n = n.Narrow(need)
	if w, ok := n.(*logical.With); ok {
		return pruneWith(w, need)
	}
	needs := logical.Needs(n, need)
	n, err := mapInputs(n, func(i int, in logical.Node) (logical.Node, error) { return prune(in, needs[i]) })
	if err != nil {
		return nil, err
	}
	switch n := n.(type) {
	case *logical.Project:
		if identity(n) {
			return n.In, nil
		}
	case *logical.Window:
		if len(n.Calls) == 0 {
			return n.In, nil
		}
	}
	return n, nil
}

// pruneWith begins with Body, which tells what Def must produce.
func pruneWith(w *logical.With, need logical.Set) (logical.Node, error) {
	body, err := prune(w.Body, need)
	if err != nil {
		return nil, err
	}
	var read logical.Set
	logical.Uses(body, w.ID, &read)
	def, err := prune(w.Def, read)
	if err != nil {
		return nil, err
	}
	return logical.WithInputs(w, []logical.Node{def, body})
}

// identity reports whether a projection hands its input on as it is.
func identity(p *logical.Project) bool {
	in := p.In.Columns()
	if len(p.Items) != len(in) {
		return false
	}
	for i, it := range p.Items {
		if !it.HandsOn() || it.Column.ID != in[i].ID || it.Name != in[i].Name || it.Nullable != in[i].Nullable {
			return false
		}
	}
	return true
}
