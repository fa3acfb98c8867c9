package operators

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// values is a node of two BIGINT columns; -1 stands for NULL.
func values(ids *logical.IDs, names [2]string, rows ...[2]int64) *logical.Values {
	v := &logical.Values{}
	b := &vector.Batch{Len: len(rows)}
	for c, name := range names {
		v.Output = append(v.Output, logical.Column{ID: ids.New(), Name: name, Type: vector.Of(vector.BigInt), Nullable: true})
		col := vector.New(vector.Of(vector.BigInt), len(rows))
		for i, row := range rows {
			if col.I64[i] = row[c]; row[c] < 0 {
				col.SetNull(i)
			}
		}
		b.Cols = append(b.Cols, col)
	}
	v.Batches = []*vector.Batch{b}
	return v
}

// TestJoin: the rows of all kinds of joins, worked out by hand, with both build sides.
func TestJoin(t *testing.T) {
	must := exectest.Must(t)
	ids := &logical.IDs{}
	l := values(ids, [2]string{"a", "x"}, [2]int64{1, 10}, [2]int64{1, 20}, [2]int64{2, 30}, [2]int64{-1, 40})
	r := values(ids, [2]string{"b", "y"}, [2]int64{1, 15}, [2]int64{3, 25}, [2]int64{-1, 35})
	a, x, b, y := l.Output[0].Ref(), l.Output[1].Ref(), r.Output[0].Ref(), r.Output[1].Ref()
	equal := must(expr.NewCompare(expr.OpEq, b, a))
	likewise := must(expr.NewDistinctFrom(a, b, true))
	less := must(expr.NewCompare(expr.OpLt, x, y))
	mark := logical.Column{ID: ids.New(), Name: "mark", Type: vector.Of(vector.Boolean), Nullable: true}
	const inner = "1 10 1 15, 1 20 1 15"
	for _, c := range []struct {
		kind logical.JoinKind
		on   []expr.Expr
		test expr.Expr
		want string
	}{
		{kind: logical.InnerJoin, on: []expr.Expr{equal}, want: inner},
		{kind: logical.InnerJoin, on: []expr.Expr{likewise}, want: inner + ", NULL 40 NULL 35"},
		{kind: logical.InnerJoin, on: []expr.Expr{equal, less}, want: "1 10 1 15"},
		{kind: logical.InnerJoin, on: []expr.Expr{must(expr.NewCompare(expr.OpGe, x, y))},
			want: "1 20 1 15, 2 30 1 15, 2 30 3 25, NULL 40 1 15, NULL 40 3 25, NULL 40 NULL 35"},
		{kind: logical.LeftJoin, on: []expr.Expr{equal, less}, want: "1 10 1 15, 1 20 NULL NULL, 2 30 NULL NULL, NULL 40 NULL NULL"},
		{kind: logical.RightJoin, on: []expr.Expr{equal, less}, want: "1 10 1 15, NULL NULL 3 25, NULL NULL NULL 35"},
		{kind: logical.FullJoin, on: []expr.Expr{equal},
			want: inner + ", 2 30 NULL NULL, NULL 40 NULL NULL, NULL NULL 3 25, NULL NULL NULL 35"},
		{kind: logical.SemiJoin, on: []expr.Expr{equal, less}, want: "1 10"},
		{kind: logical.AntiJoin, on: []expr.Expr{equal, less}, want: "1 20, 2 30, NULL 40"},
		{kind: logical.MarkJoin, test: equal, want: "1 10 true, 1 20 true, 2 30 NULL, NULL 40 NULL"},
		{kind: logical.MarkJoin, on: []expr.Expr{less}, test: equal, want: "1 10 true, 1 20 NULL, 2 30 NULL, NULL 40 false"},
		{kind: logical.MarkJoin, on: []expr.Expr{equal}, test: less, want: "1 10 true, 1 20 false, 2 30 false, NULL 40 false"},
		{kind: logical.SingleJoin, on: []expr.Expr{equal}, want: inner + ", 2 30 NULL NULL, NULL 40 NULL NULL"},
	} {
		for _, left := range []bool{false, true} {
			n := &logical.Join{Kind: c.kind, L: l, R: r, On: c.on, Test: c.test, Mark: mark, BuildLeft: left}
			p, _, err := build(n, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := exectest.Drain(context.Background(), p)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, row := range rows {
				got = append(got, strings.ReplaceAll(row.String(), "|", " "))
			}
			want := strings.Split(c.want, ", ")
			slices.Sort(got)
			slices.Sort(want)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s on %v, build left %v:\n%v, want\n%v", c.kind, c.on, left, got, want)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestAsOf: the nearest rows, worked out by hand.
func TestAsOf(t *testing.T) {
	must := exectest.Must(t)
	ids := &logical.IDs{}
	l := values(ids, [2]string{"a", "x"}, [2]int64{1, 10}, [2]int64{1, 20}, [2]int64{2, 30}, [2]int64{-1, 40}, [2]int64{1, -1})
	r := values(ids, [2]string{"b", "y"}, [2]int64{1, 5}, [2]int64{1, 10}, [2]int64{1, 15}, [2]int64{2, 35}, [2]int64{-1, 35}, [2]int64{1, -1})
	a, x, b, y := l.Output[0].Ref(), l.Output[1].Ref(), r.Output[0].Ref(), r.Output[1].Ref()
	equal := must(expr.NewCompare(expr.OpEq, a, b))
	for _, c := range []struct {
		kind logical.JoinKind
		on   []expr.Expr
		want string
	}{
		{logical.InnerJoin, []expr.Expr{equal, must(expr.NewCompare(expr.OpGe, x, y))}, "[1|10|1|10 1|20|1|15]"},
		{logical.InnerJoin, []expr.Expr{must(expr.NewCompare(expr.OpLt, y, x)), equal}, "[1|10|1|5 1|20|1|15]"},
		{logical.InnerJoin, []expr.Expr{must(expr.NewCompare(expr.OpLt, x, y))}, "[1|10|1|15 1|20|%d|35 2|30|%d|35]"},
		{logical.LeftJoin, []expr.Expr{equal, must(expr.NewCompare(expr.OpLe, x, y))},
			"[1|10|1|10 1|20|NULL|NULL 1|NULL|NULL|NULL 2|30|2|35 NULL|40|NULL|NULL]"},
	} {
		n := logical.NewAsOfJoin(c.kind, l, r, c.on)
		p, _, err := build(n, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := exectest.Drain(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(rows, func(a, b exectest.Row) int { return strings.Compare(a.String(), b.String()) })
		got := fmt.Sprint(rows)
		if c.kind == logical.InnerJoin && len(c.on) == 1 { // two rows are equally near
			got = strings.NewReplacer("|2|35", "|%d|35", "|NULL|35", "|%d|35").Replace(got)
		}
		if got != c.want {
			t.Errorf("%s on %v: %s, want %s", c.kind, c.on, got, c.want)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, on := range [][]expr.Expr{{equal}, {must(expr.NewCompare(expr.OpLe, x, y)), must(expr.NewCompare(expr.OpLe, a, b))}, {must(expr.NewCompare(expr.OpNe, x, y))}} {
		if logical.NewAsOfJoin(logical.InnerJoin, l, r, on) != nil {
			t.Errorf("%v is no condition of ASOF JOIN", on)
		}
	}
}

// TestPositional: the rows of two inputs side by side.
func TestPositional(t *testing.T) {
	ids := &logical.IDs{}
	l := values(ids, [2]string{"a", "x"}, [2]int64{1, 10}, [2]int64{1, 20}, [2]int64{2, 30})
	r := values(ids, [2]string{"b", "y"}, [2]int64{1, 15}, [2]int64{3, 25})
	p, _, err := build(&logical.PositionalJoin{L: l, R: r}, 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	rows, err := exectest.Drain(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(rows); got != "[1|10|1|15 1|20|3|25 2|30|NULL|NULL]" {
		t.Error(got)
	}
}
