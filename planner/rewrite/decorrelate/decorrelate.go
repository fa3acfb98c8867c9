// Package decorrelate makes joins of all dependent joins (logical.Apply), so that no
// subquery is evaluated once for each row around it. It follows Neumann and Kemper,
// "Unnesting Arbitrary Queries" (BTW 2015), and its sequel of 2025 in that it works
// from the outermost dependent join inwards. For an Apply of L and R it tries in turn:
//
//	constant.go  R computes on one row: it is computed on the rows of L
//	pull.go      the conditions of R on columns of L are moved up to the join
//	scalar.go    R computes on an aggregate without groups: L is joined with the
//	             aggregate, grouped by what the conditions compare
//	domain.go    in general: R is evaluated for the distinct values of the columns of L
//	             that it reads, the domain, and L is joined with the result
//
// Before that, aggregates get the order of their rows inside their parentheses
// (ordered.go). The first three need L once and make plain joins. The last one works for every R:
// the domain is joined at the leaves of R, and every node on the way up keeps its
// columns. They keep their identity there, so the expressions of R stay as they are;
// above R they get a new one.
//
// To make it know a new node, add a case to domain.push, and one to pull if conditions
// can be moved through it.
package decorrelate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// rule is the state for one query.
type rule struct {
	ids   *logical.IDs
	ended func() error // of the query: each Apply hands on the columns of those below it
}

// Rule makes a plan without Apply.
func Rule(q logical.Query) (logical.Node, error) {
	r := &rule{q.IDs, q.Ended}
	n, err := r.node(q.Root)
	if err != nil || n == q.Root {
		return n, err
	}
	return only(n, q.Root.Columns()), nil
}

// only is the node with these columns and no others, in this order.
func only(n logical.Node, want logical.Columns) logical.Node {
	have := n.Columns()
	same := len(have) == len(want)
	for i := range want {
		same = same && have[i].ID == want[i].ID
	}
	if same {
		return n
	}
	p := &logical.Project{In: n}
	for _, c := range want {
		p.Items = append(p.Items, logical.HandOn(c))
	}
	return p
}

// node is the node without Apply. It may have more columns than before. The columns
// that it reads are all from its own inputs.
func (r *rule) node(n logical.Node) (logical.Node, error) {
	a, ok := n.(*logical.Apply)
	if !ok {
		return r.mapInputs(n, func(in logical.Node) (logical.Node, error) { return r.node(in) })
	}
	l, err := r.node(a.L)
	if err != nil {
		return nil, err
	}
	j := a.Join
	j.L = l
	return r.apply(j)
}

func (r *rule) mapInputs(n logical.Node, f func(logical.Node) (logical.Node, error)) (logical.Node, error) {
	old := n.Inputs()
	inputs := make([]logical.Node, len(old))
	for i, in := range old {
		var err error
		if inputs[i], err = f(in); err != nil {
			return nil, err
		}
	}
	return logical.WithInputs(n, inputs)
}

// apply makes a join of a dependent join whose left side has no Apply.
func (r *rule) apply(j logical.Join) (logical.Node, error) {
	if err := r.ended(); err != nil {
		return nil, err
	}
	j.R = asked(j)
	if !logical.Free(j.R).Empty() {
		right, err := r.ordered(j.R)
		if err != nil {
			return nil, err
		}
		j.R = right
	}
	if n, ok, err := r.constant(j); ok || err != nil {
		return n, err
	}
	if n, ok, err := r.overScalar(j); ok || err != nil {
		return n, err
	}
	free := logical.Free(j.R)
	if free.Empty() {
		right, err := r.node(j.R)
		if err != nil {
			return nil, err
		}
		j.R = right
		return single(&j), nil
	}
	if n, ok, err := r.pulledUp(j, free); ok || err != nil {
		return n, err
	}
	return r.general(j, free)
}

// asked is the right side without what does not matter for the join: the order of the
// rows; and for EXISTS and a semi or anti join their values and their number.
func asked(j logical.Join) logical.Node {
	exists := (j.Kind == logical.SemiJoin || j.Kind == logical.AntiJoin || j.Kind == logical.MarkJoin) && len(j.On) == 0 && j.Test == nil
	n := j.R
	for {
		switch x := n.(type) {
		case *logical.Sort:
			n = x.In
			continue
		case *logical.Project:
			if exists {
				n = x.In
				continue
			}
		case *logical.Aggregate:
			if exists && len(x.Groups) > 0 {
				n = x.In
				continue
			}
			if exists {
				n = &logical.OneRow{}
			}
		case *logical.Limit:
			if exists && x.Offset == 0 && x.Limit > 0 {
				n = x.In
				continue
			}
		}
		return n
	}
}

// single makes a cheaper join of a single join whose right side has at most one match.
func single(j *logical.Join) logical.Node {
	if j.Kind != logical.SingleJoin {
		return j
	}
	keys := keysOf(j)
	switch {
	case len(j.On) == 0 && oneRow(j.R):
		j.Kind = logical.InnerJoin
	case unique(j.R, keys):
		j.Kind = logical.LeftJoin
	}
	return j
}

// oneRow reports whether a node always has exactly one row.
func oneRow(n logical.Node) bool {
	switch n := n.(type) {
	case *logical.OneRow:
		return true
	case *logical.Project:
		return oneRow(n.In)
	case *logical.Sort:
		return oneRow(n.In)
	case *logical.Aggregate:
		return len(n.Groups) == 0
	case *logical.Join:
		keeps := n.Kind == logical.MarkJoin || n.Kind == logical.SingleJoin || n.Kind == logical.InnerJoin && len(n.On) == 0 && oneRow(n.R)
		return keeps && oneRow(n.L)
	}
	return false
}

// unique reports whether a node has at most one row for each value of keys.
func unique(n logical.Node, keys logical.Set) bool {
	switch n := n.(type) {
	case *logical.Project:
		return unique(n.In, keys)
	case *logical.Sort:
		return unique(n.In, keys)
	case *logical.Filter:
		return unique(n.In, keys)
	case *logical.Aggregate:
		return keys.Contains(logical.Columns(columnsOf(n.Groups)).IDs())
	case *logical.Limit:
		return n.Limit >= 0 && n.Limit <= 1 || unique(n.In, keys)
	case *logical.Portion:
		return unique(n.In, keys)
	case *logical.OneRow:
		return true
	case *logical.Join:
		keeps := n.Kind == logical.MarkJoin || n.Kind == logical.SingleJoin || n.Kind == logical.SemiJoin || n.Kind == logical.AntiJoin
		return keeps && unique(n.L, keys)
	}
	return false
}

func columnsOf(items []logical.Computed) logical.Columns {
	out := make(logical.Columns, len(items))
	for i, it := range items {
		out[i] = it.Column
	}
	return out
}

// keysOf is the columns of R that On compares with a value of L.
func keysOf(j *logical.Join) logical.Set {
	var keys logical.Set
	right := logical.Made(j.R)
	for _, c := range j.On {
		l, r, ok := equality(c)
		if !ok {
			continue
		}
		for _, side := range [2][2]expr.Expr{{l, r}, {r, l}} {
			c, is := side[0].(*expr.Column)
			if is && right.Has(logical.ColumnID(c.Index)) && logical.ReadBy(side[1]).Intersect(right).Empty() {
				keys.Add(logical.ColumnID(c.Index))
			}
		}
	}
	return keys
}

// equality is the sides of l = r and of l IS NOT DISTINCT FROM r.
func equality(e expr.Expr) (l, r expr.Expr, ok bool) {
	switch e := e.(type) {
	case *expr.Compare:
		return e.L, e.R, e.Op == expr.OpEq
	case *expr.DistinctFrom:
		return e.L, e.R, e.Not
	}
	return nil, nil, false
}

// computed is an expression as a new column.
func (r *rule) computed(name string, e expr.Expr, nullable bool) logical.Computed {
	return logical.Computed{Column: logical.Column{ID: r.ids.New(), Name: name, Type: e.Type(), Nullable: nullable}, Expr: e}
}

// extended is a projection that hands all columns on, for more to be added.
func extended(in logical.Node) *logical.Project {
	p := &logical.Project{In: in}
	for _, c := range in.Columns() {
		p.Items = append(p.Items, logical.HandOn(c))
	}
	return p
}

func filtered(in logical.Node, conjuncts []expr.Expr) logical.Node {
	if len(conjuncts) == 0 {
		return in
	}
	return &logical.Filter{In: in, Conjuncts: conjuncts}
}
