package travel

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/parquetsql/parquetsql/vector"
)

// errDamaged is the error of a stream that is not as Writer has made it.
var errDamaged = errors.New("exchanged rows are damaged")

// Reader reads a stream of a Writer. It is for one goroutine.
type Reader struct {
	columns vector.Schema
	in      *ipc.Reader
}

// NewReader reads the rows of some columns. Others are an error. The bytes are those that a Writer has made:
// the caller compares a checksum, for arrow-go believes the lengths in them.
func NewReader(r io.Reader, columns vector.Schema, schema *arrow.Schema) (_ *Reader, err error) {
	defer recovered(&err)
	in, err := ipc.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if !in.Schema().Equal(schema) {
		in.Release()
		return nil, fmt.Errorf("%w: there are columns %s, not %s", errDamaged, in.Schema(), schema)
	}
	return &Reader{columns: columns, in: in}, nil
}

// Next is the next batch, whose memory is its own; nil without an error is the end.
func (r *Reader) Next() (_ *vector.Batch, err error) {
	defer recovered(&err)
	if !r.in.Next() {
		if err := r.in.Err(); err != nil {
			return nil, fmt.Errorf("%w: %w", errDamaged, err)
		}
		return nil, nil
	}
	record := r.in.RecordBatch()
	b := &vector.Batch{Len: int(record.NumRows())}
	for i, c := range r.columns {
		v, err := vectorOf(c.Type, record.Column(i).Data(), b.Len)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		v.Raise(vector.Shared)
		b.Cols = append(b.Cols, v)
	}
	return b, nil
}

// Close ends the reading.
func (r *Reader) Close() { r.in.Release() }

// recovered makes an error of a panic.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: %v", errDamaged, r)
	}
}

// vectorOf is n rows of a type. Slices that are too short panic, which recovered makes an error.
func vectorOf(t vector.Type, data arrow.ArrayData, n int) (*vector.Vector, error) {
	if data.Len() != n || data.Offset() != 0 {
		return nil, fmt.Errorf("%w: %d values of %s at %d for %d rows", errDamaged, data.Len(), t, data.Offset(), n)
	}
	v := &vector.Vector{}
	if t.Storage() == vector.StoreNone {
		v.Reset(t, n)
		return v, nil
	}
	if t.Storage() == vector.StoreNested {
		return nestedOf(t, data, n)
	}
	v.Reset(t, n)
	if n == 0 {
		return v, nil // there may be no buffers
	}
	values := func() []byte { return bytesOf(data, 1) }
	switch t.Storage() {
	case vector.StoreBool:
		for i := range n {
			v.Bool[i] = bit(values(), i)
		}
	case vector.StoreInt64:
		copy(v.I64[:n], arrow.Int64Traits.CastFromBytes(values())[:n])
	case vector.StoreUint64:
		copy(v.U64[:n], arrow.Uint64Traits.CastFromBytes(values())[:n])
	case vector.StoreFloat32:
		copy(v.F32[:n], arrow.Float32Traits.CastFromBytes(values())[:n])
	case vector.StoreFloat64:
		copy(v.F64[:n], arrow.Float64Traits.CastFromBytes(values())[:n])
	case vector.StoreInt128:
		all := values()
		for i := range n {
			x := all[i*int128Bytes:]
			v.I128[i] = vector.Int128{Lo: binary.LittleEndian.Uint64(x), Hi: int64(binary.LittleEndian.Uint64(x[8:]))}
		}
	case vector.StoreInterval:
		all := values()
		for i := range n {
			x := all[i*intervalBytes:]
			v.Interval[i] = vector.IntervalValue{
				Months: int64(binary.LittleEndian.Uint64(x)), Days: int64(binary.LittleEndian.Uint64(x[8:])), Micros: int64(binary.LittleEndian.Uint64(x[16:])),
			}
		}
	case vector.StoreString:
		ends := arrow.Int64Traits.CastFromBytes(values())[:n+1]
		all := string(bytesOf(data, 2))
		for i := range n {
			v.Str[i] = all[ends[i]:ends[i+1]]
		}
	default:
		return nil, fmt.Errorf("%w: a column of %s", errDamaged, t)
	}
	setNulls(v, data)
	return v, nil
}

// nestedOf is lists, maps, structs and Variants.
func nestedOf(t vector.Type, data arrow.ArrayData, n int) (*vector.Vector, error) {
	v := &vector.Vector{Type: t, Len: n}
	children, rows := data.Children(), n
	if t.HasElements() {
		v.Offsets = make([]int32, n+1)
		if n > 0 {
			copy(v.Offsets, arrow.Int32Traits.CastFromBytes(bytesOf(data, 1))[:n+1])
		}
		for i := range n {
			if v.Offsets[i] > v.Offsets[i+1] || v.Offsets[0] != 0 {
				return nil, fmt.Errorf("%w: elements of a list end before they begin", errDamaged)
			}
		}
		rows = int(v.Offsets[n])
		if t.Kind == vector.Map {
			children = children[0].Children()
		}
	}
	if len(children) != len(t.Fields) {
		return nil, fmt.Errorf("%w: %d children of a %s", errDamaged, len(children), t)
	}
	for k, f := range t.Fields {
		c, err := vectorOf(f.Type, children[k], rows)
		if err != nil {
			return nil, err
		}
		v.Children = append(v.Children, c)
	}
	setNulls(v, data)
	return v, nil
}

// bytesOf is a buffer of an array.
func bytesOf(data arrow.ArrayData, i int) []byte {
	if b := data.Buffers(); i < len(b) && b[i] != nil {
		return b[i].Bytes()
	}
	return nil
}

func setNulls(v *vector.Vector, data arrow.ArrayData) {
	valid := bytesOf(data, 0)
	if data.NullN() == 0 || valid == nil {
		return
	}
	for i := range v.Len {
		if !bit(valid, i) {
			v.SetNull(i)
		}
	}
}

func bit(b []byte, i int) bool { return b[i/8]>>(i%8)&1 != 0 }
