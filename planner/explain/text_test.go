package explain

import (
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

var fakeTable = &scan.Table{Name: "t\x1b[2J", Columns: []scan.Column{{Name: "a", Type: vector.Of(vector.BigInt)}}}

// TestText prints a scan that was pruned at every level. Control characters in the
// name of the table do not reach the terminal.
func TestText(t *testing.T) {
	of := logical.NewScan(&logical.IDs{}, fakeTable)
	s := &physical.Scan{Of: of, Readers: 1}
	l := &physical.Limit{Of: &logical.Limit{In: of, Offset: 1, Limit: 1000}, In: s}
	p := Plan{Root: l, Scans: []Scan{{Node: s, Probes: []string{"a = 1"}, Counters: scan.Counters{
		FilesTotal: 1200, FilesPruned: 1000, RowGroupsTotal: 9, RowGroupsPrunedStatistics: 4, RowGroupsPrunedBloom: 2,
		PagesTotal: 1234567, PagesPruned: 1234500, BytesRead: 3 << 19, RowsDecoded: 1, RowsReturned: 0, PagesSkippedCorrupt: 1,
	}}}, Estimate: func(n logical.Node) (int64, bool) { return 1200, n == logical.Node(of) }, Ran: &Ran{Rows: 1, Time: 1234567 * time.Nanosecond, Of: func(n physical.Node) (Step, bool) {
		return Step{Rows: 1, Time: 999 * time.Nanosecond, Workers: 2}, n == physical.Node(s)
	}}}
	want := `
Limit first 1,000 rows after 1 row
└─ Scan t�[2J  (about 1,200 rows; 1 row, 999 ns, 2 workers)
     columns     a
     probes      a = 1
     files       1,200, 1,000 pruned
     row groups  9: pruned 4 by statistics, 2 by bloom filters; 3 left
     pages       1,234,567: 1,234,500 pruned, 67 read
     read        1.5 MiB, 1 row decoded, 0 returned
     damaged     1 page left out

1 row in 1.23 ms`
	if got := strings.Join(p.Text(), "\n"); got != want[1:] {
		t.Errorf("got\n%s\nwant%s", got, want)
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", -100: "-100", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
	if got := duration(2500 * time.Millisecond); got != "2.5 s" {
		t.Error(got)
	}
	if got := clip(strings.Repeat("é", 300)); len([]rune(got)) != maxLine+1 {
		t.Error(got)
	}
}

// TestDescribe: the texts of nodes that planner/rewrite/testdata does not have.
func TestDescribe(t *testing.T) {
	in := logical.NewScan(&logical.IDs{}, fakeTable)
	a := in.Columns()[0]
	col := a.Ref()
	keys := []expr.SortKey{{Expr: col, Desc: true, NullsFirst: true}}
	for _, c := range []struct {
		n    logical.Node
		want string
	}{
		{&logical.Sort{In: in, Keys: keys}, "Sort a DESC NULLS FIRST"},
		{&logical.TopN{In: in, Keys: keys, Limit: 1}, "TopN a DESC NULLS FIRST, first 1 row"},
		{&logical.Limit{In: in, Offset: 2, Limit: -1}, "Limit all rows after 2 rows"},
		{&logical.Portion{In: in, Percent: 12.5}, "Limit 12.5 % of the rows"},
		{&logical.Portion{In: in, Percent: 10, Offset: 2}, "Limit 10 % of the rows after 2 rows"},
		{&logical.Sample{In: in, Size: 10}, "Sample 10 rows"},
		{&logical.Sample{In: in, Size: 5, Of: 1000}, "Sample 5 rows of each 1000"},
		{&logical.Sample{In: in, Chance: 0.25}, "Sample each row with a chance of 0.25"},
		{&logical.Aggregate{In: in, Groups: []logical.Computed{logical.HandOn(a)}}, "Distinct a"},
		{&logical.Values{}, "Values 0 rows"},
		{&logical.OneRow{}, "OneRow "},
		{&logical.Unnest{In: in, List: col, Outer: true}, "Unnest a, keeping rows without elements"},
		{&logical.Join{Kind: logical.FullJoin, L: in, R: in}, "Join full"},
		{&logical.Join{Kind: logical.MarkJoin, L: in, R: in, On: []expr.Expr{col}, Test: col}, "Join mark on a, whether a"},
		{&logical.Apply{Join: logical.Join{Kind: logical.LeftJoin, L: in, R: in, On: []expr.Expr{col, col}}}, "Apply left on a AND a"},
		{&logical.With{Name: "x", Def: in, Body: in}, "With x"},
		{&logical.Reuse{Name: "x"}, "Reuse x"},
		{&logical.Recursive{Name: "x", All: true}, "Recursive x, keeping duplicates"},
		{&logical.Recursive{Name: "x"}, "Recursive x"},
		{&logical.Union{}, "Union "},
	} {
		if o := describe(c.n); o.Operator+" "+o.Detail != c.want {
			t.Errorf("%s %s, want %s", o.Operator, o.Detail, c.want)
		}
	}
}
