package window_test

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/vector"
)

var (
	tiny = expr.NewColumn(1, "i", vector.Of(vector.TinyInt))
	text = expr.NewColumn(2, "s", vector.Of(vector.Varchar))
	day  = expr.NewColumn(3, "d", vector.Of(vector.Date))
	one  = expr.NewConst(vector.IntScalar(1))
	half = expr.NewConst(vector.FloatScalar(0.5))
	cond = expr.NewIsNull(text, false)
)

func month() expr.Expr {
	return expr.NewConst(vector.Scalar{Type: vector.Of(vector.Interval), Interval: vector.IntervalValue{Months: 1}})
}

func by(list ...expr.Expr) (keys []expr.SortKey) {
	for _, e := range list {
		keys = append(keys, expr.SortKey{Expr: e})
	}
	return keys
}

// TestTypes: the types of results are DuckDB's.
func TestTypes(t *testing.T) {
	for _, c := range []struct {
		name string
		args []expr.Expr
		want string
		null bool
	}{
		{"row_number", nil, "BIGINT", false},
		{"Rank", nil, "BIGINT", false},
		{"dense_rank", nil, "BIGINT", false},
		{"percent_rank", nil, "DOUBLE", false},
		{"cume_dist", nil, "DOUBLE", false},
		{"ntile", []expr.Expr{tiny}, "BIGINT", true},
		{"lag", []expr.Expr{tiny}, "TINYINT", true},
		{"lead", []expr.Expr{tiny, one, half}, "TINYINT", true},
		{"first_value", []expr.Expr{text}, "VARCHAR", true},
		{"last", []expr.Expr{text}, "VARCHAR", true},
		{"nth_value", []expr.Expr{text, tiny}, "VARCHAR", true},
		{"any_value", []expr.Expr{text}, "VARCHAR", true},
		{"count", nil, "BIGINT", false},
		{"sum", []expr.Expr{tiny}, "BIGINT", true},
		{"avg", []expr.Expr{tiny}, "DOUBLE", true},
	} {
		call, err := window.New(c.name, c.args, window.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := call.Type().String(); got != c.want || call.Nullable() != c.null {
			t.Errorf("%s: %s, nullable %v", c.name, got, call.Nullable())
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		args []expr.Expr
		o    window.Options
		want string
	}{
		{"rank", []expr.Expr{one}, window.Options{}, "does not take 1 argument; use RANK() → BIGINT"},
		{"lag", nil, window.Options{}, "does not take 0 arguments"},
		{"lag", []expr.Expr{tiny, half}, window.Options{}, "whole number"},
		{"lag", []expr.Expr{tiny}, window.Options{Distinct: true}, "DISTINCT"},
		{"lag", []expr.Expr{tiny}, window.Options{Filter: cond}, "FILTER"},
		{"rank", nil, window.Options{IgnoreNulls: true}, "IGNORE NULLS"},
		{"sum", []expr.Expr{tiny}, window.Options{IgnoreNulls: true}, "IGNORE NULLS"},
		{"dense_rank", nil, window.Options{OrderBy: by(tiny)}, "ORDER BY"},
		{"rank", nil, window.Options{OrderBy: by(tiny), Frame: &window.Frame{Exclude: window.ExcludeRow, End: window.Bound{Kind: window.CurrentRow}}}, "ORDER BY"},
		{"fill", []expr.Expr{text}, window.Options{}, "takes numbers"},
		{"sum", []expr.Expr{text}, window.Options{}, "needs numbers"},
		{"summ", []expr.Expr{tiny}, window.Options{}, "SUM"},
	} {
		if _, err := window.New(c.name, c.args, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestFrameErrors(t *testing.T) {
	bound := func(k window.BoundKind, e expr.Expr) window.Bound { return window.Bound{Kind: k, Offset: e} }
	null := expr.NewConst(vector.NullOf(vector.Of(vector.Null)))
	for _, c := range []struct {
		frame window.Frame
		order []expr.SortKey
		want  string
	}{
		{window.Frame{Start: bound(window.UnboundedFollowing, nil), End: bound(window.UnboundedFollowing, nil)}, nil, "start with UNBOUNDED FOLLOWING"},
		{window.Frame{Unit: window.Rows}, nil, "end with UNBOUNDED PRECEDING"},
		{window.Frame{Unit: window.Rows, Start: bound(window.CurrentRow, nil), End: bound(window.Preceding, one)}, nil, "CURRENT ROW cannot end before"},
		{window.Frame{Unit: window.Rows, Start: bound(window.Following, one), End: bound(window.CurrentRow, nil)}, nil, "after the current row cannot"},
		{window.Frame{Unit: window.Rows, Start: bound(window.Preceding, half), End: bound(window.CurrentRow, nil)}, nil, "whole number"},
		{window.Frame{Start: bound(window.Preceding, one), End: bound(window.CurrentRow, nil)}, nil, "exactly one"},
		{window.Frame{Start: bound(window.Preceding, one), End: bound(window.CurrentRow, nil)}, by(tiny, day), "exactly one"},
		{window.Frame{Start: bound(window.Preceding, one), End: bound(window.CurrentRow, nil)}, by(text), "numbers, dates or timestamps"},
		{window.Frame{Start: bound(window.Preceding, null), End: bound(window.CurrentRow, nil)}, by(tiny), "cannot be NULL"},
	} {
		if _, err := window.NewFrame(c.frame, c.order); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.want, err, c.want)
		}
	}
}

// TestFrame: what a bound with RANGE compares has one type, and DESC turns the direction.
func TestFrame(t *testing.T) {
	f, err := window.NewFrame(window.Frame{
		Start: window.Bound{Kind: window.Preceding, Offset: month()}, End: window.Bound{Kind: window.Following, Offset: month()},
	}, []expr.SortKey{{Expr: day, Desc: true}})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Start.Limit.String(); !strings.Contains(got, "+") {
		t.Errorf("1 month before, descending, is %s", got)
	}
	if got := f.End.Limit.String(); !strings.Contains(got, "-") {
		t.Errorf("1 month after, descending, is %s", got)
	}
	if a, b := f.Start.Limit.Type(), f.Start.Key.Type(); !a.Equal(b) || !a.IsTimestamp() {
		t.Errorf("the limit is a %s, the key a %s", a, b)
	}
	same, err := window.NewFrame(window.Frame{Start: window.Bound{Kind: window.CurrentRow}, End: window.Bound{Kind: window.UnboundedFollowing}}, nil)
	if err != nil || *same != window.DefaultFrame {
		t.Errorf("without ORDER BY all rows are peers: %v, %v", same, err)
	}
}

// TestCall: equal calls, their text, and replacing their columns.
func TestCall(t *testing.T) {
	frame := func(order expr.Expr) *window.Frame {
		f, err := window.NewFrame(window.Frame{Start: window.Bound{Kind: window.Preceding, Offset: one}, End: window.Bound{Kind: window.CurrentRow}, Exclude: window.ExcludeTies}, by(order))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	build := func(name string, o window.Options, args ...expr.Expr) *window.Call {
		c, err := window.New(name, args, o)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	calls := []*window.Call{
		build("sum", window.Options{}, tiny),
		build("sum", window.Options{Frame: frame(tiny)}, tiny),
		build("sum", window.Options{Frame: frame(day)}, tiny),
		build("sum", window.Options{Distinct: true}, tiny),
		build("sum", window.Options{Filter: cond}, tiny),
		build("lag", window.Options{}, tiny),
		build("lag", window.Options{IgnoreNulls: true}, tiny),
		build("lead", window.Options{}, tiny),
		build("lead", window.Options{}, text),
		build("row_number", window.Options{}),
	}
	for i, a := range calls {
		for j, b := range calls {
			if a.Equal(b) != (i == j) {
				t.Errorf("%s and %s: equal %v", a, b, a.Equal(b))
			}
		}
		moved, err := a.Transform(func(e expr.Expr) (expr.Expr, error) {
			return expr.Transform(e, func(x expr.Expr) expr.Expr {
				if c, ok := x.(*expr.Column); ok {
					return expr.NewColumn(c.Index+10, c.Name, c.T)
				}
				return x
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		if moved.String() != a.String() || moved.Type().String() != a.Type().String() {
			t.Errorf("%s became %s", a, moved)
		}
		for _, e := range moved.Exprs() {
			for _, c := range expr.ColumnsOf(e) {
				if c < 10 {
					t.Errorf("%s still reads column %d", a, c)
				}
			}
		}
	}
	if got, want := calls[1].String(), "SUM(i) RANGE BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := calls[6].String(), "LAG(i IGNORE NULLS)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	rank, a, b := build("row_number", window.Options{Frame: frame(tiny)}), build("any_value", window.Options{}, text), build("first_value", window.Options{IgnoreNulls: true}, text)
	if !rank.Equal(calls[9]) || !a.Equal(b) {
		t.Error("ROW_NUMBER has no frame; ANY_VALUE is the first value that is not NULL")
	}
	if !window.Is("Sum") || !window.Only("rank") || window.Only("sum") || window.Only("first") || window.Is("abs") {
		t.Error("what is a window function")
	}
}
