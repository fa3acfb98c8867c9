package window_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	execwindow "github.com/parquetsql/parquetsql/exec/window"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// A testCase is a window with one call per function, computed by the operator and by
// reference below, which looks at all rows of the partition for every row.
type testCase struct {
	partition []int
	order     []orderKey
	frame     testFrame
	calls     []testCall
	groups    []int // of the partition that reference works on: the number of the peer group of each row
}

type orderKey struct {
	column      int
	desc, first bool
}

type testFrame struct {
	unit       window.Unit
	start, end testBound
	exclude    window.Exclude
}

type testBound struct {
	kind   window.BoundKind
	offset int64
}

// testCall is a call by name; for aggregates values gets the arguments of the frame's rows
// in order, without NULLs.
type testCall struct {
	name   string
	args   []int // columns of Wide; -1-n is the constant n
	o      window.Options
	filter bool // only rows where Bool is TRUE
	values func(list []vector.Scalar) vector.Scalar
	more   []expr.Expr // arguments after args
	fresh  bool        // see collected

	call *window.Call // set by build
}

func constant(n int64) expr.Expr { return expr.NewConst(vector.IntScalar(n)) }

// build makes the window of the operator.
func (c *testCase) build() (execwindow.Window, vector.Schema, error) {
	w := execwindow.Window{}
	schema := slices.Clone(exectest.Wide)
	for _, p := range c.partition {
		w.Partition = append(w.Partition, exectest.Col(p))
	}
	for _, k := range c.order {
		w.OrderBy = append(w.OrderBy, expr.SortKey{Expr: exectest.Col(k.column), Desc: k.desc, NullsFirst: k.first})
	}
	bound := func(b testBound) window.Bound {
		out := window.Bound{Kind: b.kind}
		if b.kind == window.Preceding || b.kind == window.Following {
			out.Offset = constant(b.offset)
		}
		return out
	}
	frame, err := window.NewFrame(window.Frame{Unit: c.frame.unit, Start: bound(c.frame.start), End: bound(c.frame.end), Exclude: c.frame.exclude}, w.OrderBy)
	if err != nil {
		return w, nil, err
	}
	for i, call := range c.calls {
		o := call.o
		o.Frame = frame
		if call.filter {
			o.Filter = exectest.Col(exectest.Bool)
		}
		var args []expr.Expr
		for _, a := range call.args {
			if a < 0 {
				args = append(args, constant(int64(-1-a)))
			} else {
				args = append(args, exectest.Col(a))
			}
		}
		f, err := window.New(call.name, append(args, call.more...), o)
		if err != nil {
			return w, nil, err
		}
		c.calls[i].call = f
		w.Calls = append(w.Calls, f)
		schema = append(schema, vector.Column{Name: call.name, Type: f.Type(), Nullable: true})
	}
	return w, schema, nil
}

// refusals say which sections get no memory.
var refusals = map[string]func() bool{
	"none": nil,
	"all":  func() bool { return true },
	"some": func() bool { return rand.IntN(3) == 0 },
}

func check(t *testing.T, c *testCase, r *rand.Rand, n int, limit int64) {
	t.Helper()
	w, schema, err := c.build()
	if err != nil {
		t.Fatal(err)
	}
	rows := testRows(r, n)
	for _, row := range rows {
		for i := range row {
			if exectest.Wide[i].Nullable && r.IntN(5) == 0 {
				row[i] = vector.NullOf(exectest.Wide[i].Type)
			}
		}
	}
	want := c.reference(rows)
	for refused, refuse := range refusals {
		w.Refuse = refuse
		in := make([]exec.Operator, 1+r.IntN(3))
		for k := range in {
			var part []exectest.Row
			for i := k; i < n; i += len(in) {
				part = append(part, rows[i])
			}
			in[k] = exectest.NewSource(exectest.Wide, part, 1+r.IntN(500), rand.New(rand.NewPCG(r.Uint64(), 1)))
		}
		budget := quota.New(limit)
		op := build(t, exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, in, w, schema)
		got, err := exectest.Drain(context.Background(), op)
		if err != nil {
			t.Fatalf("%s: %v", refused, err)
		}
		exectest.Compare(t, want, got, false)
		if t.Failed() {
			t.Fatalf("with sections refused: %s", refused)
		}
		if err := op.Close(); err != nil {
			t.Error(err)
		}
		if budget.Used() != 0 {
			t.Errorf("%d bytes are still reserved", budget.Used())
		}
	}
}

// testRows are rows of Wide with small values and many ties.
func testRows(r *rand.Rand, n int) []exectest.Row {
	rows := exectest.WideRows(r, n)
	for _, row := range rows {
		row[exectest.Big].I64 = r.Int64N(20) - 10
		row[exectest.Dec].I64 = r.Int64N(1000) * 25
		row[exectest.F64].F64 = float64(r.IntN(12)) - 4
		if r.IntN(10) == 0 {
			row[exectest.F64].F64 = math.NaN()
		}
	}
	return rows
}

func sum(typ vector.Type) func(list []vector.Scalar) vector.Scalar {
	return func(list []vector.Scalar) vector.Scalar {
		out := vector.NullOf(typ)
		for _, v := range list {
			out.Null = false
			out.I64 += v.I64
			out.I128 = out.I128.Add(v.I128)
			if typ.Kind == vector.Decimal && v.Type.Precision <= 18 {
				out.I128 = out.I128.Add(vector.Int128From(v.I64))
			}
			out.F64 += v.F64 + float64(v.F32)
		}
		return out
	}
}

func extreme(sign int) func(list []vector.Scalar) vector.Scalar {
	return func(list []vector.Scalar) vector.Scalar {
		out := vector.NullOf(vector.Of(vector.Null))
		for _, v := range list {
			if out.Null || exectest.CompareScalars(v, out)*sign > 0 {
				out = v
			}
		}
		return out
	}
}

func count(list []vector.Scalar) vector.Scalar { return vector.IntScalar(int64(len(list))) }

func median(list []vector.Scalar) vector.Scalar {
	if len(list) == 0 {
		return vector.NullOf(vector.Of(vector.Double))
	}
	slices.SortFunc(list, exectest.CompareScalars)
	return vector.FloatScalar(float64(list[(len(list)-1)/2].I64+list[len(list)/2].I64) / 2)
}

func deviation(list []vector.Scalar) vector.Scalar {
	if len(list) == 0 {
		return vector.NullOf(vector.Of(vector.Double))
	}
	mean, squares := 0.0, 0.0
	for _, v := range list {
		mean += float64(v.I64) / float64(len(list))
	}
	for _, v := range list {
		squares += (float64(v.I64) - mean) * (float64(v.I64) - mean)
	}
	// Rounded: zero may be a little more, which the comparison of results would take amiss.
	return vector.FloatScalar(squares / float64(len(list)))
}

// unordered are calls whose results do not depend on the order among peers.
var unordered = []testCall{
	{name: "rank"}, {name: "dense_rank"}, {name: "percent_rank"}, {name: "cume_dist"},
	{name: "count", values: count},
	{name: "count", args: []int{exectest.Str}, values: count},
	{name: "count", values: count, filter: true},
	{name: "count", args: []int{exectest.Str}, values: count, o: window.Options{Distinct: true}},
	{name: "count", args: []int{exectest.Big}, values: count, o: window.Options{Distinct: true}, filter: true},
	{name: "sum", args: []int{exectest.Big}, values: sum(vector.Of(vector.BigInt))},
	{name: "sum", args: []int{exectest.Big}, values: sum(vector.Of(vector.BigInt)), o: window.Options{Distinct: true}},
	{name: "sum", args: []int{exectest.Dec}, values: sum(vector.DecimalType(38, 2)), filter: true},
	{name: "sum", args: []int{exectest.Dec38}, values: sum(vector.DecimalType(38, 4))},
	{name: "sum", args: []int{exectest.F32}, values: sum(vector.Of(vector.Double))},
	{name: "sum", args: []int{exectest.F32}, values: sum(vector.Of(vector.Double)), o: window.Options{Distinct: true}},
	{name: "min", args: []int{exectest.Str}, values: extreme(-1)},
	{name: "max", args: []int{exectest.Str}, values: extreme(1), filter: true},
	{name: "max", args: []int{exectest.F64}, values: extreme(1)},
	{name: "min", args: []int{exectest.Interval}, values: extreme(-1)},
	{name: "median", args: []int{exectest.Big}, values: median},
	{name: "var_pop", args: []int{exectest.ID}, values: deviation},
}

// ordered are calls whose results depend on the order of all rows.
var ordered = []testCall{
	{name: "row_number"}, {name: "ntile", args: []int{-5}}, {name: "ntile", args: []int{-1001}},
	{name: "lag", args: []int{exectest.Str}}, {name: "lead", args: []int{exectest.Big}},
	{name: "lag", args: []int{exectest.Str}, o: window.Options{IgnoreNulls: true}},
	{name: "lead", args: []int{exectest.Big, -4, exectest.Tiny}}, {name: "lag", args: []int{exectest.Big, -3, exectest.ID}, o: window.Options{IgnoreNulls: true}},
	{name: "lag", args: []int{exectest.Big, -1}, o: window.Options{IgnoreNulls: true}},
	{name: "first_value", args: []int{exectest.Str}}, {name: "last_value", args: []int{exectest.F64}}, {name: "nth_value", args: []int{exectest.Big, -4}},
	{name: "first_value", args: []int{exectest.Str}, o: window.Options{IgnoreNulls: true}},
	{name: "last_value", args: []int{exectest.Str}, o: window.Options{IgnoreNulls: true}},
	{name: "nth_value", args: []int{exectest.Str, -3}, o: window.Options{IgnoreNulls: true}},
	{name: "any_value", args: []int{exectest.Dec}, values: nil, o: window.Options{IgnoreNulls: true}, filter: true},
	{name: "string_agg", args: []int{exectest.Str}, values: func(list []vector.Scalar) vector.Scalar {
		out := vector.NullOf(vector.Of(vector.Varchar))
		var parts []string
		for _, v := range list {
			parts, out.Null = append(parts, v.Str), false
		}
		out.Str = strings.Join(parts, ",")
		return out
	}},
}

// randomCase makes a window.
func randomCase(r *rand.Rand) *testCase {
	c := &testCase{partition: [][]int{nil, {exectest.Tiny}, {exectest.Str, exectest.Tiny}}[r.IntN(3)]}
	c.frame.unit = window.Unit(r.IntN(3))
	kinds := []window.BoundKind{window.UnboundedPreceding, window.Preceding, window.CurrentRow, window.Following, window.UnboundedFollowing}
	for {
		c.frame.start, c.frame.end = testBound{kinds[r.IntN(4)], r.Int64N(6)}, testBound{kinds[1+r.IntN(4)], r.Int64N(6)}
		if c.frame.start.kind <= c.frame.end.kind {
			break
		}
	}
	c.frame.exclude = window.Exclude(max(0, r.IntN(7)-3))
	if r.IntN(10) == 0 {
		c.frame = testFrame{end: testBound{kind: window.CurrentRow}}
	}
	key := orderKey{desc: r.IntN(2) == 0, first: r.IntN(2) == 0}
	key.column = []int{exectest.Tiny, exectest.Big, exectest.F64, exectest.Dec}[r.IntN(4)]
	c.order = []orderKey{key}
	c.calls = slices.Clone(unordered)
	isOffset := func(b testBound) bool { return b.kind == window.Preceding || b.kind == window.Following }
	if single := c.frame.unit == window.Range && (isOffset(c.frame.start) || isOffset(c.frame.end)); !single {
		switch r.IntN(4) {
		case 0: // peers
			if c.frame.unit == window.Rows {
				c.order = append(c.order, orderKey{column: exectest.ID})
			}
		case 1:
			if c.order = nil; c.frame.unit == window.Rows {
				c.order = []orderKey{{column: exectest.ID, desc: true}}
			}
		default:
			c.order = append(c.order, orderKey{column: exectest.ID})
			c.calls = append(c.calls, ordered...)
		}
	}
	return c
}

// smallLimit makes rows spill. With batches of two rows hardly any memory is free of
// charge, and what the functions read must fit, as must the sets of both sides of a row that is left out.
var smallLimit = max(1<<14, int64(3<<17)/vector.BatchSize)

// TestRandom compares random windows with the reference.
func TestRandom(t *testing.T) {
	seed := rand.Uint64()
	rounds := 120
	if testing.Short() {
		rounds = 15
	}
	for round := range rounds {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, uint64(round)))
			c := randomCase(r)
			t.Logf("seed %d: partition %v, order %+v, frame %+v", seed, c.partition, c.order, c.frame)
			check(t, c, r, 1+r.IntN(120), []int64{0, smallLimit}[r.IntN(2)])
		})
	}
}
