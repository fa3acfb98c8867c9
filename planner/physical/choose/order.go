package choose

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/vector"
)

// order finds the comparisons by which a join without keys finds its candidates: those
// with the expression of the build side that most comparisons have. The other conjuncts
// are left, one of which may end the candidates at the other side too.
func (x sides) order(conjuncts []expr.Expr) (*physical.Order, []expr.Expr) {
	var best []bool
	most := 0
	for _, c := range conjuncts {
		build, _ := x.bound(c)
		if build == nil {
			continue
		}
		same, n := make([]bool, len(conjuncts)), 0
		for i, o := range conjuncts {
			if other, _ := x.bound(o); other != nil && expr.Equal(build, other) {
				same[i] = true
				n++
			}
		}
		if n > most {
			best, most = same, n
		}
	}
	if best == nil {
		return nil, conjuncts
	}
	out := &physical.Order{}
	var rest []expr.Expr
	for i, c := range conjuncts {
		if !best[i] {
			rest = append(rest, c)
			continue
		}
		build, bound := x.bound(c)
		out.Build, out.Bounds = build, append(out.Bounds, bound)
	}
	out.Reach = x.reach(out.Bounds, rest)
	return out, rest
}

// reach finds a comparison in the other direction than some bounds, if these have one.
func (x sides) reach(bounds []physical.Comparison, rest []expr.Expr) *physical.Reach {
	up := bounds[0].Up()
	for _, b := range bounds {
		if b.Up() != up {
			return nil
		}
	}
	for _, c := range rest {
		if build, bound := x.bound(c); build != nil && bound.Up() != up {
			return &physical.Reach{Build: build, Comparison: bound}
		}
	}
	return nil
}

// bound takes a conjunct apart that compares the probe side with the build side; build
// is nil if it is another conjunct.
func (x sides) bound(e expr.Expr) (build expr.Expr, bound physical.Comparison) {
	c, ok := e.(*expr.Compare)
	if !ok || c.Op == expr.OpEq || c.Op == expr.OpNe || expr.IsVolatile(e) {
		return nil, bound
	}
	probe, build, op := c.L, c.R, c.Op
	if logical.Reads(probe, x.build) {
		probe, build, op = build, probe, op.Flip()
	}
	if !logical.Reads(probe, x.probe) || !logical.Reads(build, x.build) || !sameOrder(probe.Type(), build.Type()) {
		return nil, bound
	}
	return build, physical.Comparison{Probe: probe, Op: op}
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
