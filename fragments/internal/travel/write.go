package travel

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/parquetsql/parquetsql/vector"
)

// Writer writes batches of some columns as a stream.
type Writer struct {
	columns vector.Schema
	schema  *arrow.Schema
	out     *ipc.Writer
}

// NewWriter begins a stream, compressed with LZ4.
func NewWriter(w io.Writer, columns vector.Schema, schema *arrow.Schema) *Writer {
	return &Writer{columns: columns, schema: schema, out: ipc.NewWriter(w, ipc.WithSchema(schema), ipc.WithLZ4())}
}

// Write writes n rows of flat vectors.
func (w *Writer) Write(cols []*vector.Vector, n int) error {
	arrays := make([]arrow.Array, len(cols))
	for i, v := range cols {
		data, err := dataOf(v, w.schema.Field(i).Type)
		if err != nil {
			return fmt.Errorf("column %s: %w", w.columns[i].Name, err)
		}
		arrays[i] = array.MakeFromData(data)
	}
	return w.out.Write(array.NewRecordBatch(w.schema, arrays, int64(n)))
}

// Close ends the stream.
func (w *Writer) Close() error { return w.out.Close() }

// dataOf is a flat vector as Arrow has it. The memory is Go's, which nothing has to release.
func dataOf(v *vector.Vector, t arrow.DataType) (*array.Data, error) {
	n := v.Len
	valid, nulls := validityOf(v)
	buffers, children := []*memory.Buffer{valid}, []arrow.ArrayData(nil)
	add := func(b []byte) { buffers = append(buffers, memory.NewBufferBytes(b)) }
	switch v.Type.Storage() {
	case vector.StoreNone:
		return array.NewData(t, n, []*memory.Buffer{nil}, nil, n, 0), nil
	case vector.StoreBool:
		add(bits(n, func(i int) bool { return v.Bool[i] }))
	case vector.StoreInt64:
		add(arrow.Int64Traits.CastToBytes(v.I64[:n]))
	case vector.StoreUint64:
		add(arrow.Uint64Traits.CastToBytes(v.U64[:n]))
	case vector.StoreFloat32:
		add(arrow.Float32Traits.CastToBytes(v.F32[:n]))
	case vector.StoreFloat64:
		add(arrow.Float64Traits.CastToBytes(v.F64[:n]))
	case vector.StoreInt128:
		out := make([]byte, 0, n*int128Bytes)
		for _, x := range v.I128[:n] {
			out = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(out, x.Lo), uint64(x.Hi))
		}
		add(out)
	case vector.StoreInterval:
		out := make([]byte, 0, n*intervalBytes)
		for _, x := range v.Interval[:n] {
			for _, part := range []int64{x.Months, x.Days, x.Micros} {
				out = binary.LittleEndian.AppendUint64(out, uint64(part))
			}
		}
		add(out)
	case vector.StoreString:
		ends := make([]int64, n+1)
		var texts []byte
		for i, s := range v.Str[:n] {
			if !v.IsNull(i) {
				texts = append(texts, s...)
			}
			ends[i+1] = int64(len(texts))
		}
		add(arrow.Int64Traits.CastToBytes(ends))
		add(texts)
	case vector.StoreNested:
		var err error
		if v.Type.HasElements() {
			offsets, of, err := elements(v, t.(*arrow.ListType))
			if err != nil {
				return nil, err
			}
			add(offsets)
			return array.NewData(t, n, buffers, []arrow.ArrayData{of}, nulls, 0), nil
		}
		if children, err = childrenOf(v, t.(*arrow.StructType)); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("internal error: a column of %s has no form to travel in", v.Type)
	}
	return array.NewData(t, n, buffers, children, nulls, 0), nil
}

// elements are the offsets of lists, which begin with 0, and their elements.
func elements(v *vector.Vector, t *arrow.ListType) ([]byte, arrow.ArrayData, error) {
	first, last := v.Offsets[0], v.Offsets[v.Len]
	offsets := make([]int32, v.Len+1)
	for i := range offsets {
		offsets[i] = v.Offsets[i] - first
	}
	n := int(last - first)
	var of []arrow.ArrayData
	for k, c := range v.Children {
		field := t.ElemField().Type
		if v.Type.Kind == vector.Map {
			field = field.(*arrow.StructType).Field(k).Type
		}
		var some vector.Vector
		some.Slice(c, int(first), n)
		data, err := flatData(&some, field)
		if err != nil {
			return nil, nil, err
		}
		of = append(of, data)
	}
	if v.Type.Kind == vector.List {
		return arrow.Int32Traits.CastToBytes(offsets), of[0], nil
	}
	entries := array.NewData(t.ElemField().Type, n, []*memory.Buffer{nil}, of, 0, 0)
	return arrow.Int32Traits.CastToBytes(offsets), entries, nil
}

// childrenOf are the fields of structs.
func childrenOf(v *vector.Vector, t *arrow.StructType) ([]arrow.ArrayData, error) {
	out := make([]arrow.ArrayData, len(v.Children))
	for k, c := range v.Children {
		data, err := flatData(c, t.Field(k).Type)
		if err != nil {
			return nil, err
		}
		out[k] = data
	}
	return out, nil
}

func flatData(v *vector.Vector, t arrow.DataType) (*array.Data, error) {
	flat, err := v.Flatten(nil)
	if err != nil {
		return nil, err
	}
	return dataOf(flat, t)
}

// validityOf is the bitmap of rows that are not NULL, nil where all are.
func validityOf(v *vector.Vector) (*memory.Buffer, int) {
	if v.Valid == nil {
		return nil, 0
	}
	nulls := v.Len - v.Valid.Count(v.Len)
	return memory.NewBufferBytes(bits(v.Len, v.Valid.Get)), nulls
}

// bits has a bit for each row, the first one lowest.
func bits(n int, is func(i int) bool) []byte {
	out := make([]byte, (n+7)/8)
	for i := range n {
		if is(i) {
			out[i/8] |= 1 << (i % 8)
		}
	}
	return out
}
