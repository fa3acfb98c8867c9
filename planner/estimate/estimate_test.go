package estimate

import (
	"math"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// facts is a table of 10,000 rows: id has all values from 1 to 10,000, day those
// from 0 to 99, kind four values, half of its rows are NULL.
type facts struct{ *scan.Table }

func (facts) Rows() float64 { return 10_000 }

func (facts) Column(i int) scan.ColumnStatistics {
	bounds := func(lo, hi int64) (a, b *vector.Scalar) {
		x, y := vector.IntScalar(lo), vector.IntScalar(hi)
		return &x, &y
	}
	c := [...]scan.ColumnStatistics{{Distinct: 10_000}, {Distinct: 100}, {Distinct: 4, Nulls: 0.5}}[i]
	switch i {
	case 0:
		c.Min, c.Max = bounds(1, 10_000)
	case 1:
		c.Min, c.Max = bounds(0, 99)
	}
	return c
}

func newFacts(ids *logical.IDs) (*logical.Scan, []expr.Expr) {
	t := facts{&scan.Table{Name: "facts"}}
	for _, name := range []string{"id", "day", "kind"} {
		t.Columns = append(t.Columns, scan.Column{Name: name, Type: vector.Of(vector.BigInt), Nullable: true})
	}
	s := logical.NewScan(ids, t)
	var out []expr.Expr
	for _, c := range s.Columns() {
		out = append(out, c.Ref())
	}
	return s, out
}

func of(n logical.Node) float64 {
	return New(func(t logical.Table) scan.Statistics { return t.(facts) }).Of(n).Count
}

func must(e expr.Expr, err error) expr.Expr {
	if err != nil {
		panic(err)
	}
	return e
}

func compare(op expr.Op, l, r expr.Expr) expr.Expr { return must(expr.NewCompare(op, l, r)) }

func number(n int64) expr.Expr { return expr.NewConst(vector.IntScalar(n)) }

func near(a, b float64) bool { return math.Abs(a-b) <= 0.01*math.Abs(b)+0.01 }

// TestFilter: the rows that are left if values are spread evenly.
func TestFilter(t *testing.T) {
	s, c := newFacts(&logical.IDs{})
	id, day, kind := c[0], c[1], c[2]
	for _, x := range []struct {
		conjuncts []expr.Expr
		want      float64
	}{
		{nil, 10_000},
		{[]expr.Expr{compare(expr.OpEq, id, number(5))}, 1},
		{[]expr.Expr{compare(expr.OpEq, id, number(50_000))}, 0.1}, // beyond the range
		{[]expr.Expr{compare(expr.OpEq, day, number(5))}, 100},
		{[]expr.Expr{compare(expr.OpNe, day, number(5))}, 9900},
		{[]expr.Expr{compare(expr.OpLt, day, number(25))}, 2500},
		{[]expr.Expr{compare(expr.OpGe, day, number(10)), compare(expr.OpLe, day, number(19))}, 1000},
		{[]expr.Expr{compare(expr.OpGe, day, number(0)), compare(expr.OpLt, day, number(50)), compare(expr.OpEq, day, number(7))}, 100},
		{[]expr.Expr{compare(expr.OpGt, id, number(20_000))}, 0.1},
		{[]expr.Expr{compare(expr.OpEq, kind, number(1))}, 1250},
		{[]expr.Expr{expr.NewIsNull(kind, false)}, 5000},
		{[]expr.Expr{expr.NewIsNull(kind, true)}, 5000},
		{[]expr.Expr{must(expr.NewIn(day, []expr.Expr{number(1), number(2)}, false))}, 200},
		{[]expr.Expr{must(expr.NewIn(day, []expr.Expr{number(1), number(2)}, true))}, 9800},
		{[]expr.Expr{must(expr.NewOr(compare(expr.OpEq, day, number(1)), compare(expr.OpEq, day, number(2))))}, 199},
		{[]expr.Expr{compare(expr.OpEq, day, number(1)), compare(expr.OpEq, kind, number(2))}, 12.5},
	} {
		if got := of(&logical.Filter{In: s, Conjuncts: x.conjuncts}); !near(got, x.want) {
			t.Errorf("%v: %v rows, want %v", x.conjuncts, got, x.want)
		}
	}
}

// TestNodes: the rows of joins, groups and the others.
func TestNodes(t *testing.T) {
	ids := &logical.IDs{}
	l, a := newFacts(ids)
	r, b := newFacts(ids)
	ten := &logical.Filter{In: r, Conjuncts: []expr.Expr{compare(expr.OpLe, b[0], number(10))}}
	join := func(k logical.JoinKind, on ...expr.Expr) *logical.Join {
		return &logical.Join{Kind: k, L: l, R: ten, On: on}
	}
	key := compare(expr.OpEq, a[0], b[0])
	group := func(in logical.Node, keys ...expr.Expr) *logical.Aggregate {
		out := &logical.Aggregate{In: in}
		for _, k := range keys {
			c, _ := in.Columns().Find(logical.ColumnID(k.(*expr.Column).Index))
			out.Groups = append(out.Groups, logical.HandOn(c))
		}
		return out
	}
	with := ids.NewCommon()
	for _, x := range []struct {
		what string
		n    logical.Node
		want float64
	}{
		{"inner by a key", join(logical.InnerJoin, key), 10},
		{"inner by days", join(logical.InnerJoin, compare(expr.OpEq, a[1], b[1])), 1000},
		{"cross", join(logical.InnerJoin), 100_000},
		{"left", join(logical.LeftJoin, key), 10_000},
		{"semi", join(logical.SemiJoin, key), 10},
		{"anti", join(logical.AntiJoin, key), 9990},
		{"two keys", join(logical.InnerJoin, key, compare(expr.OpEq, a[1], b[1])), 10},
		{"groups", group(l, a[1]), 100},
		{"groups with NULL", group(l, a[2]), 5},
		{"groups of two", group(l, a[1], a[2]), 500},
		{"groups of many", group(l, a[0], a[1]), 10_000},
		{"one group", group(l), 1},
		{"rollup", &logical.GroupingSets{In: l, Keys: group(l, a[1], a[2]).Groups, Sets: []logical.Grouping{0b00, 0b10, 0b11}}, 601},
		{"limit", &logical.Limit{In: l, Offset: 9_995, Limit: 10}, 5},
		{"top", &logical.TopN{In: l, Limit: 10}, 10},
		{"union", logical.NewUnion(ids, l, ten), 10_010},
		{"with", &logical.With{ID: with, Def: ten, Body: logical.NewReuse(ids, with, "w", ten.Columns())}, 10},
	} {
		if got := of(x.n); !near(got, x.want) {
			t.Errorf("%s: %v rows, want %v", x.what, got, x.want)
		}
	}
}
