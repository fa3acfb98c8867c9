package exec_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

const benchRows = 1_000_000

var benchSchema = vector.Schema{
	{Name: "few", Type: vector.Of(vector.BigInt)},
	{Name: "dense", Type: vector.Of(vector.BigInt)},
	{Name: "sparse", Type: vector.Of(vector.BigInt)},
	{Name: "fewStr", Type: vector.Of(vector.Varchar)},
	{Name: "manyStr", Type: vector.Of(vector.Varchar)},
	{Name: "dict", Type: vector.Of(vector.Varchar)},
	{Name: "value", Type: vector.Of(vector.BigInt)},
	{Name: "double", Type: vector.Of(vector.Double)},
}

// benchBatches are a million rows: 500,000 groups where there are many.
func benchBatches() []*vector.Batch {
	r := rand.New(rand.NewPCG(1, 1))
	dict := vector.New(vector.Of(vector.Varchar), 1000)
	for i := range dict.Str {
		dict.Str[i] = fmt.Sprint("dictionary entry ", i)
	}
	var batches []*vector.Batch
	for n := 0; n < benchRows; n += vector.BatchSize {
		b := &vector.Batch{Len: min(vector.BatchSize, benchRows-n)}
		for _, c := range benchSchema {
			b.Cols = append(b.Cols, vector.New(c.Type, b.Len))
		}
		d := b.Cols[5]
		d.Form, d.Dict, d.Codes = vector.Dictionary, dict, make([]int32, b.Len)
		for i := range b.Len {
			few, many := r.Int64N(100), r.Int64N(500_000)
			b.Cols[0].I64[i] = few
			b.Cols[1].I64[i] = many
			b.Cols[2].I64[i] = many * 0x9e3779b97f4a7c1
			b.Cols[3].Str[i] = dict.Str[few]
			b.Cols[4].Str[i] = fmt.Sprint("key number ", many)
			d.Codes[i] = r.Int32N(1000)
			b.Cols[6].I64[i] = r.Int64N(1000)
			b.Cols[7].F64[i] = r.Float64()
		}
		batches = append(batches, b)
	}
	return batches
}

func BenchmarkAggregate(b *testing.B) {
	batches := benchBatches()
	column := func(c int) expr.Expr { return expr.NewColumn(c, benchSchema[c].Name, benchSchema[c].Type) }
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
				var aggs []*expr.Aggregate
				for _, name := range c.aggs {
					var args []expr.Expr
					if c.arg >= 0 {
						args = append(args, column(c.arg))
					}
					a, err := expr.NewAggregate(name, args, c.distinct, nil)
					if err != nil {
						b.Fatal(err)
					}
					aggs = append(aggs, a)
				}
				b.ReportAllocs()
				for b.Loop() {
					in := dealOut(batches, workers)
					drain(b, exec.NewAggregate(in, keys, aggs, make(vector.Schema, len(keys)+len(aggs)), nil, ""))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
			})
		}
	}
}

func dealOut(batches []*vector.Batch, workers int) []exec.Operator {
	var in []exec.Operator
	for w := range workers {
		part := batches[w*len(batches)/workers : (w+1)*len(batches)/workers]
		in = append(in, exec.NewValues(benchSchema, part))
	}
	return in
}

func drain(b *testing.B, op exec.Operator) {
	defer op.Close()
	for {
		batch, err := op.Next(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		if batch == nil {
			return
		}
	}
}

func BenchmarkSort(b *testing.B) {
	batches := benchBatches()
	for _, c := range []int{0, 2, 4, 7} {
		keys := []expr.SortKey{{Expr: expr.NewColumn(c, benchSchema[c].Name, benchSchema[c].Type)}}
		b.Run(benchSchema[c].Name, func(b *testing.B) {
			for b.Loop() {
				drain(b, exec.NewSort(dealOut(batches, 2), keys, nil, ""))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
		})
		b.Run(benchSchema[c].Name+"/top 10", func(b *testing.B) {
			for b.Loop() {
				drain(b, exec.NewTopN(dealOut(batches, 2), keys, 0, 10, nil, nil))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
		})
	}
}
