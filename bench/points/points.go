// Package points writes the file on which pruning by boxes is tested, with arrow-go:
// GeoParquet 1.1 of points along a Z-order curve, with a covering.
package points

import (
	"encoding/binary"
	"math"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// Groups is the number of row groups of each file.
const Groups = 16

const key = `{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB","geometry_types":["Point"],` +
	`"covering":{"bbox":{"xmin":["bbox","xmin"],"ymin":["bbox","ymin"],"xmax":["bbox","xmax"],"ymax":["bbox","ymax"]}}}}}`

// At is point i of n: n is a power of 4 or twice one. The points are spread evenly over
// all longitudes and latitudes, in cells that the even and the odd bits of i number.
func At(i, n int) (x, y float64) {
	bit, column, row, columns, rows := 0, 0, 0, 1, 1
	for m := n; m > 1; m >>= 1 {
		if bit%2 == 0 {
			column |= i >> bit & 1 << (bit / 2)
			columns <<= 1
		} else {
			row |= i >> bit & 1 << (bit / 2)
			rows <<= 1
		}
		bit++
	}
	shift := func(k int) float64 { return float64(uint32(i*k)*2654435761>>8) / (1 << 24) } // within the cell
	return -180 + 360*(float64(column)+shift(1))/float64(columns), -90 + 180*(float64(row)+shift(3))/float64(rows)
}

// Write writes a file of n points: id BIGINT, geometry, bbox with four DOUBLEs.
func Write(path string, n int) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	double := arrow.PrimitiveTypes.Float64
	box := arrow.StructOf(arrow.Field{Name: "xmin", Type: double}, arrow.Field{Name: "ymin", Type: double},
		arrow.Field{Name: "xmax", Type: double}, arrow.Field{Name: "ymax", Type: double})
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "geometry", Type: arrow.BinaryTypes.Binary}, {Name: "bbox", Type: box},
	}, nil)
	props := parquet.NewWriterProperties(parquet.WithPageIndexEnabled(true), parquet.WithDataPageSize(16<<10), parquet.WithBatchSize(256),
		parquet.WithDictionaryDefault(false), parquet.WithStats(true))
	w, err := pqarrow.NewFileWriter(schema, out, props, pqarrow.DefaultWriterProps())
	if err != nil {
		return err
	}
	if err := w.AppendKeyValueMetadata("geo", key); err != nil {
		return err
	}
	for g := range Groups {
		if err := writeGroup(w, schema, g*(n/Groups), (g+1)*(n/Groups), n); err != nil {
			return err
		}
	}
	return w.Close()
}

func writeGroup(w *pqarrow.FileWriter, schema *arrow.Schema, from, to, n int) error {
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	id, geometry, box := b.Field(0).(*array.Int64Builder), b.Field(1).(*array.BinaryBuilder), b.Field(2).(*array.StructBuilder)
	for i := from; i < to; i++ {
		x, y := At(i, n)
		wkb := []byte{1, 1, 0, 0, 0}
		wkb = binary.LittleEndian.AppendUint64(wkb, math.Float64bits(x))
		wkb = binary.LittleEndian.AppendUint64(wkb, math.Float64bits(y))
		id.Append(int64(i))
		geometry.Append(wkb)
		box.Append(true)
		for k, v := range []float64{x, y, x, y} {
			box.FieldBuilder(k).(*array.Float64Builder).Append(v)
		}
	}
	record := b.NewRecordBatch()
	defer record.Release()
	return w.Write(record)
}
