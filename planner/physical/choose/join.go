package choose

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/planner/predicate"
	"github.com/parquetsql/parquetsql/vector"
)

// join decides which side is kept, and how a row of the other finds its candidates. The rows that are
// kept are copies; w.copies says so of those who get the result.
func (c chooser) join(n *logical.Join, w want) (physical.Node, error) {
	probe, build := n.L, n.R
	if n.BuildsLeft() {
		probe, build = n.R, n.L
	}
	out := conditions(n, probe.Columns(), build.Columns())
	out.Unread = c.reads.unread(n)
	var err error
	if out.Build, err = c.wanted(build, want{copies: true}); err != nil {
		return nil, err
	}
	if out.Probe, err = c.wanted(probe, want{copies: w.copies, first: w.first}); err != nil {
		return nil, err
	}
	out.Filters, err = filters(n, out)
	return out, err
}

// asOf keeps the right side.
func (c chooser) asOf(n *logical.AsOfJoin, copies bool) (physical.Node, error) {
	out := conditions(&logical.Join{Kind: n.Kind, L: n.L, R: n.R, On: n.On}, n.L.Columns(), n.R.Columns())
	if out.Of = n; out.On != nil || !sameOrder(n.Left.Type(), n.Right.Type()) {
		return nil, errs.Unsupported("ASOF JOIN with values of the type %s or with equalities of types that need a CAST", n.Left.Type())
	}
	out.Order = &physical.Order{Build: n.Right, Bounds: []physical.Comparison{{Probe: n.Left, Op: n.Op}}, Nearest: true}
	out.Unread = c.reads.unread(n)
	var err error
	if out.Build, err = c.wanted(n.R, want{copies: true}); err != nil {
		return nil, err
	}
	out.Probe, err = c.wanted(n.L, want{copies: copies})
	return out, err
}

// conditions divides the conditions of a join by their use. The inputs are left out.
func conditions(n *logical.Join, probe, build logical.Columns) *physical.Join {
	out := &physical.Join{Of: n, Kind: n.Kind, BuildsLeft: n.BuildsLeft(), Test: n.Test, Span: n.Span}
	x := sides{probe: probe.IDs(), build: build.IDs()}
	var rest []expr.Expr
	for _, c := range conjunctsOf(n.On...) {
		if key := x.key(c); key != nil {
			out.Keys = append(out.Keys, *key)
		} else {
			rest = append(rest, c)
		}
	}
	boxes := n.Boxes()
	if n.Test != nil {
		boxes = nil
	}
	if len(out.Keys) == 0 && n.Test == nil && boxes == nil {
		out.Either, rest = x.either(rest)
	}
	if len(out.Keys) == 0 && len(rest) > 0 && boxes == nil && out.Either == nil && !oneRow(keptSide(n)) {
		out.Order, rest = x.order(rest, false)
	}
	if len(out.Keys) > 0 && n.Test == nil && !keepsBuild(n) {
		out.Order, rest = x.order(rest, true)
	}
	if n.Test == nil {
		out.Limits = x.limits(n, out.Order)
	}
	if boxes != nil && len(out.Keys) == 0 {
		out.Boxes = x.boxes(boxes)
	}
	out.On = rest
	rejected := predicate.RejectedBy(rest)
	for _, c := range probe {
		if rejected.Has(c.ID) {
			out.Rejects = append(out.Rejects, c.ID)
		}
	}
	if n.Test == nil || out.Order != nil {
		return out
	}
	for _, c := range conjunctsOf(n.Test) {
		key := x.key(c)
		if key == nil || key.NotDistinct {
			out.TestKeys = nil
			break
		}
		out.TestKeys = append(out.TestKeys, *key)
	}
	return out
}

// keptSide is the side whose rows are kept.
func keptSide(n *logical.Join) logical.Node {
	if n.BuildsLeft() {
		return n.L
	}
	return n.R
}

// oneRow reports whether a node has no more than one row: all rows of the other side are compared with that at once.
func oneRow(n logical.Node) bool {
	switch n := n.(type) {
	case *logical.OneRow, *logical.MetaAggregate:
		return true
	case *logical.Aggregate:
		return len(n.Groups) == 0
	case *logical.Project:
		return oneRow(n.In)
	case *logical.Filter:
		return oneRow(n.In)
	}
	return false
}

// keepsBuild reports whether rows of the build side without a match are in the result.
func keepsBuild(n *logical.Join) bool {
	if n.BuildsLeft() {
		return n.Kind.KeepsLeft() || n.Kind == logical.AntiJoin
	}
	return n.Kind.PadsLeft()
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

// sides are the columns of a join's two inputs.
type sides struct{ probe, build logical.Set }

// key is the key that a conjunct is, or nil.
func (x sides) key(e expr.Expr) *physical.Key {
	var l, r expr.Expr
	k := &physical.Key{}
	switch e := e.(type) {
	case *expr.Compare:
		if e.Op != expr.OpEq {
			return nil
		}
		l, r = e.L, e.R
	case *expr.DistinctFrom:
		if !e.Not {
			return nil
		}
		l, r, k.NotDistinct = e.L, e.R, true
	default:
		return nil
	}
	if logical.Reads(l, x.build) {
		l, r = r, l
	}
	if !logical.Reads(l, x.probe) || !logical.Reads(r, x.build) || !sameEquality(l.Type(), r.Type()) || expr.IsVolatile(e) {
		return nil
	}
	k.Probe, k.Build = l, r
	return k
}

// maxEither is how many alternatives a join looks up: each has a hash table.
const maxEither = 8

// either is the keys of the alternatives of an OR, and the other conjuncts. The OR is among these where an
// alternative is more than its keys.
func (x sides) either(conjuncts []expr.Expr) ([][]physical.Key, []expr.Expr) {
	for i, c := range conjuncts {
		or, ok := c.(*expr.Logic)
		if !ok || !or.Or || len(or.Args) > maxEither || !expr.CanOnlyOverflow(or) {
			// Keys are computed for all rows, an alternative only after those before it: b = a OR b = a + 1 is
			// hardly ever spared the one sum that does not fit; a cast may be guarded by what is before it.
			continue
		}
		var out [][]physical.Key
		exact := true
		for _, a := range or.Args {
			var keys []physical.Key
			for _, e := range expr.Conjuncts(a) {
				if k := x.key(e); k != nil {
					keys = append(keys, *k)
				} else {
					exact = false
				}
			}
			if keys == nil {
				break
			}
			out = append(out, keys)
		}
		switch {
		case len(out) < len(or.Args):
		case exact:
			return out, slices.Concat(conjuncts[:i], conjuncts[i+1:])
		default:
			return out, conjuncts
		}
	}
	return nil, conjuncts
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
func (x sides) boxes(b *logical.Boxes) *physical.Boxes {
	out := &physical.Boxes{Probe: b.L, Build: b.R, Globe: b.L.Type().Kind == vector.Geography, Distance: b.Distance}
	if logical.Reads(b.L, x.build) {
		out.Probe, out.Build = b.R, b.L
	}
	switch {
	case b.By == nil:
	case logical.Reads(b.By, x.build):
		out.BuildDistance = b.By
	default:
		out.ProbeDistance = b.By
	}
	return out
}
