package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// varyingKeys are the keys of an order that differ within a partition.
func varyingKeys(w *logical.Window) []expr.SortKey {
	return slices.DeleteFunc(slices.Clone(w.OrderBy), func(k expr.SortKey) bool {
		return slices.ContainsFunc(w.Partition, func(e expr.Expr) bool { return expr.Equal(e, k.Expr) })
	})
}

// firstRows makes groups of the partitions of a window whose first rows alone are wanted: each
// column has its value in the row with the least or greatest key, of equal ones the same row in all
// columns. No row is kept or sorted. It is nil where keys are no numbers or times; for others see Firsts.
//
//	SELECT k, x, ROW_NUMBER() OVER (PARTITION BY k ORDER BY y) AS n FROM t, where n is 1
//	SELECT k, ARG_MIN(x, y), 1 AS n FROM t GROUP BY k
func firstRows(q logical.Query, w *logical.Window) (logical.Node, error) {
	if !vector.Sortable(w.OrderBy[0].Expr.Type()) {
		return nil, nil
	}
	return firstOfGroups(q, w, w.In.Columns())
}

// mostFirsts is how many columns of rows with keys that are long have a group's value: each of these keeps the
// keys, too.
const mostFirsts = 2

// Firsts makes groups as firstRows does where keys are texts, wide numbers or intervals, and few columns are wanted.
// It knows these once Prune has been.
func Firsts(q logical.Query) (logical.Node, error) { return firsts(q, q.Root, logical.Made(q.Root)) }

func firsts(q logical.Query, n logical.Node, need logical.Set) (logical.Node, error) {
	if w, ok := n.(*logical.Window); ok && w.First == 1 && len(w.OrderBy) > 0 {
		switch w.OrderBy[0].Expr.Type().Kind {
		case vector.Varchar, vector.UUID, vector.Decimal, vector.Interval:
			var columns []logical.Column
			kept := 0
			for _, c := range w.In.Columns() {
				if !need.Has(c.ID) {
					continue
				}
				if columns = append(columns, c); inPartition(w, c) < 0 {
					kept++
				}
			}
			if kept > mostFirsts {
				break
			}
			grouped, err := firstOfGroups(q, w, columns)
			if err != nil {
				return nil, err
			}
			if grouped != nil {
				if n, err = prune(grouped, need); err != nil {
					return nil, err
				}
			}
		}
	}
	needs := logical.Needs(n, need)
	return mapInputs(n, func(i int, in logical.Node) (logical.Node, error) { return firsts(q, in, needs[i]) })
}

// firstOfGroups is the groups of firstRows, with these columns of the rows, or nil. Without an order any row is the
// first one.
func firstOfGroups(q logical.Query, w *logical.Window, columns []logical.Column) (logical.Node, error) {
	if len(w.OrderBy) > 1 || slices.ContainsFunc(w.OrderBy, func(k expr.SortKey) bool { return k.NullsFirst || expr.IsVolatile(k.Expr) }) ||
		slices.ContainsFunc(w.Partition, func(e expr.Expr) bool { return expr.IsVolatile(e) || e.Type().IsNested() }) {
		return nil, nil
	}
	for _, c := range w.Calls {
		if c.Call.Kind() != window.RowNumber || !c.Type.Equal(vector.Of(vector.BigInt)) {
			return nil, nil
		}
	}
	groups := &logical.Aggregate{In: w.In}
	out := &logical.Project{In: groups}
	for _, e := range w.Partition {
		e = groupKey(e)
		c := columnOf(q, w.In, e)
		c.ID = q.IDs.New()
		groups.Groups = append(groups.Groups, logical.Computed{Column: c, Expr: e})
	}
	for _, c := range columns {
		if g := inPartition(w, c); g >= 0 {
			out.Items = append(out.Items, logical.Computed{Column: c, Expr: groups.Groups[g].Column.Ref()})
			continue
		}
		call, err := aggregate.New("FIRST", []expr.Expr{c.Ref()}, false, nil)
		if err != nil {
			return nil, err
		}
		if len(w.OrderBy) > 0 {
			call = call.WithOrder(w.OrderBy)
		}
		first := logical.NewAggregation(q.IDs, call)
		groups.Aggs = append(groups.Aggs, first)
		out.Items = append(out.Items, logical.Computed{Column: c, Expr: first.Column.Ref()})
	}
	for _, c := range w.Calls {
		out.Items = append(out.Items, logical.Computed{Column: c.Column, Expr: expr.NewConst(vector.IntScalar(1))})
	}
	if _, above := dividedKeys(q, groups); above != nil {
		out.In = above
	}
	return out, nil
}

// inPartition is the place of a column among the keys of a partition, in which all rows have the same value of it;
// else negative.
func inPartition(w *logical.Window, c logical.Column) int {
	if !oneForm(c.Type) {
		return -1
	}
	return slices.IndexFunc(w.Partition, func(e expr.Expr) bool { return expr.Equal(groupKey(e), c.Ref()) })
}

// groupKey is what rows are grouped by instead of a key of a partition: a STRUCT instead of what orders it, as its fields
// are found without a copy of each.
func groupKey(e expr.Expr) expr.Expr {
	if o, ok := e.(*expr.Ordered); ok && o.X.Type().Kind == vector.Struct {
		return o.X
	}
	return e
}

// oneForm reports whether equal values of a type are the same: -0.0 is equal to 0.0, and a month to 30
// days.
func oneForm(t vector.Type) bool {
	switch t.Storage() {
	case vector.StoreBool, vector.StoreInt64, vector.StoreUint64:
		return true
	}
	return t.Kind == vector.Varchar || t.Kind == vector.Struct && !slices.ContainsFunc(t.Fields, func(f vector.Field) bool { return !oneForm(f.Type) })
}
