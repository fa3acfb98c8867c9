package decorrelate

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// domain is the distinct values of the columns of L that R reads.
type domain struct {
	r       *rule
	ids     logical.Set
	columns logical.Columns
	// rows makes a node with the columns, of as many rows as L.
	rows func() logical.Node
	// common is the With and Recursive nodes whose rows depend on the domain: their
	// Reuse nodes have its columns too.
	common map[logical.CommonID]bool
	known  map[logical.Node]bool // see in
}

// general evaluates R for each row of the domain, and joins L with the result.
func (r *rule) general(j logical.Join, free logical.Set) (logical.Node, error) {
	d, l, with, err := r.domainOf(j.L, free)
	if err != nil {
		return nil, err
	}
	j.L = l
	right, err := d.push(j.R)
	if err != nil {
		return nil, err
	}
	var same []expr.Expr
	if j.R, same, err = d.renamed(right); err != nil {
		return nil, err
	}
	j.On = append(same, j.On...)
	return with(single(&j)), nil
}

// domainOf is the domain of L, and L for the join with what is computed for it. with
// puts what both share around that join.
func (r *rule) domainOf(l logical.Node, free logical.Set) (d *domain, shared logical.Node, with func(logical.Node) logical.Node, err error) {
	d = &domain{r: r, ids: free, common: map[logical.CommonID]bool{}, known: map[logical.Node]bool{}}
	for _, c := range l.Columns() {
		if !free.Has(c.ID) {
			continue
		}
		if hasVariant(c.Type) {
			return nil, nil, nil, errs.Unsupported("a subquery that reads %s, a %s, of the query around it in this way", c.Name, c.Type)
		}
		d.columns = append(d.columns, c)
	}
	if len(d.columns) != free.Len() {
		return nil, nil, nil, fmt.Errorf("internal error: a subquery reads columns of a query that does not have them")
	}
	if logical.Repeatable(l) {
		d.rows = func() logical.Node { return logical.Again(l) }
		return d, l, func(n logical.Node) logical.Node { return n }, nil
	}
	w := &logical.With{ID: r.ids.NewCommon(), Name: "outer rows", Def: l}
	d.rows = func() logical.Node { return reuse(w, d.columns) }
	return d, reuse(w, l.Columns()), func(n logical.Node) logical.Node {
		w.Body = n
		return w
	}, nil
}

// hasVariant reports whether values of a type cannot be compared, and have no groups.
func hasVariant(t vector.Type) bool {
	if t.Kind == vector.Variant {
		return true
	}
	for _, f := range t.Fields {
		if hasVariant(f.Type) {
			return true
		}
	}
	return false
}

// reuse reads columns of a With under the identities that they have in it.
func reuse(w *logical.With, columns logical.Columns) *logical.Reuse {
	n := &logical.Reuse{ID: w.ID, Name: w.Name, Output: columns}
	for _, c := range columns {
		n.From = append(n.From, c.ID)
	}
	return n
}

// node is the rows of the domain.
func (d *domain) node() logical.Node {
	a := &logical.Aggregate{In: d.rows()}
	for _, c := range d.columns {
		a.Groups = append(a.Groups, logical.HandOn(c))
	}
	return a
}

// in reports whether a subtree reads the domain.
func (d *domain) in(n logical.Node) bool {
	if known, ok := d.known[n]; ok {
		return known
	}
	reads := !logical.ReadBy(n.Exprs()...).Intersect(d.ids).Empty()
	if u, ok := n.(*logical.Reuse); ok {
		return d.common[u.ID]
	}
	for _, in := range n.Inputs() {
		reads = d.in(in) || reads
	}
	d.known[n] = reads
	return reads
}

// renamed gives the columns of the domain new identities, and compares them with the
// old ones. NULL is a value of the domain.
func (d *domain) renamed(n logical.Node) (logical.Node, []expr.Expr, error) {
	p := &logical.Project{In: n}
	var same []expr.Expr
	for _, c := range n.Columns() {
		if !d.ids.Has(c.ID) {
			p.Items = append(p.Items, logical.HandOn(c))
			continue
		}
		fresh := d.r.computed(c.Name, c.Ref(), c.Nullable)
		p.Items = append(p.Items, fresh)
		e, err := expr.NewDistinctFrom(c.Ref(), fresh.Ref(), true)
		if err != nil {
			return nil, nil, err
		}
		same = append(same, e)
	}
	return p, same, nil
}

// push is the rows of a subtree for each row of the domain, with the columns of both.
func (d *domain) push(n logical.Node) (logical.Node, error) {
	if !d.in(n) {
		n, err := d.r.node(n)
		if _, one := n.(*logical.OneRow); one {
			return d.node(), err
		}
		return &logical.Join{Kind: logical.InnerJoin, L: d.node(), R: n}, err
	}
	switch n := n.(type) {
	case *logical.Filter:
		return d.r.mapInputs(n, d.push)
	case *logical.Sort:
		return d.push(n.In)
	case *logical.Project:
		in, err := d.push(n.In)
		return &logical.Project{In: in, Items: d.handOn(n.Items)}, err
	case *logical.Aggregate:
		return d.pushAggregate(n)
	case *logical.GroupingSets:
		return d.pushSets(n)
	case *logical.Join:
		return d.pushJoin(n)
	case *logical.AsOfJoin:
		return d.pushAsOf(n)
	case *logical.Apply:
		l, err := d.push(n.L)
		if err != nil {
			return nil, err
		}
		j := n.Join
		j.L = l
		return d.r.apply(j)
	case *logical.Unnest:
		in, err := d.push(n.In)
		if err != nil {
			return nil, err
		}
		c := *n
		c.In, c.Keep = in, nil
		keep := logical.SetOf(n.Keep...)
		for _, col := range in.Columns() {
			if keep.Has(col.ID) || d.ids.Has(col.ID) {
				c.Keep = append(c.Keep, col.ID)
			}
		}
		return &c, nil
	case *logical.Limit:
		return d.pushLimit(n)
	case *logical.Window:
		in, err := d.push(n.In)
		c := *n
		c.In = in
		for _, col := range d.columns {
			c.Partition = append(c.Partition[:len(c.Partition):len(c.Partition)], expr.OrderKey(col.Ref()))
		}
		return &c, err
	}
	return d.pushCommon(n)
}

// handOn adds the columns of the domain to a list.
func (d *domain) handOn(items []logical.Computed) []logical.Computed {
	out := items[:len(items):len(items)]
	have := columnsOf(items).IDs()
	for _, c := range d.columns {
		if !have.Has(c.ID) {
			out = append(out, logical.HandOn(c))
		}
	}
	return out
}

// pushAggregate makes the columns of the domain groups. Without groups before, there is
// a row for each row of the domain.
func (d *domain) pushAggregate(n *logical.Aggregate) (logical.Node, error) {
	in, err := d.push(n.In)
	if err != nil {
		return nil, err
	}
	a := &logical.Aggregate{In: in, Groups: d.handOn(n.Groups), Aggs: n.Aggs}
	if len(n.Groups) > 0 {
		return a, nil
	}
	return d.perRow(d.node(), a)
}

// perRow joins rows with an aggregate by the columns of the domain, so that there is a
// row of it for each of them.
func (d *domain) perRow(l logical.Node, a *logical.Aggregate) (logical.Node, error) {
	var failed error
	out, err := d.r.defaults(a, func(right logical.Node) logical.Node {
		right, same, err := d.renamed(right)
		failed = err
		return &logical.Join{Kind: logical.LeftJoin, L: l, R: right, On: same}
	})
	if failed != nil {
		err = failed
	}
	return out, err
}

// pushCommon pushes into the nodes that share rows or unite them.
func (d *domain) pushCommon(n logical.Node) (logical.Node, error) {
	switch n := n.(type) {
	case *logical.Union:
		in, err := d.r.mapInputs(n, d.push)
		if err != nil {
			return nil, err
		}
		c := *in.(*logical.Union)
		from := make([][]logical.ColumnID, len(c.From))
		for i := range from {
			from[i] = d.add(c.From[i])
		}
		c.Output, c.From = d.addColumns(c.Output), from
		return &c, nil
	case *logical.With:
		d.mark(n.ID, n.Def)
		return d.r.mapInputs(n, func(in logical.Node) (logical.Node, error) {
			if in == n.Def && !d.common[n.ID] {
				return d.r.node(in)
			}
			return d.push(in)
		})
	case *logical.Reuse:
		return &logical.Reuse{ID: n.ID, Name: n.Name, Output: d.addColumns(n.Output), From: d.add(n.From)}, nil
	case *logical.Recursive:
		d.common[n.ID] = true
		d.known = map[logical.Node]bool{}
		in, err := d.r.mapInputs(n, d.push)
		if err != nil {
			return nil, err
		}
		c := *in.(*logical.Recursive)
		c.Output, c.From = d.addColumns(c.Output), [2][]logical.ColumnID{d.add(c.From[0]), d.add(c.From[1])}
		return &c, nil
	}
	return nil, errs.Unsupported("a subquery that reads columns of the query around it within a %T", n)
}

// mark notes that the rows of a With depend on the domain, if they do.
func (d *domain) mark(id logical.CommonID, def logical.Node) {
	if d.in(def) {
		d.common[id] = true
		d.known = map[logical.Node]bool{} // its Reuse nodes read the domain now
	}
}

func (d *domain) add(from []logical.ColumnID) []logical.ColumnID {
	out := from[:len(from):len(from)]
	for _, c := range d.columns {
		out = append(out, c.ID)
	}
	return out
}

func (d *domain) addColumns(columns logical.Columns) logical.Columns {
	return append(columns[:len(columns):len(columns)], d.columns...)
}
