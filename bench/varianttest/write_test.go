package varianttest

import (
	"bytes"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/apache/arrow-go/v18/parquet/variant"
	"github.com/google/uuid"
)

// node is the group of a Variant, a field or an element: how a value is shredded.
type node struct {
	typ     arrow.DataType // typed_value of primitive values
	names   []string       // typed_value of objects: a group for each field
	fields  []*node
	element *node // typed_value of arrays
	swapped bool  // typed_value comes before value
}

func (n *node) shredded() bool { return n.typ != nil || n.names != nil || n.element != nil }

// layout is a random layout that fits parts of a value.
func (m maker) layout(x any, depth int) *node {
	n := &node{swapped: m.one(2)}
	if m.one(6) || depth == 0 {
		return n
	}
	if m.one(8) {
		x = m.value(2) // fits little
	}
	switch x := x.(type) {
	case scalar:
		n.typ = x.typ
	case []any:
		n.element = &node{}
		if len(x) > 0 {
			n.element = m.layout(x[m.IntN(len(x))], depth-1)
		}
	case map[string]any:
		for _, name := range names {
			e, ok := x[name]
			if ok && !m.one(4) || m.one(6) {
				n.names = append(n.names, name)
				n.fields = append(n.fields, m.layout(e, depth-1))
			}
		}
		m.Shuffle(len(n.names), func(i, j int) {
			n.names[i], n.names[j] = n.names[j], n.names[i]
			n.fields[i], n.fields[j] = n.fields[j], n.fields[i]
		})
	}
	return n
}

// typedType is the type of typed_value.
func (n *node) typedType() arrow.DataType {
	switch {
	case n.typ != nil:
		return n.typ
	case n.element != nil:
		return arrow.ListOfNonNullable(n.element.group())
	}
	var fields []arrow.Field
	for i, name := range n.names {
		fields = append(fields, arrow.Field{Name: name, Type: n.fields[i].group()})
	}
	return arrow.StructOf(fields...)
}

func (n *node) group(first ...arrow.Field) arrow.DataType {
	value := arrow.Field{Name: "value", Type: arrow.BinaryTypes.Binary, Nullable: true}
	if !n.shredded() {
		value.Nullable = len(first) == 0 // a Variant that is not shredded has a value
		return arrow.StructOf(append(first, value)...)
	}
	typed := arrow.Field{Name: "typed_value", Type: n.typedType(), Nullable: true}
	if n.swapped && len(first) == 0 { // arrow-go mixes up the columns of a Variant in another order
		return arrow.StructOf(typed, value)
	}
	return arrow.StructOf(append(first, value, typed)...)
}

// build appends a value to arrow-go's builder of the binary encoding.
func build(b *variant.Builder, x any) error {
	switch x := x.(type) {
	case nil:
		return b.AppendNull()
	case scalar:
		return b.Append(x.v, x.opts)
	case []any:
		start, offsets := b.Offset(), []int{}
		for _, e := range x {
			offsets = append(offsets, b.NextElement(start))
			if err := build(b, e); err != nil {
				return err
			}
		}
		return b.FinishArray(start, offsets)
	case map[string]any:
		start, fields := b.Offset(), []variant.FieldEntry{}
		for name, e := range x {
			fields = append(fields, b.NextField(start, name))
			if err := build(b, e); err != nil {
				return err
			}
		}
		return b.FinishObject(start, fields)
	}
	return fmt.Errorf("%T is no value", x)
}

// shredder appends values to columns, as VariantShredding.md says.
type shredder struct {
	metadata variant.Metadata
	err      error
}

func (s *shredder) encoded(x any) []byte {
	b := variant.NewBuilderFromMeta(s.metadata)
	if err := build(b, x); err != nil {
		s.err = err
	}
	return bytes.Clone(b.BuildWithoutMeta())
}

// group appends the columns of a group.
func (s *shredder) group(b *array.StructBuilder, n *node, x any) {
	t := b.Type().(*arrow.StructType)
	at, _ := t.FieldIdx("value")
	value := b.FieldBuilder(at).(*array.BinaryBuilder)
	at, shredded := t.FieldIdx("typed_value")
	switch {
	case x == missing:
		value.AppendNull()
		if shredded {
			b.FieldBuilder(at).AppendNulls(1) // of a STRUCT with its fields, unlike AppendNull
		}
	case !shredded:
		value.Append(s.encoded(x))
	default:
		rest, ok := s.typed(b.FieldBuilder(at), n, x)
		switch {
		case !ok:
			b.FieldBuilder(at).AppendNulls(1)
			value.Append(s.encoded(x))
		case rest != nil:
			value.Append(s.encoded(rest))
		default:
			value.AppendNull()
		}
	}
}

// typed appends typed_value if the value has its type; rest is an object of the fields
// that are left.
func (s *shredder) typed(b array.Builder, n *node, x any) (rest any, ok bool) {
	switch x := x.(type) {
	case scalar:
		if n.typ == nil || !arrow.TypeEqual(n.typ, x.typ) {
			return nil, false
		}
		if err := addScalar(b, x.v); err != nil {
			s.err = err
		}
		return nil, true
	case []any:
		if n.element == nil {
			return nil, false
		}
		list := b.(*array.ListBuilder)
		list.Append(true)
		for _, e := range x {
			element := list.ValueBuilder().(*array.StructBuilder)
			element.Append(true)
			s.group(element, n.element, e)
		}
		return nil, true
	case map[string]any:
		if n.names == nil {
			return nil, false
		}
		b.(*array.StructBuilder).Append(true)
		left := map[string]any{}
		for name, e := range x {
			left[name] = e
		}
		for i, name := range n.names {
			field, there := x[name]
			if !there {
				field = missing
			}
			delete(left, name)
			group := b.(*array.StructBuilder).FieldBuilder(i).(*array.StructBuilder)
			group.Append(true)
			s.group(group, n.fields[i], field)
		}
		if len(left) > 0 {
			rest = left
		}
		return rest, true
	}
	return nil, false
}

// write is a file of the columns id, from 0, and v. Some layouts are shredded by
// arrow-go itself.
func (m maker) write(layout *node, values []any) ([]byte, error) {
	storage := layout.group(arrow.Field{Name: "metadata", Type: arrow.BinaryTypes.Binary}).(*arrow.StructType)
	typ, err := extensions.NewVariantType(storage)
	if err != nil {
		return nil, err
	}
	var b columnBuilder
	if layout.simple() && m.one(2) {
		b = foreignBuilder{extensions.NewVariantBuilder(memory.DefaultAllocator, typ)}
	} else {
		b = &ownBuilder{array.NewStructBuilder(memory.DefaultAllocator, storage), layout, typ}
	}
	ids := array.NewInt64Builder(memory.DefaultAllocator)
	for i, x := range values {
		ids.Append(int64(i))
		if x == missing {
			b.AppendNulls(1)
			continue
		}
		var whole variant.Builder
		if err := build(&whole, x); err != nil {
			return nil, err
		}
		v, err := whole.Build()
		if err == nil {
			err = b.add(v, x)
		}
		if err != nil {
			return nil, err
		}
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "v", Type: typ, Nullable: true}}, nil)
	return m.file(array.NewRecordBatch(schema, []arrow.Array{ids.NewArray(), b.column()}, int64(len(values))))
}

// columnBuilder makes the column v.
type columnBuilder interface {
	AppendNulls(n int)
	add(v variant.Value, x any) error
	column() arrow.Array
}

// ownBuilder shreds values as the specification says.
type ownBuilder struct {
	*array.StructBuilder
	layout *node
	typ    *extensions.VariantType
}

func (b *ownBuilder) add(v variant.Value, x any) error {
	s := shredder{metadata: v.Metadata()}
	b.Append(true)
	b.FieldBuilder(0).(*array.BinaryBuilder).Append(v.Metadata().Bytes())
	s.group(b.StructBuilder, b.layout, x)
	return s.err
}

func (b *ownBuilder) column() arrow.Array {
	return array.NewExtensionArrayWithStorage(b.typ, b.NewArray())
}

// foreignBuilder lets arrow-go shred.
type foreignBuilder struct{ *extensions.VariantBuilder }

func (b foreignBuilder) add(v variant.Value, _ any) error {
	b.Append(v)
	return nil
}

func (b foreignBuilder) column() arrow.Array { return b.NewArray() }

// simple reports whether arrow-go shreds a layout without a defect: it gives an empty
// array two rows and a missing one an element, rounds doubles to floats, and wants a
// type for each field.
func (n *node) simple() bool {
	if n.element != nil || n.typ == arrow.PrimitiveTypes.Float32 {
		return false
	}
	for _, f := range n.fields {
		if !f.shredded() || !f.simple() {
			return false
		}
	}
	return true
}

// footerKey is the key of the files that are encrypted.
const footerKey = "0123456789abcdef"

// file is a file of one batch, one in three encrypted.
func (m maker) file(batch arrow.RecordBatch) ([]byte, error) {
	var out bytes.Buffer
	codec := []compress.Compression{compress.Codecs.Uncompressed, compress.Codecs.Snappy, compress.Codecs.Zstd}[m.IntN(3)]
	properties := []parquet.WriterProperty{
		parquet.WithVersion(parquet.V2_LATEST), parquet.WithCompression(codec),
		parquet.WithDictionaryDefault(m.one(2)), parquet.WithDataPageSize(64 << m.IntN(12)), parquet.WithBatchSize(1 << m.IntN(11)),
		parquet.WithPageIndexEnabled(m.one(2)), parquet.WithStoreDecimalAsInteger(m.one(2)), parquet.WithMaxRowGroupLength(int64(1 + m.IntN(200))),
	}
	if m.one(3) {
		cipher := []parquet.Cipher{parquet.AesGcm, parquet.AesCtr}[m.IntN(2)]
		properties = append(properties, parquet.WithEncryptionProperties(parquet.NewFileEncryptionProperties(footerKey, parquet.WithAlg(cipher))))
	}
	w, err := pqarrow.NewFileWriter(batch.Schema(), &out, parquet.NewWriterProperties(properties...), pqarrow.DefaultWriterProps())
	if err != nil {
		return nil, err
	}
	if err := w.Write(batch); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// addScalar appends a value to a builder of its type.
func addScalar(b array.Builder, v any) error {
	switch v := v.(type) {
	case bool:
		b.(*array.BooleanBuilder).Append(v)
	case int64:
		b.(*array.Int64Builder).Append(v)
	case float32:
		b.(*array.Float32Builder).Append(v)
	case float64:
		b.(*array.Float64Builder).Append(v)
	case string:
		b.(*array.StringBuilder).Append(v)
	case []byte:
		b.(*array.BinaryBuilder).Append(v)
	case arrow.Date32:
		b.(*array.Date32Builder).Append(v)
	case arrow.Time64:
		b.(*array.Time64Builder).Append(v)
	case arrow.Timestamp:
		b.(*array.TimestampBuilder).Append(v)
	case uuid.UUID:
		b.(*extensions.UUIDBuilder).Append(v)
	case variant.DecimalValue[decimal.Decimal32]:
		b.(*array.Decimal128Builder).Append(decimal128.FromI64(int64(v.Value.(decimal.Decimal32))))
	case variant.DecimalValue[decimal.Decimal64]:
		b.(*array.Decimal128Builder).Append(decimal128.FromI64(int64(v.Value.(decimal.Decimal64))))
	default:
		return fmt.Errorf("no case for %T", v)
	}
	return nil
}
