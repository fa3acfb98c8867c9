package stages

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
)

// On one machine a join tells the scans of its probe side which keys its build side has. Where a scan is in
// another stage than the join, a semi join in that stage does: the rows that have no match leave before they
// are exchanged.
//
//	SELECT … FROM orders WHERE EXISTS (SELECT 1 FROM lineitem WHERE l_orderkey = o_orderkey)
//
//	stage 0   orders                                   ◂ splits of orders
//	stage 1   lineitem semi join all rows of stage 0   ◂ splits of lineitem
//	stage 2   rows of stage 0 semi join all of stage 1

// fewKeys is the part of a scan's keys that the other side may have, so that a semi join pays.
const fewKeys = 0.5

// reduction is a scan on one side of a join, and the equality by which the rows of the other side leave out
// most of its rows.
type reduction struct {
	scan *logical.Scan
	key  *expr.Column // of scan
	pair keyPair
}

// keyPair is an equality of a join, and its sides over the columns of L and R.
type keyPair struct{ on, l, r expr.Expr }

// sides are the parts of a join's inputs. Of two it makes the first one a stage that reduces the other.
func (c *cutter) sides(n *logical.Join, pairs []keyPair) (l, r part, err error) {
	right := n.Kind != logical.RightJoin && n.Kind != logical.FullJoin // rows of R without a match are of no use
	left := n.Kind == logical.InnerJoin || n.Kind == logical.RightJoin || n.Kind == logical.SemiJoin
	if right {
		if by, ok := c.reduction(n.R, n.L, pairs, n.Kind != logical.InnerJoin, func(p keyPair) (key, by expr.Expr) { return p.r, p.l }); ok {
			l, r, err = c.reducing(n.L, n.R, by)
			return l, r, err
		}
	}
	if left {
		if by, ok := c.reduction(n.L, n.R, pairs, n.Kind == logical.RightJoin, func(p keyPair) (key, by expr.Expr) { return p.l, p.r }); ok {
			r, l, err = c.reducing(n.R, n.L, by)
			return l, r, err
		}
	}
	return c.both(n.L, n.R)
}

// both are the parts of two inputs.
func (c *cutter) both(l, r logical.Node) (left, right part, err error) {
	if left, err = c.cut(l); err != nil {
		return left, right, err
	}
	right, err = c.cut(r)
	return left, right, err
}

// reduction looks for a scan of side that other reduces. moves says that rows of side leave their stage to
// be joined.
func (c *cutter) reduction(side, other logical.Node, pairs []keyPair, moves bool, sides func(keyPair) (key, by expr.Expr)) (out reduction, ok bool) {
	bytes := c.bytes(other)
	if bytes > c.BroadcastBytes {
		return out, false
	}
	least := fewKeys
	for _, p := range pairs {
		key, by := sides(p)
		scan, column := c.source(side, key, moves)
		if scan == nil || expr.CanFail(by) || 4*bytes > c.bytes(scan) {
			continue
		}
		keys := c.sizes.Of(c.estimated(other)).Count
		if b, ok := by.(*expr.Column); ok {
			keys = min(keys, c.sizes.Of(c.estimated(other)).Column(logical.ColumnID(b.Index)).Distinct)
		}
		if part := keys / c.sizes.Of(scan).Column(logical.ColumnID(column.Index)).Distinct; part <= least {
			out, ok, least = reduction{scan: scan, key: column, pair: p}, true, part
		}
	}
	return out, ok
}

// source is the large scan that a column comes from, if rows of it are exchanged before the join and those
// with an unwanted value decide nothing else. exchanged says that they are, whatever is below.
func (c *cutter) source(n logical.Node, e expr.Expr, exchanged bool) (*logical.Scan, *expr.Column) {
	column, ok := e.(*expr.Column)
	if !ok {
		return nil, nil
	}
	has := func(in logical.Node) bool { return logical.Made(in).Has(logical.ColumnID(column.Index)) }
	computed := func(in logical.Node, items []logical.Computed, exchanged bool) (*logical.Scan, *expr.Column) {
		for _, it := range items {
			if it.ID == logical.ColumnID(column.Index) {
				return c.source(in, it.Expr, exchanged)
			}
		}
		return nil, nil
	}
	switch n := n.(type) {
	case *logical.Scan:
		if bytes, files := c.Bytes(n); exchanged && files && bytes > c.SmallBytes && n.Limit < 0 && has(n) && c.sizes.Known(n) {
			return n, column
		}
	case *logical.Filter:
		return c.source(n.In, e, exchanged)
	case *logical.Project:
		return computed(n.In, n.Items, exchanged)
	case *logical.Aggregate: // whole groups go
		return computed(n.In, n.Groups, true)
	case *logical.Join:
		switch {
		case has(n.L) && !n.Kind.PadsLeft():
			return c.source(n.L, e, exchanged)
		case n.Kind.HasRight() && has(n.R) && !n.Kind.PadsRight():
			return c.source(n.R, e, exchanged)
		}
	}
	return nil, nil
}

// reducing are the parts of two sides of a join, of which the rows of other reduce side.
func (c *cutter) reducing(other, side logical.Node, by reduction) (o, s part, err error) {
	if o, err = c.cut(other); err != nil {
		return o, s, err
	}
	stage, how := c.finish(o, nil), All
	if o.spread {
		how = Task
	}
	o = c.read(how, nil, stage)
	semi, err := c.semi(by, stage)
	if err != nil {
		return o, s, err
	}
	if side, err = c.replaced(side, by.scan, semi); err != nil {
		return o, s, err
	}
	s, err = c.cut(side)
	return o, s, err
}

// semi is the rows of a scan that have a match among those of a stage.
func (c *cutter) semi(by reduction, stage *Stage) (logical.Node, error) {
	var columns []int
	var as logical.Columns
	replaced := map[logical.ColumnID]expr.Expr{}
	for i, column := range stage.Root.Columns() {
		if logical.ReadBy(by.pair.on).Has(column.ID) {
			old := column.ID
			column.ID = c.ids.New() // another scan of the same rows has the old one
			columns, as = append(columns, i), append(as, column)
			replaced[old] = column.Ref()
		}
	}
	for id := range logical.ReadBy(by.pair.on).All() {
		if replaced[id] == nil { // the key, under its name above the scan
			replaced[id] = by.key
		}
	}
	on, err := predicate.Replaced(by.pair.on, replaced)
	if err != nil {
		return nil, err
	}
	p := c.readSome(All, columns, as, stage)
	c.reads[p.inputs[0].Scan] = p.inputs[0]
	return &logical.Join{Kind: logical.SemiJoin, L: by.scan, R: p.node, On: []expr.Expr{on}}, nil
}

// replaced is a plan with another node in place of a scan.
func (c *cutter) replaced(n logical.Node, scan *logical.Scan, by logical.Node) (logical.Node, error) {
	if n == logical.Node(scan) {
		c.before[by] = scan
		return by, nil
	}
	inputs, changed := make([]logical.Node, len(n.Inputs())), false
	for i, in := range n.Inputs() {
		var err error
		if inputs[i], err = c.replaced(in, scan, by); err != nil {
			return nil, err
		}
		changed = changed || inputs[i] != in
	}
	if !changed {
		return n, nil
	}
	out, err := logical.WithInputs(n, inputs)
	if err == nil {
		c.before[out] = c.estimated(n)
	}
	return out, err
}

// estimated is the node that stands for another one in estimates: what it was before scans were reduced.
func (c *cutter) estimated(n logical.Node) logical.Node {
	if before := c.before[n]; before != nil {
		return before
	}
	return n
}
