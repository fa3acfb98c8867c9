package choose

import (
	"testing"

	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// columns is a node of two BIGINT columns without rows.
func columns(ids *logical.IDs, names ...string) *logical.Values {
	v := &logical.Values{}
	for _, name := range names {
		v.Output = append(v.Output, logical.Column{ID: ids.New(), Name: name, Type: vector.Of(vector.BigInt), Nullable: true})
	}
	return v
}

// TestJoinKeys: which conjuncts are keys.
func TestJoinKeys(t *testing.T) {
	must := exectest.Must(t)
	ids := &logical.IDs{}
	l, r := columns(ids, "a", "x"), columns(ids, "b", "y")
	a, x, b, y := l.Output[0].Ref(), l.Output[1].Ref(), r.Output[0].Ref(), r.Output[1].Ref()
	one := expr.NewConst(vector.IntScalar(1))
	add := func(l, r expr.Expr) expr.Expr { return must(expr.NewArith(expr.OpAdd, l, r)) }
	eq := func(l, r expr.Expr) expr.Expr { return must(expr.NewCompare(expr.OpEq, l, r)) }
	for _, c := range []struct {
		e    expr.Expr
		keys int
	}{
		{eq(a, b), 1},
		{eq(add(b, one), add(a, x)), 1},
		{eq(add(a, b), y), 0},
		{eq(a, x), 0},
		{eq(a, one), 0},
		{must(expr.NewCompare(expr.OpLe, a, b)), 0},
		{must(expr.NewDistinctFrom(a, b, true)), 1},
		{must(expr.NewDistinctFrom(a, b, false)), 0},
		{must(expr.NewAnd(eq(a, b), eq(y, x), eq(a, one))), 2},
		{expr.NewConst(vector.BoolScalar(true)), 0},
	} {
		s := conditions(&logical.Join{L: l, R: r, On: []expr.Expr{c.e}}, l.Columns(), r.Columns())
		if len(s.Keys) != c.keys {
			t.Errorf("%s has %d keys, want %d", c.e, len(s.Keys), c.keys)
		}
	}
}
