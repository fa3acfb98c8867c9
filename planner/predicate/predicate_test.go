package predicate

import (
	"math"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

func column(id int, name string, k vector.Kind) *expr.Column {
	return expr.NewColumn(id, name, vector.Of(k))
}

var (
	a, b, c = column(1, "a", vector.BigInt), column(2, "b", vector.BigInt), column(3, "c", vector.BigInt)
	f, g    = column(4, "f", vector.Double), column(5, "g", vector.Double)
	bl      = column(6, "l", vector.Boolean)
)

func must(e expr.Expr, err error) expr.Expr {
	if err != nil {
		panic(err)
	}
	return e
}

func number(n int64) expr.Expr { return expr.NewConst(vector.IntScalar(n)) }

func compare(op expr.Op, l, r expr.Expr) expr.Expr { return must(expr.NewCompare(op, l, r)) }

func eq(l, r expr.Expr) expr.Expr { return compare(expr.OpEq, l, r) }

func sum(l, r expr.Expr) expr.Expr { return must(expr.NewArith(expr.OpAdd, l, r)) }

func and(list ...expr.Expr) expr.Expr { return must(expr.NewAnd(list...)) }

func or(list ...expr.Expr) expr.Expr { return must(expr.NewOr(list...)) }

func TestRejects(t *testing.T) {
	isTrue := func(x expr.Expr, value, not bool) expr.Expr { return must(expr.NewIsBool(x, value, not)) }
	for _, x := range []struct {
		e    expr.Expr
		want []logical.ColumnID
	}{
		{eq(a, sum(b, number(1))), []logical.ColumnID{1, 2}},
		{expr.NewIsNull(a, true), []logical.ColumnID{1}},
		{expr.NewIsNull(a, false), nil},
		{expr.NewIsNull(sum(a, b), true), []logical.ColumnID{1, 2}},
		{or(eq(a, number(1)), eq(a, b)), []logical.ColumnID{1}},
		{or(eq(a, number(1)), eq(b, number(1))), nil},
		{and(eq(a, number(1)), eq(b, number(1))), []logical.ColumnID{1, 2}},
		{must(expr.NewIn(a, []expr.Expr{b, number(1)}, false)), []logical.ColumnID{1}},
		{must(expr.NewIn(a, []expr.Expr{b, number(1)}, true)), []logical.ColumnID{1, 2}}, // a <> b AND a <> 1,
		{must(expr.NewDistinctFrom(a, b, true)), nil},
		{eq(must(expr.NewCoalesce(a, number(1))), b), []logical.ColumnID{2}},
		{isTrue(eq(a, b), true, false), []logical.ColumnID{1, 2}},
		{isTrue(eq(a, b), false, false), []logical.ColumnID{1, 2}},
		{isTrue(eq(a, b), true, true), nil},
		{bl, []logical.ColumnID{6}},
	} {
		if got := slices.Collect(Rejects(x.e).All()); !slices.Equal(got, x.want) {
			t.Errorf("%s rejects %v, want %v", x.e, got, x.want)
		}
	}
}

func texts(list []expr.Expr) []string {
	var out []string
	for _, e := range list {
		out = append(out, e.String())
	}
	return out
}

func TestFactored(t *testing.T) {
	x, y, z := eq(a, number(1)), eq(b, number(2)), eq(c, number(3))
	fails, null := eq(sum(a, number(1)), number(2)), expr.NewConst(vector.NullOf(vector.Of(vector.Boolean)))
	for _, k := range []struct {
		e    expr.Expr
		want []string
	}{
		{or(and(x, y), and(x, z)), []string{"a = 1", "b = 2 OR c = 3"}},
		{or(and(y, x), x), []string{"a = 1"}},
		{or(and(x, y, z), and(z, x)), []string{"a = 1", "c = 3"}},
		{or(x, y), []string{"a = 1 OR b = 2"}},
		{or(x, null), []string{"a = 1"}},
		{or(and(x, y), null), []string{"a = 1", "b = 2"}},
		{or(x, and(y, null), z), []string{"a = 1 OR c = 3"}},
		{or(and(y, null), and(x, null)), []string{"FALSE"}},
		{or(x, and(fails, null)), []string{"a = 1 OR ((a + 1) = 2 AND NULL)"}},
		{or(and(fails, y), and(fails, z)), []string{"((a + 1) = 2 AND b = 2) OR ((a + 1) = 2 AND c = 3)"}},
	} {
		got, err := Factored([]expr.Expr{k.e})
		if err != nil || !slices.Equal(texts(got), k.want) {
			t.Errorf("%s: %q, %v, want %q", k.e, texts(got), err, k.want)
		}
	}
}

func TestMoved(t *testing.T) {
	classes := NewClasses()
	classes.Add(a, b)
	classes.Add(b, c)
	classes.Add(f, g)
	target := logical.SetOf(3, 5) // c and g
	for _, k := range []struct{ e, want string }{
		{"a > 5", "c > 5"}, {"f > 5.0", "g > 5.0"}, {"1/f", ""}, {"a + 1", ""}, {"null", ""}, {"a = c", ""},
	} {
		e := map[string]expr.Expr{
			"a > 5": compare(expr.OpGt, a, number(5)), "f > 5.0": compare(expr.OpGt, f, number(5)),
			// of 0.0 and -0.0, which are equal, the quotients are not
			"1/f":   compare(expr.OpGt, must(expr.NewArith(expr.OpDiv, number(1), f)), number(0)),
			"a + 1": eq(sum(a, number(1)), number(2)), "null": expr.NewIsNull(a, true), "a = c": eq(a, c),
		}[k.e]
		got, err := Moved([]expr.Expr{e}, classes, target, nil)
		want := []string{k.want}
		if k.want == "" {
			want = nil
		}
		if err != nil || !slices.Equal(texts(got), want) {
			t.Errorf("%s: %q, %v, want %q", e, texts(got), err, want)
		}
	}
	known := []expr.Expr{compare(expr.OpGt, c, number(5))}
	if got, err := Moved([]expr.Expr{compare(expr.OpGt, a, number(5))}, classes, target, known); got != nil || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

func TestPart(t *testing.T) {
	x, y, z := eq(a, number(1)), eq(b, number(2)), eq(c, number(3))
	for _, k := range []struct {
		e    expr.Expr
		want string
	}{
		{or(and(x, y), and(eq(a, number(2)), z)), "a = 1 OR a = 2"},
		{or(and(x, y), z), ""},
		{or(x, eq(a, number(2))), ""},
		{or(and(x, y), and(or(and(eq(a, number(3)), y), and(eq(a, number(4)), z)), z)), "a = 1 OR a = 3 OR a = 4"},
	} {
		got, err := Part(k.e, logical.SetOf(1))
		if err != nil || got == nil && k.want != "" || got != nil && got.String() != k.want {
			t.Errorf("%s: %v, %v, want %s", k.e, got, err, k.want)
		}
	}
}

func TestImpossible(t *testing.T) {
	is := func(op expr.Op, n int64) expr.Expr { return compare(op, a, number(n)) }
	nan := compare(expr.OpEq, f, expr.NewConst(vector.FloatScalar(math.NaN())))
	for _, k := range []struct {
		list []expr.Expr
		want bool
	}{
		{[]expr.Expr{is(expr.OpEq, 1), is(expr.OpEq, 2)}, true},
		{[]expr.Expr{is(expr.OpEq, 1), is(expr.OpEq, 1)}, false},
		{[]expr.Expr{is(expr.OpGt, 1), is(expr.OpLt, 1)}, true},
		{[]expr.Expr{is(expr.OpGe, 1), is(expr.OpLe, 1)}, false},
		{[]expr.Expr{is(expr.OpGe, 1), is(expr.OpLt, 1)}, true},
		{[]expr.Expr{is(expr.OpGt, 5), is(expr.OpLt, 9), is(expr.OpEq, 9)}, true},
		{[]expr.Expr{is(expr.OpGt, 5), eq(b, number(3))}, false},
		{[]expr.Expr{is(expr.OpNe, 5), is(expr.OpEq, 5)}, false}, // it may say too little
		{[]expr.Expr{compare(expr.OpGt, f, expr.NewConst(vector.FloatScalar(1))), nan}, false},
	} {
		if got := Impossible(k.list); got != k.want {
			t.Errorf("%v: %v, want %v", texts(k.list), got, k.want)
		}
	}
}
