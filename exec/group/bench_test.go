package group_test

import (
	"fmt"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/group"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

func BenchmarkAggregate(b *testing.B) {
	batches := exectest.BenchBatches()
	column := func(c int) expr.Expr {
		return expr.NewColumn(c, exectest.BenchSchema[c].Name, exectest.BenchSchema[c].Type)
	}
	cases := []struct {
		name     string
		keys     []int
		aggs     []string
		arg      int
		distinct bool
	}{
		{"none/sum", nil, []string{"SUM"}, 6, false},
		{"none/double", nil, []string{"AVG"}, 7, false},
		{"none/min+max", nil, []string{"MIN", "MAX"}, 6, false},
		{"none/distinct ints", nil, []string{"COUNT"}, 2, true},
		{"none/distinct strings", nil, []string{"COUNT"}, 4, true},
		{"few ints/count", []int{0}, []string{"COUNT"}, -1, false},
		{"few ints/sum+avg", []int{0}, []string{"SUM", "AVG"}, 6, false},
		{"dense ints/count", []int{1}, []string{"COUNT"}, -1, false},
		{"sparse ints/count", []int{2}, []string{"COUNT"}, -1, false},
		{"sparse ints/sum", []int{2}, []string{"SUM"}, 6, false},
		{"few strings/count", []int{3}, []string{"COUNT"}, -1, false},
		{"many strings/count", []int{4}, []string{"COUNT"}, -1, false},
		{"dictionary/count", []int{5}, []string{"COUNT"}, -1, false},
		{"dictionary/distinct", []int{5}, []string{"COUNT"}, 6, true},
		{"dict+few ints/count", []int{5, 0}, []string{"COUNT"}, -1, false},
		{"two sparse ints/count", []int{2, 1}, []string{"COUNT"}, -1, false},
		{"int+string/count", []int{2, 4}, []string{"COUNT"}, -1, false},
	}
	for _, c := range cases {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", c.name, workers), func(b *testing.B) {
				var keys []expr.Expr
				for _, k := range c.keys {
					keys = append(keys, column(k))
				}
				var aggs []*aggregate.Call
				for _, name := range c.aggs {
					var args []expr.Expr
					if c.arg >= 0 {
						args = append(args, column(c.arg))
					}
					a, err := aggregate.New(name, args, c.distinct, nil)
					if err != nil {
						b.Fatal(err)
					}
					aggs = append(aggs, a)
				}
				b.ReportAllocs()
				for b.Loop() {
					in := exectest.Distribute(batches, workers)
					exectest.Discard(b, exec.NewGather(group.New(exec.Env{}, in, keys, aggs, make(vector.Schema, len(keys)+len(aggs)))))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/exectest.BenchRows, "ns/row")
			})
		}
	}
}
