package operators

import (
	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/join"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/set"
	"github.com/parquetsql/parquetsql/geometry/extent"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// join makes one stream per stream of the probe side.
func (b *builder) join(n *physical.Join) ([]exec.Operator, error) {
	spec, err := b.joinSpec(n)
	if err != nil {
		return nil, err
	}
	build, err := b.build(n.Build)
	if err != nil {
		return nil, err
	}
	probe, err := b.build(n.Probe)
	if err != nil {
		return nil, err
	}
	if err := b.filters(n, spec); err != nil {
		return nil, err
	}
	return join.New(b.env, *spec, probe, build), nil
}

// resultOf says which rows a join returns.
func resultOf(n *physical.Join) join.Result {
	switch {
	case n.Kind == logical.MarkJoin:
		return join.MarkProbe
	case n.Kind == logical.SemiJoin && n.BuildsLeft:
		return join.MatchedBuild
	case n.Kind == logical.SemiJoin:
		return join.MatchedProbe
	case n.Kind == logical.AntiJoin && n.BuildsLeft:
		return join.UnmatchedBuild
	case n.Kind == logical.AntiJoin:
		return join.UnmatchedProbe
	}
	return join.Pairs
}

// sides translates expressions over the columns of a join's inputs.
type sides struct {
	*builder
	probe, build positions
	pairs        positions // of the probe side's columns, then those of the build side
	err          error     // the first one
}

func (x *sides) in(p positions, e expr.Expr) expr.Expr {
	if x.err != nil {
		return nil
	}
	var out expr.Expr
	out, x.err = p.expr(x.ctx, e)
	return out
}

// joinSpec describes a join in terms of positions.
func (b *builder) joinSpec(n *physical.Join) (*join.Spec, error) {
	s := &join.Spec{Result: resultOf(n), Schema: n.Columns().Schema(), Unread: n.Unread, BuildFirst: n.BuildsLeft, Single: n.Kind == logical.SingleJoin, Span: n.Span}
	if s.Result == join.Pairs {
		s.KeepProbe, s.KeepBuild = n.Kind.PadsRight(), n.Kind.PadsLeft()
		if n.BuildsLeft {
			s.KeepProbe, s.KeepBuild = s.KeepBuild, s.KeepProbe
		}
	}
	probe, build := n.Probe.Columns(), n.Build.Columns()
	x := &sides{builder: b, probe: positionsOf(probe), build: positionsOf(build), pairs: positionsOf(append(probe[:len(probe):len(probe)], build...))}
	s.Keys, s.TestKeys = x.keys(n.Keys), x.keys(n.TestKeys)
	if o := n.Order; o != nil {
		s.Order = &join.Order{Build: x.in(x.build, o.Build), Nearest: o.Nearest, Asked: o.Asked, Alone: o.Alone}
		for _, c := range o.Bounds {
			s.Order.Bounds = append(s.Order.Bounds, x.bound(c))
		}
		if o.Reach != nil {
			s.Order.Reach = &join.Reach{Build: x.in(x.build, o.Reach.Build), Bound: x.bound(o.Reach.Comparison)}
		}
	}
	if len(n.Filters) > 0 {
		for _, l := range n.Limits {
			s.Limits = append(s.Limits, x.in(x.build, l.Build))
		}
	}
	for _, a := range n.Either {
		s.Either = append(s.Either, x.keys(a))
	}
	if g := n.Boxes; g != nil {
		s.Boxes = &join.Boxes{Probe: x.in(x.probe, g.Probe), Build: x.in(x.build, g.Build), Distance: g.Distance,
			ProbeDistance: x.in(x.probe, g.ProbeDistance), BuildDistance: x.in(x.build, g.BuildDistance)}
		if g.Globe {
			s.Boxes.Space = extent.Globe
		}
	}
	if len(n.On) > 0 {
		s.On = x.in(x.pairs, conjunction(n.On))
	}
	var err error
	if s.Rejects, err = x.probe.places(n.Rejects); err != nil {
		return nil, err
	}
	s.Test = x.in(x.pairs, n.Test)
	return s, x.err
}

func (x *sides) keys(list []physical.Key) (out []join.Key) {
	for _, k := range list {
		key := join.Key{Probe: x.in(x.probe, k.Probe), Build: x.in(x.build, k.Build), Null: hashtable.Equals}
		if k.NotDistinct {
			key.Null = hashtable.NotDistinct
		}
		out = append(out, key)
	}
	return out
}

func (x *sides) bound(c physical.Comparison) join.Bound {
	out := join.Bound{Op: c.Op, Probe: x.in(x.probe, c.Probe)}
	if c.Shift != nil {
		out.Shift = &c.Shift.Value
	}
	return out
}

// target is a scan that a join tells about one of its keys, or about its geometries.
type target struct {
	key  int
	op   expr.Op // of one of the join's limits
	scan scan.Scan
	expr expr.Expr // over the positions of the table's columns
}

// filters makes a join tell scans of its probe side what its build side has.
func (b *builder) filters(n *physical.Join, s *join.Spec) error {
	var keys, boxes []target
	for _, f := range n.Filters {
		e, err := positionsOf(f.Scan.Of.All()).expr(b.ctx, f.Expr)
		if err != nil {
			return err
		}
		t := target{key: f.Key, scan: b.last[f.Scan].Scan, expr: e}
		if f.Key < 0 {
			boxes = append(boxes, t)
			continue
		}
		if limit := f.Key - len(n.Keys); limit >= 0 {
			t.op = n.Limits[limit].Op
		}
		keys = append(keys, t)
	}
	if boxes != nil {
		s.BuiltBoxes = func(region *extent.Set) {
			for _, t := range boxes {
				t.scan.Restrict([]expr.Expr{expr.NewMember(t.expr, set.Region{Set: region})})
			}
		}
	}
	if keys != nil {
		s.Built = func(of []join.KeyRange) {
			for _, t := range keys {
				if t.key < len(n.Keys) {
					t.scan.Restrict(matching(t.expr, &of[t.key]))
				} else {
					t.scan.Restrict(reaching(t.expr, t.op, &of[t.key]))
				}
			}
		}
	}
	return nil
}

// matching is the conditions on e that a key of a join fulfils if it has a match.
func matching(e expr.Expr, k *join.KeyRange) []expr.Expr {
	if k.Null || e.Type().IsNested() {
		return nil
	}
	if k.Empty {
		return []expr.Expr{expr.NewConst(vector.BoolScalar(false))}
	}
	var out []expr.Expr
	add := func(c expr.Expr, err error) {
		if err == nil && !expr.CanFail(c) {
			out = append(out, c)
		}
	}
	switch {
	case len(k.Values) == 1:
		add(expr.NewCompare(expr.OpEq, e, expr.NewConst(k.Values[0])))
	case k.Values != nil:
		list := make([]expr.Expr, len(k.Values))
		for i, v := range k.Values {
			list[i] = expr.NewConst(v)
		}
		add(expr.NewIn(e, list, false))
	}
	if k.Set != nil {
		out = append(out, expr.NewMember(e, k.Set))
	}
	if k.Min != nil && k.Max != nil && k.Values == nil {
		add(expr.NewCompare(expr.OpGe, e, expr.NewConst(*k.Min)))
		add(expr.NewCompare(expr.OpLe, e, expr.NewConst(*k.Max)))
	}
	return out
}

// reaching is the condition on e that it fulfils if e op a value of the build side is true for one of them.
func reaching(e expr.Expr, op expr.Op, k *join.KeyRange) []expr.Expr {
	if k.Empty {
		return []expr.Expr{expr.NewConst(vector.BoolScalar(false))}
	}
	last := k.Max
	if op == expr.OpGt || op == expr.OpGe {
		last = k.Min
	}
	if last == nil || e.Type().IsNested() {
		return nil
	}
	c, err := expr.NewCompare(op, e, expr.NewConst(*last))
	if err != nil || expr.CanFail(c) {
		return nil
	}
	return []expr.Expr{c}
}
