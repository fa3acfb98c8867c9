package join_test

import (
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/join"
	"github.com/parquetsql/parquetsql/expr"
)

// BenchmarkJoin joins a million rows with the first of them.
func BenchmarkJoin(b *testing.B) {
	batches := exectest.BenchBatches()
	for _, c := range []struct {
		name string
		keys []int
	}{{"dense", []int{1}}, {"sparse", []int{2}}, {"text", []int{4}}, {"number and text", []int{2, 4}}} {
		spec := join.Spec{Schema: append(exectest.BenchSchema[:len(exectest.BenchSchema):len(exectest.BenchSchema)], exectest.BenchSchema...)}
		for _, k := range c.keys {
			column := expr.NewColumn(k, exectest.BenchSchema[k].Name, exectest.BenchSchema[k].Type)
			spec.Keys = append(spec.Keys, join.Key{Probe: column, Build: column})
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				probe, build := exectest.Distribute(batches, 2), exectest.Distribute(batches[:len(batches)/8], 2)
				exectest.Discard(b, exec.NewGather(join.New(exec.Env{}, spec, probe, build)))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/exectest.BenchRows, "ns/row")
		})
	}
}
