package choose

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/vector"
)

// order finds the comparisons by which a join without keys finds its candidates: those
// with the expression of the build side that most comparisons have. The other conjuncts
// are left, one of which may end the candidates at the other side too. So are those that only a
// wider comparison stands for; and all of them beside keys, where rows are sorted only if a key has many.
func (x sides) order(conjuncts []expr.Expr, keyed bool) (*physical.Order, []expr.Expr) {
	all := make([]compared, len(conjuncts))
	best, most := -1, 0
	for i, c := range conjuncts {
		all[i] = x.comparisons(c, keyed)
	}
	same := func(a, b *compared) bool {
		return a.build != nil && b.build != nil && expr.Equal(a.build, b.build) && sameOrder(a.build.Type(), b.build.Type())
	}
	for i := range all {
		n := 0
		for k := range all {
			if same(&all[i], &all[k]) {
				n += len(all[k].bounds)
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	if best < 0 {
		return nil, conjuncts
	}
	out := &physical.Order{Build: all[best].build, Asked: keyed}
	var rest []expr.Expr
	for i, c := range conjuncts {
		if !same(&all[best], &all[i]) {
			rest = append(rest, c)
			continue
		}
		out.Bounds = append(out.Bounds, all[i].bounds...)
		if keyed || all[i].wider {
			rest = append(rest, c)
		}
	}
	out.Alone = keyed && len(conjuncts) == 1 && len(out.Bounds) == 1 && !all[best].wider
	if !keyed {
		out.Reach = x.reach(out.Bounds, rest)
	}
	return out, rest
}

// compared is a conjunct as comparisons with a value of the build side; nil: it is none.
type compared struct {
	build  expr.Expr
	bounds []physical.Comparison
	wider  bool // they let more pairs pass than the conjunct
}

// comparisons takes a conjunct apart. Beside keys most rows have no pair that would be asked: nothing of them
// is computed that may fail.
func (x sides) comparisons(c expr.Expr, keyed bool) compared {
	var out compared
	if build, bound := x.bound(c); build == nil {
		out = x.band(c)
	} else {
		if keyed {
			bound.Probe, bound.Shift = unshifted(bound.Probe)
		}
		out = compared{build: build, bounds: []physical.Comparison{bound}}
	}
	if keyed && out.build != nil && (expr.CanFail(out.build) || expr.CanFail(out.bounds[0].Probe)) {
		return compared{}
	}
	return out
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
