package differential

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// A typ is the type of an expression. A query of one engine and that of the other may
// differ in the width of integers, which no answer shows.
type typ string

const (
	integer typ = "int"
	double  typ = "dbl"
	text    typ = "str"
	boolean typ = "bool"
	date    typ = "date"
	decimal typ = "dec" // with two digits

	// No table has columns of these types.
	timestamp typ = "ts"
	list      typ = "list"   // of integers
	structure typ = "struct" // of an integer a and a text b
	mapping   typ = "map"    // of integers to texts
	interval  typ = "interval"
	zoned     typ = "zoned" // TIMESTAMPTZ

	stamp typ = "stamp" // the text of a timestamp, as an argument only
)

var types = []typ{integer, integer, integer, integer, double, text, text, text, boolean, date, decimal, decimal, timestamp, list, structure, mapping, interval, zoned}

// A table is one file. Its first column is unique and has no NULL; tables share the
// names of other columns, and a name has the same type everywhere.
type table struct {
	name     string
	rows     int
	perGroup int // rows of a row group
	columns  []string
}

// tables are five of a few rows, and one each of none, one and many.
var tables = []table{
	{"t1", 18, 5, []string{"id1", "a", "b", "s", "d"}},
	{"t2", 14, 14, []string{"id2", "a", "c", "s", "dt"}},
	{"t3", 11, 3, []string{"id3", "b", "c", "f", "s"}},
	{"t4", 9, 4, []string{"id4", "a", "x", "d", "f"}},
	{"t5", 16, 6, []string{"id5", "a", "b", "c", "dt"}},
	{"none", 0, 5, []string{"id6", "a", "b", "s"}},
	{"one", 1, 5, []string{"id7", "a", "s", "d"}},
	{"big", 4000, 700, []string{"id8", "k", "s", "c", "dt"}},
}

func typeOf(column string) typ {
	switch column {
	case "s":
		return text
	case "d":
		return double
	case "c":
		return decimal
	case "dt":
		return date
	case "f":
		return boolean
	}
	return integer
}

// writeTables writes them below dir.
func writeTables(dir string, seed uint64) error {
	for i, t := range tables {
		if err := t.write(filepath.Join(dir, t.name+".parquet"), rand.New(rand.NewPCG(seed, uint64(i)))); err != nil {
			return err
		}
	}
	return nil
}

func (t table) write(path string, r *rand.Rand) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	fields := make([]arrow.Field, len(t.columns))
	for i, name := range t.columns {
		fields[i] = arrow.Field{Name: name, Type: arrowType(name), Nullable: i > 0}
	}
	schema := arrow.NewSchema(fields, nil)
	w, err := pqarrow.NewFileWriter(schema, out, parquet.NewWriterProperties(parquet.WithPageIndexEnabled(true), parquet.WithDataPageSize(512)), pqarrow.DefaultWriterProps())
	if err != nil {
		return err
	}
	for first := 0; first < t.rows; first += t.perGroup {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for row := first; row < min(first+t.perGroup, t.rows); row++ {
			for i, name := range t.columns {
				switch {
				case i == 0:
					b.Field(0).(*array.Int64Builder).Append(int64(row + 1))
				case r.IntN(6) == 0:
					b.Field(i).AppendNull()
				default:
					appendValue(b.Field(i), name, r)
				}
			}
		}
		if err := w.Write(b.NewRecordBatch()); err != nil {
			return err
		}
	}
	return w.Close()
}

func arrowType(column string) arrow.DataType {
	switch {
	case column == "b":
		return arrow.PrimitiveTypes.Int32
	case typeOf(column) == text:
		return arrow.BinaryTypes.String
	case typeOf(column) == double:
		return arrow.PrimitiveTypes.Float64
	case typeOf(column) == decimal:
		return &arrow.Decimal128Type{Precision: 9, Scale: 2}
	case typeOf(column) == date:
		return arrow.FixedWidthTypes.Date32
	case typeOf(column) == boolean:
		return arrow.FixedWidthTypes.Boolean
	}
	return arrow.PrimitiveTypes.Int64
}

// appendValue appends one of few values, so that there are duplicates. Floats are
// quarters: their sums are exact in any order.
func appendValue(b array.Builder, column string, r *rand.Rand) {
	switch b := b.(type) {
	case *array.Int64Builder:
		if column == "k" {
			b.Append(int64(r.IntN(1500)))
			return
		}
		b.Append(int64(r.IntN(8)))
	case *array.Int32Builder:
		b.Append(int32(r.IntN(7) - 2))
	case *array.Float64Builder:
		b.Append(float64(r.IntN(13)-4) / 4)
	case *array.StringBuilder:
		b.Append([]string{"a", "b", "c", "", "bb", "abc", "ä", "a text of more than twelve bytes"}[r.IntN(8)])
	case *array.Decimal128Builder:
		b.Append(decimal128.FromI64(int64(r.IntN(9)*25 - 50)))
	case *array.Date32Builder:
		b.Append(arrow.Date32(18_290 + r.IntN(10))) // around the end of January 2020
	case *array.BooleanBuilder:
		b.Append(r.IntN(2) == 0)
	default:
		panic(fmt.Sprintf("no value for %T", b))
	}
}
