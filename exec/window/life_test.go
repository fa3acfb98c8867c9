package window_test

import (
	"context"
	"errors"
	"math/rand/v2"
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

// of is a running sum of a column in the order of that column.
func of(t *testing.T, schema vector.Schema, column int, name string) (execwindow.Window, vector.Schema) {
	x := expr.NewColumn(column, "x", schema[column].Type)
	c, err := window.New(name, []expr.Expr{x}, window.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := execwindow.Window{OrderBy: []expr.SortKey{{Expr: x}}, Calls: []*window.Call{c}}
	return w, append(schema[:len(schema):len(schema)], vector.Column{Name: "f", Type: c.Type(), Nullable: true})
}

// build makes the operator with up to three workers, as one stream.
func build(t *testing.T, env exec.Env, in []exec.Operator, w execwindow.Window, schema vector.Schema) exec.Operator {
	ops, err := execwindow.New(env, in, w, 1+rand.IntN(3), schema)
	if err != nil {
		t.Fatal(err)
	}
	return exec.NewGather(ops)
}

func TestLife(t *testing.T) {
	for _, divided := range []bool{false, true} {
		exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
			w, schema := of(t, in[0].Schema(), 0, "sum")
			if divided {
				w.Partition = []expr.Expr{w.OrderBy[0].Expr}
			}
			return build(t, exec.Env{TempDir: leaktest.Folder(t)}, in, w, schema)
		})
	}
}

// TestRun runs a window over rows in all forms.
func TestRun(t *testing.T) {
	c := &testCase{partition: []int{exectest.Tiny}, order: []orderKey{{column: exectest.ID}}, calls: append(unordered[:len(unordered):len(unordered)], ordered...)}
	c.frame = testFrame{unit: window.Rows, start: testBound{window.Preceding, 3}, end: testBound{window.Following, 1}}
	w, schema, err := c.build()
	if err != nil {
		t.Fatal(err)
	}
	exectest.Run(t, exectest.Case{
		Schema: exectest.Wide, Rows: testRows, Most: 200,
		Build: func(in []exec.Operator) exec.Operator {
			return build(t, exec.Env{TempDir: leaktest.Folder(t)}, in, w, schema)
		},
		Want: c.reference,
	})
}

// TestNumbered: rows are numbered as they come, of several inputs in any order, and are what they were.
func TestNumbered(t *testing.T) {
	call, err := window.New("row_number", nil, window.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := execwindow.Window{Calls: []*window.Call{call, call}}
	number := vector.Column{Name: "n", Type: vector.Of(vector.BigInt)}
	schema := append(exectest.Wide[:len(exectest.Wide):len(exectest.Wide)], number, number)
	numbered := func(in []exec.Operator) exec.Operator {
		return build(t, exec.Env{TempDir: leaktest.Folder(t)}, in, w, append(in[0].Schema()[:len(in[0].Schema()):len(in[0].Schema())], number, number))
	}
	exectest.RunLife(t, numbered)
	width := len(exectest.Wide)
	exectest.Run(t, exectest.Case{
		Schema: exectest.Wide, Rows: exectest.WideRows, Build: numbered,
		Want: func(rows []exectest.Row) (out []exectest.Row) {
			for i, row := range rows {
				n := vector.IntScalar(int64(i + 1))
				out = append(out, append(row[:width:width], n, n))
			}
			return out
		},
		Ordered: true, OneInput: true,
	})
	exectest.Run(t, exectest.Case{
		Schema: exectest.Wide, Rows: exectest.WideRows, Build: func(in []exec.Operator) exec.Operator {
			numbers := []expr.Expr{expr.NewColumn(width, "n", number.Type), expr.NewColumn(width+1, "n", number.Type)}
			return exec.NewProject(exec.Env{}, numbered(in), numbers, schema[width:])
		},
		Want: func(rows []exectest.Row) (out []exectest.Row) {
			for i := range rows {
				n := vector.IntScalar(int64(i + 1))
				out = append(out, exectest.Row{n, n})
			}
			return out
		},
	})
}

// TestSections: several sections, each of several partitions, and rows on disk.
func TestSections(t *testing.T) {
	leaktest.Check(t)
	x := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	part, err := expr.NewArith(expr.OpIntDiv, x, constant(1000))
	if err != nil {
		t.Fatal(err)
	}
	var w execwindow.Window
	w.Partition, w.OrderBy = []expr.Expr{part}, []expr.SortKey{{Expr: x, Desc: true}}
	for _, name := range []string{"row_number", "count", "sum"} {
		var args []expr.Expr
		if name == "sum" {
			args = []expr.Expr{x}
		}
		c, err := window.New(name, args, window.Options{})
		if err != nil {
			t.Fatal(err)
		}
		w.Calls = append(w.Calls, c)
	}
	schema := append(exectest.OneColumn[:1:1], vector.Column{Name: "n", Type: vector.Of(vector.BigInt)}, vector.Column{Name: "c", Type: vector.Of(vector.BigInt)}, vector.Column{Name: "s", Type: vector.Of(vector.BigInt)})
	n := 40 * vector.BatchSize
	var rows []exectest.Row
	for i := range n {
		rows = append(rows, exectest.Row{vector.IntScalar(int64(i))})
	}
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(n, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	in := exectest.NewSource(exectest.OneColumn, rows, 500, r)
	op := build(t, exec.Env{Budget: quota.New(64 << 10), TempDir: leaktest.Folder(t)}, []exec.Operator{in}, w, schema)
	got, err := exectest.Drain(context.Background(), op)
	if err != nil || len(got) != n {
		t.Fatalf("%d rows, %v", len(got), err)
	}
	for _, row := range got {
		x := row[0].I64
		last := min(x/1000*1000+999, int64(n)-1) // the first one of its partition
		if k := last - x + 1; row[1].I64 != k || row[2].I64 != k || row[3].I64 != (x+last)*k/2 {
			t.Fatalf("%s", row)
		}
	}
	if err := op.Close(); err != nil {
		t.Error(err)
	}
}

// TestOffsets: offsets and numbers that are no frame and no number.
func TestOffsets(t *testing.T) {
	column := func(c int) expr.Expr { return exectest.Col(c) }
	id := []expr.SortKey{{Expr: column(exectest.Big)}}
	frame := func(unit window.Unit, offset expr.Expr) window.Options {
		f, err := window.NewFrame(window.Frame{Unit: unit, Start: window.Bound{Kind: window.Preceding, Offset: offset}, End: window.Bound{Kind: window.CurrentRow}}, id)
		if err != nil {
			t.Fatal(err)
		}
		return window.Options{Frame: f}
	}
	for what, c := range map[string]struct {
		name string
		args []expr.Expr
		o    window.Options
	}{
		"rows":   {"count", nil, frame(window.Rows, column(exectest.Tiny))},
		"groups": {"count", nil, frame(window.Groups, column(exectest.Tiny))},
		"range":  {"count", nil, frame(window.Range, constant(-1))},
		"null":   {"count", nil, frame(window.Range, column(exectest.Tiny))},
		"ntile":  {"ntile", []expr.Expr{constant(0)}, window.Options{}},
	} {
		call, err := window.New(c.name, c.args, c.o)
		if err != nil {
			t.Fatal(err)
		}
		rows := testRows(rand.New(rand.NewPCG(1, 2)), 10)
		for i := range rows {
			rows[i][exectest.Tiny] = vector.NullOf(exectest.Wide[exectest.Tiny].Type)
		}
		in := exectest.NewSource(exectest.Wide, rows, 5, rand.New(rand.NewPCG(1, 2)))
		op := build(t, exec.Env{}, []exec.Operator{in}, execwindow.Window{OrderBy: id, Calls: []*window.Call{call}}, append(exectest.Wide[:len(exectest.Wide):len(exectest.Wide)], vector.Column{Name: "n", Type: call.Type()}))
		if rows, err := exectest.Drain(context.Background(), op); err == nil {
			t.Errorf("%s: no error but %v", what, rows)
		}
		op.Close()
	}
}

// TestCancel: a query that is cancelled ends while frames are recomputed.
func TestCancel(t *testing.T) {
	w, schema := of(t, exectest.OneColumn, 0, "median")
	in := exectest.NewEndless(20, func(context.Context) error { return nil })
	op := build(t, exec.Env{}, []exec.Operator{&limited{Endless: in, left: 20}}, w, schema)
	defer op.Close()
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := op.Next(ctx); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := op.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// limited ends after some batches.
type limited struct {
	*exectest.Endless
	left int
}

func (l *limited) Next(ctx context.Context) (*vector.Batch, error) {
	if l.left--; l.left < 0 {
		return nil, nil
	}
	return l.Endless.Next(ctx)
}
