package exec_test

import (
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// times is a column added to itself by many operations.
func times(t *testing.T, column, n int) expr.Expr {
	var sum expr.Expr = exectest.Col(column)
	for range n - 1 {
		var err error
		if sum, err = expr.NewArith(expr.OpAdd, sum, exectest.Col(column)); err != nil {
			t.Fatal(err)
		}
	}
	return sum
}

// TestManyOperations: where very many values are computed of a row, batches have fewer rows.
func TestManyOperations(t *testing.T) {
	const operations = 3000
	product := times(t, exectest.ID, operations)
	schema := vector.Schema{{Name: "p", Type: product.Type()}, exectest.Wide[exectest.Str]}
	env := exec.Env{Budget: quota.New(1 << 20)}
	build := func(in []exec.Operator) exec.Operator {
		return exec.NewProject(env, in[0], []expr.Expr{product, exectest.Col(exectest.Str)}, schema)
	}
	exectest.Run(t, exectest.Case{
		Schema: exectest.Wide, Rows: exectest.WideRows, Ordered: true, OneInput: true, Build: build,
		Want: func(rows []exectest.Row) (out []exectest.Row) {
			for _, r := range rows {
				p := vector.NullOf(product.Type())
				if id := r[exectest.ID]; !id.Null {
					p = vector.Scalar{Type: product.Type(), I64: operations * id.I64}
				}
				out = append(out, exectest.Row{p, r[exectest.Str]})
			}
			return out
		},
	})
	r := rand.New(rand.NewPCG(1, 2))
	op := build([]exec.Operator{exectest.NewSource(exectest.Wide, exectest.WideRows(r, 300), 300, r)})
	defer op.Close()
	rows := 0
	for b := range exectest.Batches(t, op) {
		if rows += b.Rows(); b.Len > 174 { // 8 MiB of 16 bytes for each operation
			t.Errorf("a batch of %d rows", b.Len)
		}
	}
	if rows != 300 {
		t.Errorf("%d rows", rows)
	}
}
