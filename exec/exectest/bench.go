package exectest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/vector"
)

// BenchRows is the number of rows of BenchBatches.
const BenchRows = 1_000_000

// BenchSchema is the columns of BenchBatches.
var BenchSchema = vector.Schema{
	{Name: "few", Type: vector.Of(vector.BigInt)},
	{Name: "dense", Type: vector.Of(vector.BigInt)},
	{Name: "sparse", Type: vector.Of(vector.BigInt)},
	{Name: "fewStr", Type: vector.Of(vector.Varchar)},
	{Name: "manyStr", Type: vector.Of(vector.Varchar)},
	{Name: "dict", Type: vector.Of(vector.Varchar)},
	{Name: "value", Type: vector.Of(vector.BigInt)},
	{Name: "double", Type: vector.Of(vector.Double)},
}

// BenchBatches returns a million rows; columns with many groups have 500,000 groups.
func BenchBatches() []*vector.Batch {
	r := rand.New(rand.NewPCG(1, 1))
	dict := vector.New(vector.Of(vector.Varchar), 1000)
	for i := range dict.Str {
		dict.Str[i] = fmt.Sprint("dictionary entry ", i)
	}
	var batches []*vector.Batch
	for n := 0; n < BenchRows; n += vector.BatchSize {
		b := &vector.Batch{Len: min(vector.BatchSize, BenchRows-n)}
		for _, c := range BenchSchema {
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

// Distribute distributes the batches over workers.
func Distribute(batches []*vector.Batch, workers int) []exec.Operator {
	var in []exec.Operator
	for w := range workers {
		part := batches[w*len(batches)/workers : (w+1)*len(batches)/workers]
		in = append(in, exec.NewValues(BenchSchema, part))
	}
	return in
}

// Discard reads all rows of an operator and closes it.
func Discard(b *testing.B, op exec.Operator) {
	defer op.Close()
	for range Batches(b, op) {
	}
}
