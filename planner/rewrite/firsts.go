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
// columns. No row is kept or sorted. It is nil where keys are no numbers or times.
//
//	SELECT k, x, ROW_NUMBER() OVER (PARTITION BY k ORDER BY y) AS n FROM t, where n is 1
//	SELECT k, ARG_MIN(x, y), 1 AS n FROM t GROUP BY k
func firstRows(q logical.Query, w *logical.Window) (logical.Node, error) {
	key := w.OrderBy[0]
	if len(w.OrderBy) > 1 || key.NullsFirst || !vector.Sortable(key.Expr.Type()) || expr.IsVolatile(key.Expr) ||
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
		c := columnOf(q, w.In, e)
		c.ID = q.IDs.New()
		groups.Groups = append(groups.Groups, logical.Computed{Column: c, Expr: e})
	}
	for _, c := range w.In.Columns() {
		if g := slices.IndexFunc(w.Partition, func(e expr.Expr) bool { return expr.Equal(e, c.Ref()) }); g >= 0 && oneForm(c.Type) {
			out.Items = append(out.Items, logical.Computed{Column: c, Expr: groups.Groups[g].Column.Ref()})
			continue
		}
		call, err := aggregate.New("FIRST", []expr.Expr{c.Ref()}, false, nil)
		if err != nil {
			return nil, err
		}
		first := logical.NewAggregation(q.IDs, call.WithOrder(w.OrderBy))
		groups.Aggs = append(groups.Aggs, first)
		out.Items = append(out.Items, logical.Computed{Column: c, Expr: first.Column.Ref()})
	}
	for _, c := range w.Calls {
		out.Items = append(out.Items, logical.Computed{Column: c.Column, Expr: expr.NewConst(vector.IntScalar(1))})
	}
	return out, nil
}

// oneForm reports whether equal values of a type are the same: -0.0 is equal to 0.0, and a month to 30
// days.
func oneForm(t vector.Type) bool {
	switch t.Storage() {
	case vector.StoreBool, vector.StoreInt64, vector.StoreUint64:
		return true
	}
	return t.Kind == vector.Varchar
}
