package rewrite

import (
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Prune drops the columns that nobody needs, down to what scans read. The
// plan's own columns all stay.
func Prune(n logical.Node) (logical.Node, error) {
	all := make(columns)
	for i := range n.Schema() {
		all[i] = true
	}
	pruned, _, err := prune(n, all)
	return pruned, err
}

// columns is a set of indexes into a node's schema.
type columns map[int]bool

func (c columns) add(list ...expr.Expr) columns {
	for _, e := range list {
		if e != nil {
			for _, i := range expr.ColumnsOf(e) {
				c[i] = true
			}
		}
	}
	return c
}

func (c columns) with(keys []expr.SortKey) columns {
	out := columns{}
	for i := range c {
		out[i] = true
	}
	for _, k := range keys {
		out.add(k.Expr)
	}
	return out
}

// moved says where a column of the old schema is in the new one.
type moved map[int]int

func (m moved) to(i int) int { return m[i] }

// keep moves the needed columns together, in order.
func keep(need columns, n int) (kept []int, at moved) {
	at = moved{}
	for i := range n {
		if need[i] {
			at[i] = len(kept)
			kept = append(kept, i)
		}
	}
	return kept, at
}

func pick[T any](list []T, kept []int) []T {
	out := make([]T, len(kept))
	for i, k := range kept {
		out[i] = list[k]
	}
	return out
}

// prune is the node with at least the needed columns, and where they are now.
func prune(n logical.Node, need columns) (logical.Node, moved, error) {
	switch n := n.(type) {
	case *logical.Scan:
		kept, at := keep(need, len(n.Columns))
		return n.With(pick(n.Columns, kept)), at, nil
	case *logical.Filter:
		in, at, err := prune(n.In, columns{}.addAll(need).add(n.Conjuncts...))
		if err != nil {
			return nil, nil, err
		}
		conjuncts, err := remapAll(n.Conjuncts, at.to)
		return &logical.Filter{In: in, Conjuncts: conjuncts}, at, err
	case *logical.Project:
		return pruneProject(n, need)
	case *logical.Aggregate:
		return pruneAggregate(n, need)
	case *logical.MetaAggregate:
		return pruneMeta(n, need)
	case *logical.Sort:
		in, at, err := prune(n.In, need.with(n.Keys))
		if err != nil {
			return nil, nil, err
		}
		keys, err := remapKeys(n.Keys, at)
		return &logical.Sort{In: in, Keys: keys}, at, err
	case *logical.TopN:
		in, at, err := prune(n.In, need.with(n.Keys))
		if err != nil {
			return nil, nil, err
		}
		keys, err := remapKeys(n.Keys, at)
		return &logical.TopN{In: in, Keys: keys, Offset: n.Offset, Limit: n.Limit}, at, err
	case *logical.Limit:
		in, at, err := prune(n.In, need)
		return &logical.Limit{In: in, Offset: n.Offset, Limit: n.Limit}, at, err
	case *logical.Unnest:
		return pruneUnnest(n, need)
	case *logical.Values:
		return pruneValues(n, need)
	case logical.OneRow:
		return n, moved{}, nil
	}
	return nil, nil, fmt.Errorf("parquet: no rule prunes the columns of %T", n)
}

func (c columns) addAll(o columns) columns {
	for i := range o {
		c[i] = true
	}
	return c
}

func remapKeys(keys []expr.SortKey, at moved) ([]expr.SortKey, error) {
	out := slices.Clone(keys)
	for i := range out {
		var err error
		if out[i].Expr, err = remap(out[i].Expr, at.to); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func pruneProject(p *logical.Project, need columns) (logical.Node, moved, error) {
	kept, at := keep(need, len(p.Exprs))
	exprs := pick(p.Exprs, kept)
	in, below, err := prune(p.In, columns{}.add(exprs...))
	if err != nil {
		return nil, nil, err
	}
	if exprs, err = remapAll(exprs, below.to); err != nil {
		return nil, nil, err
	}
	output := pick(p.Output, kept)
	if identity(exprs, output, in.Schema()) {
		return in, at, nil
	}
	return &logical.Project{In: in, Exprs: exprs, Output: output}, at, nil
}

// identity: the projection hands its input on as it is.
func identity(exprs []expr.Expr, output, in vector.Schema) bool {
	if len(exprs) != len(in) {
		return false
	}
	for i, e := range exprs {
		c, ok := e.(*expr.Column)
		if !ok || c.Index != i || output[i].Name != in[i].Name || output[i].Nullable != in[i].Nullable || !c.T.Equal(in[i].Type) {
			return false
		}
	}
	return true
}

// pruneAggregate keeps all group keys, which decide what the rows are.
func pruneAggregate(a *logical.Aggregate, need columns) (logical.Node, moved, error) {
	n := len(a.GroupBy)
	whole := columns{}.addAll(need)
	for i := range n {
		whole[i] = true
	}
	kept, at := keep(whole, n+len(a.Aggs))
	below := columns{}.add(a.GroupBy...)
	var aggs []*aggregate.Call
	for _, i := range kept[n:] {
		g := a.Aggs[i-n]
		below.add(g.Args()...).add(g.Filter())
		aggs = append(aggs, g)
	}
	in, moves, err := prune(a.In, below)
	if err != nil {
		return nil, nil, err
	}
	groups, err := remapAll(a.GroupBy, moves.to)
	if err != nil {
		return nil, nil, err
	}
	for i, g := range aggs {
		if aggs[i], err = g.Transform(func(e expr.Expr) (expr.Expr, error) { return remap(e, moves.to) }); err != nil {
			return nil, nil, err
		}
	}
	return &logical.Aggregate{In: in, GroupBy: groups, Aggs: aggs, Output: pick(a.Output, kept)}, at, nil
}

func pruneMeta(m *logical.MetaAggregate, need columns) (logical.Node, moved, error) {
	below := columns{}
	for _, g := range m.Aggs {
		below.add(g.Args()...)
	}
	in, moves, err := prune(m.Scan, below)
	if err != nil {
		return nil, nil, err
	}
	c := *m
	c.Scan = in.(*logical.Scan)
	c.Aggs = slices.Clone(m.Aggs)
	for i, g := range c.Aggs {
		if c.Aggs[i], err = g.Transform(func(e expr.Expr) (expr.Expr, error) { return remap(e, moves.to) }); err != nil {
			return nil, nil, err
		}
	}
	_, at := keep(columns{}.addAll(need).all(len(m.Output)), len(m.Output))
	return &c, at, nil
}

// all adds the first n columns.
func (c columns) all(n int) columns {
	for i := range n {
		c[i] = true
	}
	return c
}

func pruneUnnest(u *logical.Unnest, need columns) (logical.Node, moved, error) {
	need = columns{}.addAll(need).add(u.On)
	kept, at := keep(need, len(u.Output))
	c := *u
	c.Keep, c.Fields, c.Pos = nil, nil, false
	below := columns{u.Column: true}
	for _, i := range kept {
		switch {
		case i < len(u.Keep):
			c.Keep = append(c.Keep, u.Keep[i])
			below[u.Keep[i]] = true
		case i < len(u.Keep)+len(u.Fields):
			c.Fields = append(c.Fields, u.Fields[i-len(u.Keep)])
		default:
			c.Pos = true
		}
	}
	in, moves, err := prune(u.In, below)
	if err != nil {
		return nil, nil, err
	}
	c.In, c.Column = in, moves[u.Column]
	for i, k := range c.Keep {
		c.Keep[i] = moves[k]
	}
	c.Output = pick(u.Output, kept)
	c.On, err = remap(u.On, at.to)
	return &c, at, err
}

func pruneValues(v *logical.Values, need columns) (logical.Node, moved, error) {
	kept, at := keep(need, len(v.Output))
	c := &logical.Values{Output: pick(v.Output, kept)}
	for _, b := range v.Batches {
		c.Batches = append(c.Batches, &vector.Batch{Len: b.Len, Cols: pick(b.Cols, kept), Sel: b.Sel})
	}
	return c, at, nil
}
