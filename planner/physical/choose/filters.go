package choose

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/planner/predicate"
)

// A join that drops the rows of its probe side which have no match tells the scans of
// that side, before they begin, what the keys of its build side are, the least and the greatest value
// that is compared there, or where its geometries are. They skip the rows whose keys are others, that are beyond, or
// that meet none of the geometries, and row groups and pages that have only such rows.

// maxFilters is how many keys of a join restrict the scan of its probe side: each is
// followed through the plan and then tested for rows, and the first few drop most rows.
const maxFilters = 32

// filters are those that a join has for scans of its probe side.
func filters(n *logical.Join, j *physical.Join) (out []physical.RuntimeFilter, err error) {
	if !dropsProbe(n) {
		return nil, nil
	}
	add := func(key int, e expr.Expr) {
		if err != nil || expr.CanFail(e) {
			return
		}
		err = follow(j.Probe, e, func(s *physical.Scan, e expr.Expr) {
			out = append(out, physical.RuntimeFilter{Scan: s, Expr: e, Key: key})
		})
	}
	if j.Boxes != nil && j.Boxes.ProbeDistance == nil {
		add(-1, j.Boxes.Probe)
	}
	for i, k := range j.Keys[:min(len(j.Keys), maxFilters)] {
		add(i, k.Probe)
	}
	for i, l := range j.Limits[:min(len(j.Limits), maxFilters)] {
		add(len(j.Keys)+i, l.Probe)
	}
	return out, err
}

// limits are the comparisons of a join with columns of the build side, and with what its rows are sorted by.
func (x sides) limits(n *logical.Join, o *physical.Order) (out []physical.Reach) {
	for _, c := range conjunctsOf(n.On...) {
		build, bound := x.bound(c)
		if build == nil {
			continue
		}
		_, kept := build.(*expr.Column)
		kept = kept || o != nil && (expr.Equal(build, o.Build) || o.Reach != nil && expr.Equal(build, o.Reach.Build))
		if kept {
			out = append(out, physical.Reach{Build: build, Comparison: bound})
		}
	}
	return out
}

// dropsProbe reports whether a row of the probe side without a match is of no use.
func dropsProbe(n *logical.Join) bool {
	if n.BuildsLeft() {
		return n.Kind != logical.RightJoin && n.Kind != logical.FullJoin
	}
	return n.Kind == logical.InnerJoin || n.Kind == logical.SemiJoin || n.Kind == logical.RightJoin
}

// follow calls found with each scan whose rows decide e, and with e over its columns:
// a row of n for which e has an unwanted value comes from a row of the scan for
// which it has, and dropping that row drops nothing else. Rows that rounds of a recursion
// read are not followed: other rounds have other keys.
func follow(n physical.Node, e expr.Expr, found func(*physical.Scan, expr.Expr)) error {
	read := logical.ReadBy(e)
	has := func(in physical.Node) bool { return made(in).Contains(read) }
	switch n := n.(type) {
	case *physical.Scan:
		if n.Of.Limit < 0 && has(n) {
			found(n, e)
		}
	case *physical.Filter:
		return follow(n.In, e, found)
	case *physical.Sort:
		return follow(n.In, e, found)
	case *physical.With:
		return follow(n.Body, e, found)
	case *physical.Unnest:
		if has(n.In) {
			return follow(n.In, e, found)
		}
	case *physical.Project:
		return through(n.In, n.Of.Items, e, found)
	case *physical.Aggregate: // whole groups go
		return through(n.In, n.Of.Groups, e, found)
	case *physical.Pick:
		items, columns := make([]logical.Computed, len(n.Output)), n.In.Columns()
		for i, c := range n.Output {
			from, _ := columns.Find(n.From[i])
			items[i] = logical.Computed{Column: c, Expr: from.Ref()}
		}
		return through(n.In, items, e, found)
	case *physical.Union:
		for _, in := range n.In {
			if err := follow(in, e, found); err != nil {
				return err
			}
		}
	case *physical.Join:
		in := n.Inputs()
		switch {
		case has(in[0]) && !n.Kind.PadsLeft():
			return follow(in[0], e, found)
		case n.Kind.HasRight() && has(in[1]) && !n.Kind.PadsRight() && !n.Nearest():
			return follow(in[1], e, found)
		}
	}
	return nil
}

// through follows e to the input of computed columns.
func through(in physical.Node, items []logical.Computed, e expr.Expr, found func(*physical.Scan, expr.Expr)) error {
	by := make(map[logical.ColumnID]expr.Expr, len(items))
	for _, it := range items {
		by[it.ID] = it.Expr
	}
	e, err := predicate.Replaced(e, by)
	if err != nil || expr.CanFail(e) || expr.IsVolatile(e) {
		return err
	}
	return follow(in, e, found)
}

// made is the identities of the columns that a node produces.
func made(n physical.Node) logical.Set {
	if of := n.Logical(); of != nil {
		return logical.Made(of) // makes no list of them at each of many joins
	}
	return n.Columns().IDs()
}
