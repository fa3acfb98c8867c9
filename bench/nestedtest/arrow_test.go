package nestedtest

import (
	"bytes"
	"fmt"
	"math/big"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// arrows writes records with arrow-go, which computes the levels.
func (m *maker) arrows(root *node, records [][]any) ([]byte, error) {
	var fields []arrow.Field
	for _, c := range root.children {
		fields = append(fields, arrowField(c))
	}
	schema := arrow.NewSchema(fields, nil)
	version := []parquet.DataPageVersion{parquet.DataPageV1, parquet.DataPageV2}[m.IntN(2)]
	codec := []compress.Compression{compress.Codecs.Uncompressed, compress.Codecs.Snappy, compress.Codecs.Zstd}[m.IntN(3)]
	props := parquet.NewWriterProperties(parquet.WithVersion(parquet.V2_LATEST), parquet.WithDataPageVersion(version),
		parquet.WithDataPageSize(64<<m.IntN(12)), parquet.WithBatchSize(1<<m.IntN(11)), parquet.WithDictionaryDefault(m.one(2)),
		parquet.WithDictionaryPageSizeLimit(64<<m.IntN(12)), parquet.WithCompression(codec), parquet.WithPageIndexEnabled(m.one(2)),
		parquet.WithStoreDecimalAsInteger(m.one(2)))
	var b bytes.Buffer
	w, err := pqarrow.NewFileWriter(schema, &b, props, pqarrow.DefaultWriterProps())
	if err != nil {
		return nil, err
	}
	for len(records) > 0 {
		n := 1 + m.IntN(len(records))
		if err := w.Write(recordBatch(root, schema, records[:n])); err != nil {
			return nil, err
		}
		records = records[n:]
	}
	err = w.Close()
	return b.Bytes(), err
}

func recordBatch(root *node, schema *arrow.Schema, records [][]any) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for _, record := range records {
		for i, c := range root.children {
			add(c, b.Field(i), record[i])
		}
	}
	return b.NewRecordBatch()
}

func arrowField(n *node) arrow.Field {
	return arrow.Field{Name: n.name, Type: arrowType(n), Nullable: n.optional}
}

func arrowType(n *node) arrow.DataType {
	zone := ""
	if n.utc {
		zone = "UTC"
	}
	unit := []arrow.TimeUnit{0, arrow.Millisecond, arrow.Microsecond, arrow.Nanosecond}[n.unit]
	switch n.kind {
	case structure:
		var fields []arrow.Field
		for _, c := range n.children {
			fields = append(fields, arrowField(c))
		}
		return arrow.StructOf(fields...)
	case list:
		return arrow.ListOfField(arrowField(n.children[0]))
	case mapping:
		t := arrow.MapOf(arrowType(n.children[0]), arrowType(n.children[1]))
		t.SetItemNullable(n.children[1].optional)
		return t
	case boolean:
		return arrow.FixedWidthTypes.Boolean
	case signed:
		return map[int]arrow.DataType{8: arrow.PrimitiveTypes.Int8, 16: arrow.PrimitiveTypes.Int16, 32: arrow.PrimitiveTypes.Int32, 64: arrow.PrimitiveTypes.Int64}[n.bits]
	case unsigned:
		return map[int]arrow.DataType{8: arrow.PrimitiveTypes.Uint8, 16: arrow.PrimitiveTypes.Uint16, 32: arrow.PrimitiveTypes.Uint32, 64: arrow.PrimitiveTypes.Uint64}[n.bits]
	case real32:
		return arrow.PrimitiveTypes.Float32
	case real64:
		return arrow.PrimitiveTypes.Float64
	case text:
		return arrow.BinaryTypes.String
	case binary:
		return arrow.BinaryTypes.Binary
	case fixed:
		return &arrow.FixedSizeBinaryType{ByteWidth: 5}
	case date:
		return arrow.FixedWidthTypes.Date32
	case timestamp:
		return &arrow.TimestampType{Unit: unit, TimeZone: zone}
	case clock:
		if n.unit == 1 {
			return arrow.FixedWidthTypes.Time32ms
		}
		return &arrow.Time64Type{Unit: unit}
	case uuidText:
		return extensions.NewUUIDType()
	}
	return &arrow.Decimal128Type{Precision: int32(n.precision), Scale: int32(n.scale)}
}

func add(n *node, b array.Builder, v any) {
	if v == nil {
		b.AppendNull()
		return
	}
	switch b := b.(type) {
	case *array.StructBuilder:
		b.Append(true)
		for i, c := range n.children {
			add(c, b.FieldBuilder(i), v.([]any)[i])
		}
	case *array.ListBuilder:
		b.Append(true)
		for _, e := range v.([]any) {
			add(n.children[0], b.ValueBuilder(), e)
		}
	case *array.MapBuilder:
		b.Append(true)
		for _, e := range v.([]any) {
			add(n.children[0], b.KeyBuilder(), e.([]any)[0])
			add(n.children[1], b.ItemBuilder(), e.([]any)[1])
		}
	default:
		addScalar(b, v)
	}
}

func addScalar(b array.Builder, v any) {
	switch b := b.(type) {
	case *array.BooleanBuilder:
		b.Append(v.(bool))
	case *array.Int8Builder:
		b.Append(int8(v.(int64)))
	case *array.Int16Builder:
		b.Append(int16(v.(int64)))
	case *array.Int32Builder:
		b.Append(int32(v.(int64)))
	case *array.Int64Builder:
		b.Append(v.(int64))
	case *array.Uint8Builder:
		b.Append(uint8(v.(uint64)))
	case *array.Uint16Builder:
		b.Append(uint16(v.(uint64)))
	case *array.Uint32Builder:
		b.Append(uint32(v.(uint64)))
	case *array.Uint64Builder:
		b.Append(v.(uint64))
	case *array.Float32Builder:
		b.Append(v.(float32))
	case *array.Float64Builder:
		b.Append(v.(float64))
	case *array.StringBuilder:
		b.Append(v.(string))
	case *array.BinaryBuilder:
		b.Append([]byte(v.(string)))
	case *array.FixedSizeBinaryBuilder:
		b.Append([]byte(v.(string)))
	case *extensions.UUIDBuilder:
		b.AppendBytes([16]byte([]byte(v.(string))))
	case *array.Date32Builder:
		b.Append(arrow.Date32(v.(int64)))
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(v.(int64)))
	case *array.Time32Builder:
		b.Append(arrow.Time32(v.(int64)))
	case *array.Time64Builder:
		b.Append(arrow.Time64(v.(int64)))
	case *array.Decimal128Builder:
		b.Append(decimal128.FromBigInt(v.(*big.Int)))
	default:
		panic(fmt.Sprintf("no case for %T", b))
	}
}
