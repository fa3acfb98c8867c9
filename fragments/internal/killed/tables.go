package killed

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// Tables writes a folder of tables: sales of several files and row groups, and shops of one.
func Tables(t testing.TB, seed uint64) string {
	t.Helper()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(seed, 2))
	sales := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "shop", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, {Name: "product", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "amount", Type: arrow.PrimitiveTypes.Float64, Nullable: true}, {Name: "price", Type: &arrow.Decimal128Type{Precision: 15, Scale: 2}}, {Name: "day", Type: arrow.FixedWidthTypes.Date32},
		{Name: "tags", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true},
	}, nil)
	id := int64(0)
	for file := range 3 {
		b := array.NewRecordBuilder(memory.DefaultAllocator, sales)
		for range 700 {
			id++
			b.Field(0).(*array.Int64Builder).Append(id)
			maybe(rng, b.Field(1), func() { b.Field(1).(*array.Int64Builder).Append(rng.Int64N(20)) })
			maybe(rng, b.Field(2), func() { b.Field(2).(*array.StringBuilder).Append(fmt.Sprint("product ", rng.IntN(40))) })
			maybe(rng, b.Field(3), func() { b.Field(3).(*array.Float64Builder).Append(float64(rng.IntN(1000)) / 8) })
			if err := b.Field(4).(*array.Decimal128Builder).AppendValueFromString(fmt.Sprintf("%d.%02d", rng.IntN(1000), rng.IntN(100))); err != nil {
				t.Fatal(err)
			}
			b.Field(5).(*array.Date32Builder).Append(arrow.Date32(20000 + id/100))
			list := b.Field(6).(*array.ListBuilder)
			list.Append(true)
			for range rng.IntN(3) {
				list.ValueBuilder().(*array.StringBuilder).Append(string(rune('a' + rng.IntN(5))))
			}
		}
		writeFile(t, filepath.Join(dir, "sales", fmt.Sprintf("part-%d.parquet", file)), b, 250)
	}
	shops := arrow.NewSchema([]arrow.Field{{Name: "shop", Type: arrow.PrimitiveTypes.Int64}, {Name: "town", Type: arrow.BinaryTypes.String}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, shops)
	for i := range 15 {
		b.Field(0).(*array.Int64Builder).Append(int64(i))
		b.Field(1).(*array.StringBuilder).Append(fmt.Sprint("town ", i%4))
	}
	writeFile(t, filepath.Join(dir, "shops.parquet"), b, 4)
	return dir
}

func maybe(rng *rand.Rand, b array.Builder, value func()) {
	if rng.IntN(10) == 0 {
		b.AppendNull()
	} else {
		value()
	}
}

func writeFile(t testing.TB, path string, b *array.RecordBuilder, rows int64) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pqarrow.NewFileWriter(b.Schema(), out, parquet.NewWriterProperties(parquet.WithMaxRowGroupLength(rows)), pqarrow.DefaultWriterProps())
	if err == nil {
		err = w.WriteBuffered(b.NewRecordBatch())
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
}
