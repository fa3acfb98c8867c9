package lower

import (
	"context"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/hashtable"
	"github.com/parquetsql/parquetsql/exec/join"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/geometry/extent"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// join makes one stream per stream of the probe side.
func (b *builder) join(n *logical.Join) ([]exec.Operator, error) {
	probe, build := n.L, n.R
	if n.BuildsLeft() {
		probe, build = n.R, n.L
	}
	spec, err := joinSpec(b.ctx, n, probe.Columns(), build.Columns())
	if err != nil {
		return nil, err
	}
	buildOps, err := b.build(build)
	if err != nil {
		return nil, err
	}
	first := len(b.scans)
	probeOps, err := b.build(probe)
	if err != nil {
		return nil, err
	}
	if err := b.restrict(n, spec, probe, first); err != nil {
		return nil, err
	}
	return join.New(b.env, *spec, probeOps, buildOps), nil
}

// positional joins rows by their order, which below other operators than those of
// stream only a single worker keeps.
func (b *builder) positional(n *logical.PositionalJoin) ([]exec.Operator, error) {
	defer func(workers int) { b.workers = workers }(b.workers)
	if b.source(n.L) == nil || b.source(n.R) == nil {
		b.workers = 1
	}
	left, err := b.stream(n.L)
	if err != nil {
		return nil, err
	}
	right, err := b.stream(n.R)
	if err != nil {
		return nil, err
	}
	return []exec.Operator{join.NewPositional(left, right, n.Columns().Schema())}, nil
}

// joinSpec describes a join in terms of its build and probe sides.
func joinSpec(ctx context.Context, n *logical.Join, probe, build logical.Columns) (*join.Spec, error) {
	s := &join.Spec{Schema: n.Columns().Schema(), BuildFirst: n.BuildsLeft(), Single: n.Kind == logical.SingleJoin}
	s.Result = join.Pairs
	s.KeepProbe, s.KeepBuild = n.Kind.PadsRight(), n.Kind.PadsLeft()
	switch {
	case n.Kind == logical.MarkJoin:
		s.Result = join.MarkProbe
	case n.Kind == logical.SemiJoin && n.BuildsLeft():
		s.Result = join.MatchedBuild
	case n.Kind == logical.SemiJoin:
		s.Result = join.MatchedProbe
	case n.Kind == logical.AntiJoin && n.BuildsLeft():
		s.Result = join.UnmatchedBuild
	case n.Kind == logical.AntiJoin:
		s.Result = join.UnmatchedProbe
	case n.BuildsLeft():
		s.KeepProbe, s.KeepBuild = s.KeepBuild, s.KeepProbe
	}
	x := newSplitter(ctx, probe, build)
	var rest []expr.Expr
	for _, c := range conjunctsOf(n.On...) {
		key, err := x.key(c)
		if err != nil {
			return nil, err
		}
		if key == nil {
			rest = append(rest, c)
		} else {
			s.Keys = append(s.Keys, *key)
		}
	}
	var err error
	boxes := n.Boxes()
	if n.Test != nil {
		boxes = nil
	}
	if len(s.Keys) == 0 && len(rest) > 0 && boxes == nil {
		if s.Order, rest, err = x.order(rest); err != nil {
			return nil, err
		}
	}
	if boxes != nil && len(s.Keys) == 0 {
		if s.Boxes, err = x.boxes(boxes); err != nil {
			return nil, err
		}
	}
	if len(rest) > 0 {
		if s.On, err = x.pairs.expr(x.ctx, conjunction(rest)); err != nil {
			return nil, err
		}
	}
	if n.Test == nil {
		return s, nil
	}
	if s.Test, err = x.pairs.expr(x.ctx, n.Test); err != nil {
		return nil, err
	}
	if s.Order != nil {
		return s, nil
	}
	for _, c := range conjunctsOf(n.Test) {
		key, err := x.key(c)
		if err != nil {
			return nil, err
		}
		if key == nil || key.Null != hashtable.Equals {
			s.TestKeys = nil
			break
		}
		s.TestKeys = append(s.TestKeys, *key)
	}
	return s, nil
}

// conjunctsOf is all conjuncts of some expressions that are not TRUE.
func conjunctsOf(list ...expr.Expr) []expr.Expr {
	var out []expr.Expr
	for _, e := range list {
		for _, c := range expr.Conjuncts(e) {
			if v, ok := expr.Literal(c); !ok || !v.Bool {
				out = append(out, c)
			}
		}
	}
	return out
}

// splitter finds out which conjuncts are keys of a join.
type splitter struct {
	ctx                context.Context
	probe, build       positions
	probeIDs, buildIDs logical.Set
	pairs              positions // of the probe side's columns, then those of the build side
}

func newSplitter(ctx context.Context, probe, build logical.Columns) *splitter {
	return &splitter{
		ctx: ctx, probe: positionsOf(probe), build: positionsOf(build), probeIDs: probe.IDs(), buildIDs: build.IDs(),
		pairs: positionsOf(append(probe[:len(probe):len(probe)], build...)),
	}
}

// key is the key that a conjunct is, or nil.
func (x *splitter) key(e expr.Expr) (*join.Key, error) {
	var l, r expr.Expr
	k := &join.Key{}
	switch e := e.(type) {
	case *expr.Compare:
		if e.Op != expr.OpEq {
			return nil, nil
		}
		l, r, k.Null = e.L, e.R, hashtable.Equals
	case *expr.DistinctFrom:
		if !e.Not {
			return nil, nil
		}
		l, r, k.Null = e.L, e.R, hashtable.NotDistinct
	default:
		return nil, nil
	}
	if logical.Reads(l, x.buildIDs) {
		l, r = r, l
	}
	if !logical.Reads(l, x.probeIDs) || !logical.Reads(r, x.buildIDs) || !sameEquality(l.Type(), r.Type()) || expr.IsVolatile(e) {
		return nil, nil
	}
	var err error
	if k.Probe, err = x.probe.expr(x.ctx, l); err != nil {
		return nil, err
	}
	k.Build, err = x.build.expr(x.ctx, r)
	return k, err
}

// sameEquality reports whether two values, whose types a comparison has accepted
// without a cast, are equal exactly if what is stored is.
func sameEquality(a, b vector.Type) bool {
	if a.IsNested() || b.IsNested() {
		return expr.ComparableNested(a, b)
	}
	return a.Storage() == b.Storage() && a.Storage() != vector.StoreNone && a.Storage() != vector.StoreNested
}

// boxes are the geometries by which a join finds its candidates.
func (x *splitter) boxes(b *logical.Boxes) (*join.Boxes, error) {
	probe, build := b.L, b.R
	if logical.Reads(probe, x.buildIDs) {
		probe, build = build, probe
	}
	out := &join.Boxes{Distance: b.Distance}
	if probe.Type().Kind == vector.Geography {
		out.Space = extent.Globe
	}
	var err error
	switch {
	case b.By == nil:
	case logical.Reads(b.By, x.buildIDs):
		out.BuildDistance, err = x.build.expr(x.ctx, b.By)
	default:
		out.ProbeDistance, err = x.probe.expr(x.ctx, b.By)
	}
	if err != nil {
		return nil, err
	}
	if out.Probe, err = x.probe.expr(x.ctx, probe); err != nil {
		return nil, err
	}
	out.Build, err = x.build.expr(x.ctx, build)
	return out, err
}
