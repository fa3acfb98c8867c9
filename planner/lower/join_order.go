package lower

import (
	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/join"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// order finds the comparisons by which a join without keys finds its candidates: those
// with the expression of the build side that most comparisons have. The other conjuncts
// are left, one of which may end the candidates at the other side too.
func (x *splitter) order(conjuncts []expr.Expr) (*join.Order, []expr.Expr, error) {
	var best []bool
	most := 0
	for _, c := range conjuncts {
		_, build, _ := x.bound(c)
		if build == nil {
			continue
		}
		same, n := make([]bool, len(conjuncts)), 0
		for i, o := range conjuncts {
			if _, other, _ := x.bound(o); other != nil && expr.Equal(build, other) {
				same[i] = true
				n++
			}
		}
		if n > most {
			best, most = same, n
		}
	}
	if best == nil {
		return nil, conjuncts, nil
	}
	out := &join.Order{}
	var rest []expr.Expr
	for i, c := range conjuncts {
		if !best[i] {
			rest = append(rest, c)
			continue
		}
		probe, build, op := x.bound(c)
		if err := x.add(out, probe, build, op); err != nil {
			return nil, nil, err
		}
	}
	return out, rest, x.reach(out, rest)
}

// reach finds a comparison in the other direction than those of o, if these have one.
func (x *splitter) reach(o *join.Order, rest []expr.Expr) error {
	up := o.Bounds[0].Up()
	for _, b := range o.Bounds {
		if b.Up() != up {
			return nil
		}
	}
	for _, c := range rest {
		probe, build, op := x.bound(c)
		if build == nil || (join.Bound{Op: op}).Up() == up {
			continue
		}
		p, err := x.probe.expr(x.ctx, probe)
		if err != nil {
			return err
		}
		b, err := x.build.expr(x.ctx, build)
		if err != nil {
			return err
		}
		o.Reach = &join.Reach{Build: b, Bound: join.Bound{Op: op, Probe: p}}
		return nil
	}
	return nil
}

// add adds the bound probe op build.
func (x *splitter) add(o *join.Order, probe, build expr.Expr, op expr.Op) error {
	p, err := x.probe.expr(x.ctx, probe)
	if err != nil {
		return err
	}
	o.Bounds = append(o.Bounds, join.Bound{Op: op, Probe: p})
	o.Build, err = x.build.expr(x.ctx, build)
	return err
}

// bound takes a conjunct apart that compares the probe side with the build side; build
// is nil if it is another conjunct.
func (x *splitter) bound(e expr.Expr) (probe, build expr.Expr, op expr.Op) {
	c, ok := e.(*expr.Compare)
	if !ok || c.Op == expr.OpEq || c.Op == expr.OpNe || expr.IsVolatile(e) {
		return nil, nil, op
	}
	probe, build, op = c.L, c.R, c.Op
	if logical.Reads(probe, x.buildIDs) {
		probe, build, op = build, probe, op.Flip()
	}
	if !logical.Reads(probe, x.probeIDs) || !logical.Reads(build, x.buildIDs) || !sameOrder(probe.Type(), build.Type()) {
		return nil, nil, op
	}
	return probe, build, op
}

// sameOrder reports whether two values, whose types a comparison has accepted without a
// cast, are ordered as vector.Compare orders what is stored.
func sameOrder(a, b vector.Type) bool {
	switch a.Storage() {
	case vector.StoreNone, vector.StoreNested, vector.StoreBool:
		return false
	case vector.StoreString:
		if a.Kind == vector.Decimal || b.Kind == vector.Decimal {
			return false
		}
	}
	return a.Storage() == b.Storage()
}

// asOf makes one stream per stream of L; R is the build side.
func (b *builder) asOf(n *logical.AsOfJoin) ([]exec.Operator, error) {
	plain := &logical.Join{Kind: n.Kind, L: n.L, R: n.R, On: n.On}
	spec, err := joinSpec(b.ctx, plain, n.L.Columns(), n.R.Columns())
	if err != nil {
		return nil, err
	}
	if spec.On != nil || !sameOrder(n.Left.Type(), n.Right.Type()) {
		return nil, errs.Unsupported("ASOF JOIN with values of the type %s or with equalities of types that need a CAST", n.Left.Type())
	}
	x := newSplitter(b.ctx, n.L.Columns(), n.R.Columns())
	spec.Order = &join.Order{Nearest: true}
	if err := x.add(spec.Order, n.Left, n.Right, n.Op); err != nil {
		return nil, err
	}
	build, err := b.build(n.R)
	if err != nil {
		return nil, err
	}
	probe, err := b.build(n.L)
	if err != nil {
		return nil, err
	}
	return join.New(b.env, *spec, probe, build), nil
}
