package decorrelate

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
	"github.com/parquetsql/parquetsql/vector"
)

// chain is the projections and filters at the top of a node, the lowest first, and the
// node below them.
func chain(n logical.Node) (nodes []logical.Node, below logical.Node) {
	for {
		switch x := n.(type) {
		case *logical.Project:
			nodes, n = append(nodes, x), x.In
		case *logical.Filter:
			nodes, n = append(nodes, x), x.In
		case *logical.Sort:
			n = x.In
		case *logical.Limit:
			if x.Offset > 0 || x.Limit == 0 {
				return reversed(nodes), n
			}
			if below := x.In; oneRowAtMost(below) {
				n = below
				continue
			}
			return reversed(nodes), n
		default:
			return reversed(nodes), n
		}
	}
}

// oneRowAtMost reports whether a LIMIT above changes nothing.
func oneRowAtMost(n logical.Node) bool { return unique(n, logical.Set{}) }

func reversed(nodes []logical.Node) []logical.Node {
	out := make([]logical.Node, len(nodes))
	for i, n := range nodes {
		out[len(nodes)-1-i] = n
	}
	return out
}

// constant computes a right side that is projections and filters over one row on the
// rows of the left side. So it does what is unnested of it.
func (r *rule) constant(j logical.Join) (logical.Node, bool, error) {
	nodes, below := chain(j.R)
	if u, ok := below.(*logical.Unnest); ok && !logical.Free(j.R).Empty() {
		n, ok := r.unnested(j, nodes, u)
		return n, ok, nil
	}
	if _, ok := below.(*logical.OneRow); !ok {
		return nil, false, nil
	}
	n, err := r.onRows(j, nodes)
	return n, true, err
}

// unnested is the join with a right side that is nodes over an Unnest of one row, if that can be made of the rows of
// the left side: so it is where rows without a match are dropped, and where they are those without elements.
func (r *rule) unnested(j logical.Join, nodes []logical.Node, u *logical.Unnest) (logical.Node, bool) {
	pads := j.Kind == logical.LeftJoin && !slices.ContainsFunc(j.On, func(e expr.Expr) bool {
		v, ok := expr.Literal(e)
		return !ok || v.Null || !v.Bool
	})
	if pads {
		var ok bool
		if u, nodes, ok = padded(u, nodes); !ok {
			return nil, false
		}
	} else if j.Kind != logical.InnerJoin {
		return nil, false
	}
	for {
		lower, below := chain(u.In)
		if pads && slices.ContainsFunc(lower, func(n logical.Node) bool { _, filter := n.(*logical.Filter); return filter }) {
			return nil, false
		}
		nodes = slices.Concat(lower, []logical.Node{u}, nodes)
		switch x := below.(type) {
		case *logical.OneRow:
			return r.onPassing(j, nodes), true
		case *logical.Unnest:
			if u = x; !pads {
				continue
			}
		}
		return nil, false
	}
}

// padded is an Unnest and nodes above it, all of whose columns are NULL in a row without elements. It is not ok if
// they compute anything of the elements, which might not be NULL, or drop rows.
func padded(u *logical.Unnest, nodes []logical.Node) (*logical.Unnest, []logical.Node, bool) {
	outer := *u
	outer.Outer, outer.Elements = true, slices.Clone(u.Elements)
	var nulls logical.Set
	for i, e := range outer.Elements {
		outer.Elements[i].Nullable = true
		nulls.Add(e.ID)
	}
	if u.Pos.ID != 0 {
		outer.Pos.Nullable = true
		nulls.Add(u.Pos.ID)
	}
	out := make([]logical.Node, 0, len(nodes))
	for _, n := range nodes {
		p, ok := n.(*logical.Project)
		if !ok {
			return nil, nil, false
		}
		c := &logical.Project{In: p.In}
		for _, it := range p.Items {
			column, ok := it.Expr.(*expr.Column)
			if !ok || !nulls.Has(logical.ColumnID(column.Index)) {
				return nil, nil, false
			}
			it.Nullable = true
			nulls.Add(it.ID)
			c.Items = append(c.Items, it)
		}
		out = append(out, c)
	}
	return &outer, out, true
}

// onRows is the join with a right side that is projections and filters over one row.
func (r *rule) onRows(j logical.Join, nodes []logical.Node) (logical.Node, error) {
	if j.Kind == logical.InnerJoin || j.Kind == logical.SemiJoin {
		return r.onPassing(j, nodes), nil
	}
	padding, err := r.padding(&j, nodes)
	if err != nil {
		return nil, err
	}
	n := j.L
	var exists expr.Expr // whether the row of R is there; nil: it is
	for _, x := range nodes {
		switch x := x.(type) {
		case *logical.Filter:
			n, exists, err = r.narrowed(n, exists, x.Conjuncts)
		case *logical.Project:
			n, err = guarded(n, exists, x.Items)
		}
		if err != nil {
			return nil, err
		}
	}
	if n, exists, err = r.narrowed(n, exists, j.On); err != nil {
		return nil, err
	}
	switch j.Kind {
	case logical.AntiJoin:
		if exists == nil {
			exists = expr.NewConst(vector.BoolScalar(true))
		}
		none, err := expr.NewIsBool(exists, true, true)
		return filtered(n, []expr.Expr{none}), err
	case logical.MarkJoin:
		return markOf(j, n, exists)
	}
	if padding == nil {
		return n, nil
	}
	return padding.apply(n, exists)
}

// onPassing is onRows for a join that drops the rows of L without a match.
func (r *rule) onPassing(j logical.Join, nodes []logical.Node) logical.Node {
	n := j.L
	for _, x := range nodes {
		switch x := x.(type) {
		case *logical.Filter:
			n = &logical.Filter{In: n, Conjuncts: x.Conjuncts}
		case *logical.Project:
			p := extended(n)
			p.Items = append(p.Items, added(n, x.Items)...)
			n = p
		case *logical.Unnest:
			u := *x
			u.In, u.Keep = n, n.Columns().List()
			n = &u
		}
	}
	return filtered(n, j.On)
}

// added is the items that the node does not have yet.
func added(n logical.Node, items []logical.Computed) []logical.Computed {
	have := logical.Made(n)
	var out []logical.Computed
	for _, it := range items {
		if !have.Has(it.ID) {
			out = append(out, it)
		}
	}
	return out
}

// narrowed computes whether the row of R passes conjuncts too. Those after one that is
// not TRUE are not evaluated.
func (r *rule) narrowed(n logical.Node, exists expr.Expr, conjuncts []expr.Expr) (logical.Node, expr.Expr, error) {
	if len(conjuncts) == 0 {
		return n, exists, nil
	}
	if exists != nil {
		conjuncts = append([]expr.Expr{exists}, conjuncts...)
	}
	all, err := expr.NewAnd(conjuncts...)
	if err != nil {
		return nil, nil, err
	}
	p, c := extended(n), r.computed("exists", all, true)
	p.Items = append(p.Items, c)
	return p, c.Ref(), nil
}

// guarded computes items. One that may fail is computed only where the row exists.
func guarded(n logical.Node, exists expr.Expr, items []logical.Computed) (logical.Node, error) {
	p := extended(n)
	for _, it := range added(n, items) {
		if exists != nil && expr.CanFail(it.Expr) {
			guard, err := where(exists, it.Expr)
			if err != nil {
				return nil, err
			}
			it.Expr, it.Nullable = guard, true
		}
		p.Items = append(p.Items, it)
	}
	return p, nil
}

// where is the expression, NULL where cond is not TRUE.
func where(cond, e expr.Expr) (expr.Expr, error) {
	return expr.NewCase(nil, []expr.Expr{cond}, []expr.Expr{e}, expr.NewConst(vector.NullOf(e.Type())))
}

func markOf(j logical.Join, n logical.Node, exists expr.Expr) (logical.Node, error) {
	test := j.Test
	if test == nil {
		test = expr.NewConst(vector.BoolScalar(true))
	}
	if exists != nil {
		var err error
		if test, err = expr.NewCase(nil, []expr.Expr{exists}, []expr.Expr{test}, expr.NewConst(vector.BoolScalar(false))); err != nil {
			return nil, err
		}
	}
	p := extended(n)
	p.Items = append(p.Items, logical.Computed{Column: j.Mark, Expr: test})
	return p, nil
}

// padding gives the columns that nodes compute new identities, if conditions decide
// whether the row of R exists. Then the old ones are for the columns that are NULL
// where it does not.
type padding struct {
	columns logical.Columns                     // of R
	by      map[logical.ColumnID]expr.Expr      // the new column of each
	fresh   map[logical.ColumnID]logical.Column // the same
}

// pads reports whether the row of R may not exist, and is one with NULLs then.
func pads(j logical.Join, nodes []logical.Node) bool {
	conditions := len(j.On) > 0
	for _, n := range nodes {
		f, filter := n.(*logical.Filter)
		conditions = conditions || filter && len(f.Conjuncts) > 0
	}
	return conditions && j.Kind.PadsRight()
}

// padding changes the nodes of a chain and the conditions of the join in that way. It
// is nil if nothing needs it.
func (r *rule) padding(j *logical.Join, nodes []logical.Node) (*padding, error) {
	if !pads(*j, nodes) {
		return nil, nil
	}
	p := &padding{columns: j.R.Columns(), by: map[logical.ColumnID]expr.Expr{}, fresh: map[logical.ColumnID]logical.Column{}}
	for _, c := range p.columns {
		fresh := c
		fresh.ID = r.ids.New()
		p.by[c.ID], p.fresh[c.ID] = fresh.Ref(), fresh
	}
	for i, n := range nodes {
		var err error
		switch n := n.(type) {
		case *logical.Filter:
			c := &logical.Filter{In: n.In}
			c.Conjuncts, err = p.replaced(n.Conjuncts)
			nodes[i] = c
		case *logical.Project:
			c := &logical.Project{In: n.In}
			for _, it := range n.Items {
				if it.Expr, err = predicate.Replaced(it.Expr, p.by); err != nil {
					break
				}
				if fresh, ok := p.fresh[it.ID]; ok {
					it.Column = fresh
				}
				c.Items = append(c.Items, it)
			}
			nodes[i] = c
		}
		if err != nil {
			return nil, err
		}
	}
	var err error
	j.On, err = p.replaced(j.On)
	return p, err
}

func (p *padding) replaced(list []expr.Expr) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(list))
	for i, e := range list {
		var err error
		if out[i], err = predicate.Replaced(e, p.by); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// apply computes the columns of R, NULL where its row does not exist.
func (p *padding) apply(n logical.Node, exists expr.Expr) (logical.Node, error) {
	out := extended(n)
	for _, c := range p.columns {
		x, err := where(exists, p.by[c.ID])
		if err != nil {
			return nil, err
		}
		c.Nullable = true
		out.Items = append(out.Items, logical.Computed{Column: c, Expr: x})
	}
	return out, nil
}
