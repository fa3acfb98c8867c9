package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// batchRows is the number of rows that are written at a time.
const batchRows = 50_000

// step is the time between two events: they are of 46 days for two million rows.
const step = 2 * time.Second

// write writes the rows in the order of their time, or in any.
func write(file string, v variant, rows int64) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer out.Close()
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "at", Type: &arrow.TimestampType{Unit: arrow.Microsecond}},
		{Name: "user_id", Type: arrow.PrimitiveTypes.Int64}, {Name: "country", Type: arrow.BinaryTypes.String},
		{Name: "amount", Type: arrow.PrimitiveTypes.Float64}, {Name: "note", Type: arrow.BinaryTypes.String},
	}, nil)
	w, err := pqarrow.NewFileWriter(schema, out, parquet.NewWriterProperties(v.properties...), pqarrow.DefaultWriterProps())
	if err != nil {
		return err
	}
	// A permutation without memory: multiplication by a number that has no factor in common with rows.
	const factor = 999_983
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for i := range rows {
		n := i
		if v.shuffled {
			n = i * factor % rows
		}
		appendRow(b, n)
		if (i+1)%batchRows == 0 || i == rows-1 {
			record := b.NewRecordBatch()
			err := w.WriteBuffered(record)
			record.Release()
			if err != nil {
				return err
			}
		}
	}
	return w.Close()
}

// appendRow appends row n: the same in every file.
func appendRow(b *array.RecordBuilder, n int64) {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	begin := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	b.Field(0).(*array.Int64Builder).Append(n)
	b.Field(1).(*array.TimestampBuilder).Append(arrow.Timestamp(begin.Add(time.Duration(n) * step).UnixMicro()))
	b.Field(2).(*array.Int64Builder).Append(2 * r.Int64N(1_000_000))
	b.Field(3).(*array.StringBuilder).Append(fmt.Sprintf("country %d", r.IntN(50)))
	b.Field(4).(*array.Float64Builder).Append(float64(r.IntN(1_000_000)) / 100)
	b.Field(5).(*array.StringBuilder).Append(fmt.Sprintf("note %d of a customer", r.IntN(1_000_000)))
}
