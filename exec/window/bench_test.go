package window_test

import (
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	execwindow "github.com/parquetsql/parquetsql/exec/window"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/vector"
)

// BenchmarkWindow computes a function over a million rows in 100 partitions.
func BenchmarkWindow(b *testing.B) {
	batches := exectest.BenchBatches()
	column := func(c int) expr.Expr {
		return expr.NewColumn(c, exectest.BenchSchema[c].Name, exectest.BenchSchema[c].Type)
	}
	for _, c := range []struct {
		name string
		args []expr.Expr
	}{{"row_number", nil}, {"rank", nil}, {"sum", []expr.Expr{column(6)}}, {"max", []expr.Expr{column(4)}}, {"lag", []expr.Expr{column(4)}}, {"first_value", []expr.Expr{column(4)}}} {
		b.Run(c.name, func(b *testing.B) {
			call, err := window.New(c.name, c.args, window.Options{})
			if err != nil {
				b.Fatal(err)
			}
			w := execwindow.Window{Partition: []expr.Expr{column(0)}, OrderBy: []expr.SortKey{{Expr: column(6)}}, Calls: []*window.Call{call}}
			schema := append(exectest.BenchSchema[:len(exectest.BenchSchema):len(exectest.BenchSchema)], vector.Column{Name: "f", Type: call.Type(), Nullable: true})
			b.ReportAllocs()
			for b.Loop() {
				ops, err := execwindow.New(exec.Env{}, exectest.Distribute(batches, 2), w, 2, schema)
				if err != nil {
					b.Fatal(err)
				}
				exectest.Discard(b, exec.NewGather(ops))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/exectest.BenchRows, "ns/row")
		})
	}
}
