package window

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TestLargePartition: one partition, then small ones, whose rows do not fit into memory;
// what the functions read does.
func TestLargePartition(t *testing.T) {
	if vector.BatchSize < 64 {
		t.Skip("too few rows to be charged")
	}
	leaktest.Check(t)
	bigint := vector.Of(vector.BigInt)
	schema := vector.Schema{{Name: "p", Type: bigint}, {Name: "id", Type: bigint}, {Name: "s", Type: vector.Of(vector.Varchar), Nullable: true}}
	id := expr.NewColumn(1, "id", bigint)
	w := Window{Partition: []expr.Expr{expr.NewColumn(0, "p", bigint)}, OrderBy: []expr.SortKey{{Expr: id}}}
	out := schema[:3:3]
	for name, args := range map[string][]expr.Expr{"row_number": nil, "lag": {id}} {
		c, err := window.New(name, args, window.Options{})
		if err != nil {
			t.Fatal(err)
		}
		w.Calls = append(w.Calls, c)
		out = append(out, vector.Column{Name: name, Type: bigint, Nullable: true})
	}
	n := 20*vector.BatchSize + 7
	text := func(i int) vector.Scalar {
		if i%3 == 0 {
			return vector.NullOf(vector.Of(vector.Varchar))
		}
		return vector.StringScalar(fmt.Sprint(i) + strings.Repeat("x", 200))
	}
	var rows []exectest.Row
	for i := range n {
		rows = append(rows, exectest.Row{vector.IntScalar(int64(max(0, i-n+sectionRows+1000)) / 500), vector.IntScalar(int64(i)), text(i)})
	}
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(n, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	var batches []*vector.Batch
	for from := 0; from < n; from += vector.BatchSize {
		part := rows[from:min(n, from+vector.BatchSize)]
		b := &vector.Batch{Len: len(part)}
		for c := range schema {
			values := make([]vector.Scalar, len(part))
			for i, row := range part {
				values[i] = row[c]
			}
			b.Cols = append(b.Cols, exectest.Vector(schema[c].Type, values))
		}
		batches = append(batches, b)
	}
	env := exec.Env{Budget: quota.New(int64(n) * 24), TempDir: leaktest.Folder(t)}
	ops, err := New(env, []exec.Operator{exec.NewValues(schema, batches)}, w, 1, out)
	if err != nil {
		t.Fatal(err)
	}
	op := ops[0]
	defer op.Close()
	onDisk := false
	got, err := exectest.Drain(context.Background(), &watched{Operator: op, see: func() { onDisk = onDisk || op.(*operator).long != nil }})
	if err != nil || len(got) != n || !onDisk {
		t.Fatalf("%d rows, on disk %v, %v", len(got), onDisk, err)
	}
	number, before := 0, vector.NullOf(bigint)
	for i, row := range got {
		if number++; i == 0 || row[0].I64 != got[i-1][0].I64 {
			number, before = 1, vector.NullOf(bigint)
		}
		for c, call := range w.Calls {
			want := before
			if call.Kind() == window.RowNumber {
				want = vector.IntScalar(int64(number))
			}
			if exectest.Text(row[3+c]) != exectest.Text(want) {
				t.Fatalf("row %d: %s", i, row)
			}
		}
		if before = row[1]; exectest.Text(row[2]) != exectest.Text(text(int(row[1].I64))) {
			t.Fatalf("row %d: %s", i, row)
		}
	}
}

// watched calls see after each batch.
type watched struct {
	exec.Operator
	see func()
}

func (w *watched) Next(ctx context.Context) (*vector.Batch, error) {
	b, err := w.Operator.Next(ctx)
	w.see()
	return b, err
}

// TestForgets: a section goes before the next one is made, whatever consumers keep of the batches
// that they had.
func TestForgets(t *testing.T) {
	leaktest.Check(t)
	schema := exectest.LongTexts
	k, s := expr.NewColumn(0, "k", schema[0].Type), expr.NewColumn(1, "s", schema[1].Type)
	lag, err := window.New("lag", []expr.Expr{s}, window.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := Window{Partition: []expr.Expr{k}, OrderBy: []expr.SortKey{{Expr: k}}, Calls: []*window.Call{lag}}
	out := append(schema[:2:2], vector.Column{Name: "lag", Type: schema[1].Type, Nullable: true})
	ops, err := New(exec.Env{}, []exec.Operator{exectest.NewLongTexts(sectionRows + vector.BatchSize)}, w, 1, out)
	if err != nil {
		t.Fatal(err)
	}
	exectest.Forgets(t, ops, func() error { return nil })
	if err := exec.CloseAll(ops); err != nil {
		t.Error(err)
	}
}
