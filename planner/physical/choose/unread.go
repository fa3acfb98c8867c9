package choose

import "github.com/parquetsql/parquetsql/planner/logical"

// reads is, by join and by window whose rows are kept, which columns the nodes above it read. One that is
// not in it has to make all columns.
type reads map[logical.Node]logical.Set

// readsOf looks at all of these in a plan, whose own columns are all wanted.
func readsOf(root logical.Node) reads {
	r := reads{}
	r.add(root, logical.Made(root))
	return r
}

// add notes what is read of a node. Of one that is in the plan several times it is all that is read of it
// anywhere.
func (r reads) add(n logical.Node, need logical.Set) {
	w, window := n.(*logical.Window)
	_, join := n.(*logical.Join)
	_, nearest := n.(*logical.AsOfJoin)
	if join || nearest || window && w.Grouped {
		all := r[n].Union(need)
		r[n], need = all, all
	}
	needs := logical.Needs(n, need)
	for i, in := range n.Inputs() {
		r.add(in, needs[i])
	}
}

// unread is which columns of such a node nothing reads; nil: all are read.
func (r reads) unread(n logical.Node) []bool {
	read, ok := r[n]
	if !ok {
		return nil
	}
	columns, any := n.Columns(), false
	out := make([]bool, len(columns))
	for i, c := range columns {
		out[i] = !read.Has(c.ID)
		any = any || out[i]
	}
	if !any {
		return nil
	}
	return out
}
