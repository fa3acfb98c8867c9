package order_test

import (
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/order"
	"github.com/parquetsql/parquetsql/expr"
)

func BenchmarkSort(b *testing.B) {
	batches := exectest.BenchBatches()
	for _, c := range []int{0, 2, 4, 7} {
		keys := []expr.SortKey{{Expr: expr.NewColumn(c, exectest.BenchSchema[c].Name, exectest.BenchSchema[c].Type)}}
		b.Run(exectest.BenchSchema[c].Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				exectest.Discard(b, order.NewSort(exec.Env{}, exectest.Distribute(batches, 2), keys))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/exectest.BenchRows, "ns/row")
		})
		b.Run(exectest.BenchSchema[c].Name+"/top 10", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				exectest.Discard(b, order.NewTopN(exec.Env{}, exectest.Distribute(batches, 2), order.TopN{Keys: keys, Limit: 10}))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/exectest.BenchRows, "ns/row")
		})
	}
}
