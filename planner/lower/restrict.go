package lower

import (
	"github.com/parquetsql/parquetsql/exec/join"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/set"
	"github.com/parquetsql/parquetsql/geometry/extent"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
	"github.com/parquetsql/parquetsql/scan/reader"
	"github.com/parquetsql/parquetsql/vector"
)

// A join that drops the rows of its probe side which have no match tells the scans of
// that side, before they begin, what the keys of its build side are, or where its
// geometries are. They skip the rows whose keys are others, or that meet none of the
// geometries, and row groups and pages that have only such rows.

// target is a key, or the geometry, of the probe side as a scan sees it.
type target struct {
	key  int // which of the join's
	scan *reader.Scan
	expr expr.Expr // over the columns of the table
}

// maxRestricting is how many keys of a join restrict the scan of its probe side: each is
// followed through the plan and then tested for rows, and the first few drop most rows.
const maxRestricting = 32

// restrict makes s tell the scans below probe. They are among b.scans from first on.
func (b *builder) restrict(n *logical.Join, s *join.Spec, probe logical.Node, first int) error {
	if !dropsProbe(n) {
		return nil
	}
	if s.Boxes != nil && s.Boxes.ProbeDistance == nil {
		targets, err := b.targets(probe, first, s.Boxes.Probe)
		if err != nil {
			return err
		}
		if targets != nil {
			s.BuiltBoxes = func(region *extent.Set) {
				for _, t := range targets {
					t.scan.Restrict([]expr.Expr{expr.NewMember(t.expr, set.Region{Set: region})})
				}
			}
		}
	}
	keys := make([]expr.Expr, min(len(s.Keys), maxRestricting))
	for i, k := range s.Keys[:len(keys)] {
		keys[i] = k.Probe
	}
	targets, err := b.targets(probe, first, keys...)
	if err != nil {
		return err
	}
	if targets != nil {
		s.Built = func(keys []join.KeyRange) {
			for _, t := range targets {
				t.scan.Restrict(matching(t.expr, &keys[t.key]))
			}
		}
	}
	return nil
}

// targets finds the scans below probe, among b.scans from first on, that some expressions
// over the positions of its columns decide about.
func (b *builder) targets(probe logical.Node, first int, over ...expr.Expr) ([]target, error) {
	columns := probe.Columns()
	byPosition := make(map[logical.ColumnID]expr.Expr, len(columns))
	for i, c := range columns {
		byPosition[logical.ColumnID(i)] = c.Ref()
	}
	var targets []target
	for i, e := range over {
		e, err := predicate.Replaced(e, byPosition)
		if err != nil {
			return nil, err
		}
		if expr.CanFail(e) {
			continue
		}
		err = b.follow(probe, e, func(node *logical.Scan, e expr.Expr) error {
			to := b.only(node, first)
			if to == nil {
				return nil
			}
			e, err := positionsOf(node.All()).expr(b.ctx, e)
			if err == nil {
				targets = append(targets, target{i, to, e})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return targets, nil
}

// dropsProbe reports whether a row of the probe side without a match is of no use.
func dropsProbe(n *logical.Join) bool {
	if n.BuildsLeft() {
		return n.Kind != logical.RightJoin && n.Kind != logical.FullJoin
	}
	return n.Kind == logical.InnerJoin || n.Kind == logical.SemiJoin || n.Kind == logical.RightJoin
}

// only is the scan of a node, nil if there are several.
func (b *builder) only(node *logical.Scan, first int) *reader.Scan {
	var found *reader.Scan
	for _, r := range b.scans[first:] {
		if r.Node != node {
			continue
		}
		if found != nil {
			return nil
		}
		found = r.Scan
	}
	return found
}

// follow calls found with each scan whose rows decide e, and with e over its columns:
// a row of n for which e has an unwanted value comes from a row of the scan for
// which it has, and dropping that row drops nothing else.
func (b *builder) follow(n logical.Node, e expr.Expr, found func(*logical.Scan, expr.Expr) error) error {
	if b.scope.fixedRows(n) != nil {
		return nil // other rounds of a recursion have other keys
	}
	read := logical.ReadBy(e)
	has := func(in logical.Node) bool { return logical.Made(in).Contains(read) }
	switch n := n.(type) {
	case *logical.Scan:
		if n.Limit < 0 && has(n) {
			return found(n, e)
		}
	case *logical.Filter:
		return b.follow(n.In, e, found)
	case *logical.Sort:
		return b.follow(n.In, e, found)
	case *logical.With:
		return b.follow(n.Body, e, found)
	case *logical.Unnest:
		if has(n.In) {
			return b.follow(n.In, e, found)
		}
	case *logical.Project:
		return b.through(n.In, n.Items, e, found)
	case *logical.Aggregate: // whole groups go
		return b.through(n.In, n.Groups, e, found)
	case *logical.Union:
		for i, in := range n.In {
			items, columns := make([]logical.Computed, len(n.Output)), in.Columns()
			for k, c := range n.Output {
				from, _ := columns.Find(n.From[i][k])
				items[k] = logical.Computed{Column: c, Expr: from.Ref()}
			}
			if err := b.through(in, items, e, found); err != nil {
				return err
			}
		}
	case *logical.Join:
		switch {
		case has(n.L) && !n.Kind.PadsLeft():
			return b.follow(n.L, e, found)
		case n.Kind.HasRight() && has(n.R) && !n.Kind.PadsRight():
			return b.follow(n.R, e, found)
		}
	}
	return nil
}

// through follows e to the input of computed columns.
func (b *builder) through(in logical.Node, items []logical.Computed, e expr.Expr, found func(*logical.Scan, expr.Expr) error) error {
	by := make(map[logical.ColumnID]expr.Expr, len(items))
	for _, it := range items {
		by[it.ID] = it.Expr
	}
	e, err := predicate.Replaced(e, by)
	if err != nil || expr.CanFail(e) || expr.IsVolatile(e) {
		return err
	}
	return b.follow(in, e, found)
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
