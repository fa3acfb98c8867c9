package window_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	execwindow "github.com/parquetsql/parquetsql/exec/window"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// numbered is rows of a number and a text, in no order.
var numbered = vector.Schema{{Name: "i", Type: vector.Of(vector.BigInt)}, {Name: "s", Type: vector.Of(vector.Varchar), Nullable: true}}

func numberedRows(r *rand.Rand, n int, text func(i int) vector.Scalar) []exectest.Row {
	var rows []exectest.Row
	for i := range n {
		rows = append(rows, exectest.Row{vector.IntScalar(int64(i)), text(i)})
	}
	r.Shuffle(n, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return rows
}

// callsOf are calls over ORDER BY i. A frame is the rows from so many before the current one on;
// with a negative number it is the default.
func callsOf(t *testing.T, w *execwindow.Window, schema vector.Schema, calls ...struct {
	name  string
	arg   expr.Expr
	frame int64
}) vector.Schema {
	for _, c := range calls {
		o := window.Options{}
		if c.frame >= 0 {
			f, err := window.NewFrame(window.Frame{Unit: window.Rows, Start: window.Bound{Kind: window.Preceding, Offset: constant(c.frame)}, End: window.Bound{Kind: window.CurrentRow}}, w.OrderBy)
			if err != nil {
				t.Fatal(err)
			}
			o.Frame = f
		}
		var args []expr.Expr
		if c.arg != nil {
			args = []expr.Expr{c.arg}
		}
		call, err := window.New(c.name, args, o)
		if err != nil {
			t.Fatal(err)
		}
		w.Calls = append(w.Calls, call)
		schema = append(schema, vector.Column{Name: c.name, Type: call.Type(), Nullable: true})
	}
	return schema
}

type namedCall = struct {
	name  string
	arg   expr.Expr
	frame int64
}

// TestLongWithinLimit: a partition of several times the limit, with frames that fit.
func TestLongWithinLimit(t *testing.T) {
	if vector.BatchSize < 64 {
		t.Skip("too few rows are free of charge")
	}
	leaktest.Check(t)
	i, s := expr.NewColumn(0, "i", numbered[0].Type), expr.NewColumn(1, "s", numbered[1].Type)
	w := execwindow.Window{OrderBy: []expr.SortKey{{Expr: i}}}
	schema := callsOf(t, &w, numbered[:2:2],
		namedCall{"row_number", nil, -1}, namedCall{"lag", s, -1}, namedCall{"max", s, -1}, namedCall{"min", s, 100}, namedCall{"sum", i, 7000},
		namedCall{"median", i, 100}, namedCall{"median", i, 9000}, namedCall{"first_value", s, 5000}, namedCall{"count", nil, -1})
	const n = 30000
	text := func(i int) vector.Scalar {
		if i%7 == 0 || i < 0 {
			return vector.NullOf(vector.Of(vector.Varchar))
		}
		return vector.StringScalar(fmt.Sprintf("%06d", i) + strings.Repeat("x", 994))
	}
	r := rand.New(rand.NewPCG(1, 2))
	const limit = 4 << 20
	budget := quota.New(limit)
	env := exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}
	op := build(t, env, []exec.Operator{exectest.NewSource(numbered, numberedRows(r, n, text), 500, r)}, w, schema)
	at := int64(0)
	for b := range exectest.Batches(t, op) {
		for k := range b.Rows() {
			var row exectest.Row
			for _, c := range b.Cols {
				row = append(row, c.Get(b.Row(k)))
			}
			from := func(rows int64) int64 { return max(0, at-rows) }
			middle := func(rows int64) vector.Scalar { return vector.FloatScalar(float64(from(rows)+at) / 2) }
			greatest, least := at, from(100)
			if greatest%7 == 0 {
				greatest--
			}
			if least%7 == 0 {
				least++
			}
			if least > at {
				least = -1
			}
			want := exectest.Row{
				vector.IntScalar(at), text(int(at)), vector.IntScalar(at + 1), text(int(at) - 1), text(int(greatest)), text(int(least)),
				vector.IntScalar((from(7000) + at) * (at - from(7000) + 1) / 2), middle(100), middle(9000), text(int(from(5000))), vector.IntScalar(at + 1),
			}
			for c, v := range want {
				if exectest.Text(row[c]) != exectest.Text(v) {
					t.Fatalf("row %d, column %s: %.50s instead of %.50s", at, schema[c].Name, exectest.Text(row[c]), exectest.Text(v))
				}
			}
			at++
		}
	}
	if err := op.Close(); err != nil {
		t.Error(err)
	}
	if at != n || budget.Used() != 0 || budget.Peak() > limit {
		t.Errorf("%d rows, %d bytes still reserved, at most %d", at, budget.Used(), budget.Peak())
	}
}

// TestLongEnds: a long partition is given up in its midst, after an error or without one.
func TestLongEnds(t *testing.T) {
	leaktest.Check(t)
	i := expr.NewColumn(0, "i", numbered[0].Type)
	r := rand.New(rand.NewPCG(1, 2))
	for _, cancelled := range []bool{false, true} {
		w := execwindow.Window{OrderBy: []expr.SortKey{{Expr: i}}, Refuse: refusals["all"]}
		schema := callsOf(t, &w, numbered[:2:2], namedCall{"sum", i, 50}, namedCall{"median", i, 50}, namedCall{"max", i, -1})
		budget := quota.New(8 << 20)
		rows := numberedRows(r, 2000, func(i int) vector.Scalar { return vector.StringScalar(fmt.Sprint(i)) })
		op := build(t, exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, []exec.Operator{exectest.NewSource(numbered, rows, 500, r)}, w, schema)
		ctx, cancel := context.WithCancel(context.Background())
		if b, err := op.Next(ctx); err != nil || b.Rows() == 2000 {
			t.Fatal(b.Rows(), err)
		}
		if cancelled {
			cancel()
			if _, err := op.Next(ctx); err == nil {
				t.Error("no error after the query was cancelled")
			}
		}
		if err := op.Close(); err != nil || budget.Used() != 0 {
			t.Errorf("%d bytes still reserved, %v", budget.Used(), err)
		}
		cancel()
	}
}

// TestFillLong compares FILL over partitions on disk with those in memory.
func TestFillLong(t *testing.T) {
	seed := rand.Uint64()
	for round := range 60 {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		rows := testRows(r, 1+r.IntN(150))
		gaps := 1 + r.IntN(12)
		for _, row := range rows {
			for _, c := range []int{exectest.Big, exectest.F64} {
				if r.IntN(gaps) > 0 {
					row[c] = vector.NullOf(exectest.Wide[c].Type)
				}
			}
		}
		w := execwindow.Window{OrderBy: []expr.SortKey{{Expr: exectest.Col(exectest.ID), Desc: r.IntN(2) == 0}}}
		if r.IntN(2) == 0 {
			w.Partition = []expr.Expr{exectest.Col(exectest.Tiny)}
		}
		schema := exectest.Wide[:len(exectest.Wide):len(exectest.Wide)]
		for _, c := range []int{exectest.Big, exectest.F64} {
			schema = callsOf(t, &w, schema, namedCall{"fill", exectest.Col(c), -1})
		}
		got := map[string][]exectest.Row{}
		for refused, refuse := range refusals {
			w.Refuse = refuse
			op := build(t, exec.Env{TempDir: leaktest.Folder(t)}, []exec.Operator{exectest.NewSource(exectest.Wide, rows, 50, r)}, w, schema)
			var err error
			if got[refused], err = exectest.Drain(context.Background(), op); err != nil {
				t.Fatal(err)
			}
			if err := op.Close(); err != nil {
				t.Error(err)
			}
		}
		for _, refused := range []string{"all", "some"} {
			exectest.Compare(t, got["none"], got[refused], false)
		}
		if t.Failed() {
			t.Fatalf("seed %d, round %d", seed, round)
		}
	}
}

// TestLimits compares results under memory limits, some of which are too small for what the
// functions prepare for a section, or for the frames of many rows, with those in memory.
func TestLimits(t *testing.T) {
	if vector.BatchSize < 64 {
		t.Skip("too few rows are free of charge")
	}
	leaktest.Check(t)
	seed := rand.Uint64()
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for round := range rounds {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, uint64(round)))
			tryLimit(t, seed, r)
		})
	}
}

func tryLimit(t *testing.T, seed uint64, r *rand.Rand) {
	n, width := 2000<<r.IntN(5), 2<<r.IntN(8)
	values := 1 + r.IntN(3000)
	rows := numberedRows(r, n, func(int) vector.Scalar {
		return vector.StringScalar(fmt.Sprint(r.IntN(values)) + strings.Repeat("x", width))
	})
	i, s := expr.NewColumn(0, "i", numbered[0].Type), expr.NewColumn(1, "s", numbered[1].Type)
	size, limit := int64(8)<<r.IntN(14), int64(64<<10)<<r.IntN(7)
	part, err := expr.NewArith(expr.OpIntDiv, i, constant(size))
	if err != nil {
		t.Fatal(err)
	}
	w := execwindow.Window{OrderBy: []expr.SortKey{{Expr: i}}}
	if r.IntN(3) > 0 {
		w.Partition = []expr.Expr{part}
	}
	all := []namedCall{{"mode", s, 0}, {"median", i, 0}, {"min", s, 0}, {"lag", s, -1}, {"last_value", s, 0}, {"sum", i, 0}, {"max", s, -1}, {"dense_rank", nil, -1}}
	r.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	for k := range all {
		if all[k].frame == 0 {
			all[k].frame = int64(5) << r.IntN(11)
		}
	}
	all = all[:1+r.IntN(len(all))]
	schema := callsOf(t, &w, numbered[:2:2], all...)
	t.Logf("seed %d: limit %d, %d rows, texts of %d bytes, partitions of %d rows %v, %v", seed, limit, n, width, size, w.Partition, w.Calls)
	var got [2][]exectest.Row
	for k, limit := range []int64{0, limit} {
		budget := quota.New(limit)
		op := build(t, exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, []exec.Operator{exectest.NewSource(numbered, rows, 500, r)}, w, schema)
		var err error
		got[k], err = exectest.Drain(context.Background(), op)
		if closed := op.Close(); closed != nil || budget.Used() != 0 || limit > 0 && budget.Peak() > limit {
			t.Errorf("%d bytes still reserved, at most %d, %v", budget.Used(), budget.Peak(), closed)
		}
		if errors.Is(err, errs.ErrMemoryLimit) { // a frame may be too large
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	exectest.Compare(t, got[0], got[1], false)
}
