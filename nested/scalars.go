package nested

import (
	"encoding/binary"
	"math"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// ScalarOf decodes a value in the PLAIN encoding, as statistics have them (byte
// arrays without a length prefix), into the column's type. It is false if the
// bytes have a wrong length, or if the column cannot contain the value: narrow
// integers lose stray high bits when they are read, so a bound with such bits is
// useless.
func ScalarOf(n *fileformat.Node, o Options, plain []byte) (vector.Scalar, bool) {
	if !n.IsLeaf() || !plainWidth(n, len(plain)) {
		return vector.Scalar{}, false
	}
	t := TypeOf(n, o)
	if s, ok := unchanged(n, t, plain); ok {
		return s, true
	}
	var v column.Values
	le := binary.LittleEndian
	switch n.Physical {
	case fileformat.Boolean:
		v.Bool = []bool{plain[0] != 0}
	case fileformat.Int32:
		v.Int32 = []int32{int32(le.Uint32(plain))}
	case fileformat.Int64:
		v.Int64 = []int64{int64(le.Uint64(plain))}
	case fileformat.Int96Type:
		v.Int96 = []column.Int96{column.Int96(plain)}
	case fileformat.Float:
		v.Float = []float32{math.Float32frombits(le.Uint32(plain))}
	case fileformat.Double:
		v.Double = []float64{math.Float64frombits(le.Uint64(plain))}
	default:
		v.Bytes = []string{string(plain)}
	}
	c := &converter{node: n, typ: t}
	if t.Kind == vector.Null {
		return vector.NullOf(t), true
	}
	out := vector.Vector{Type: t, Len: 1}
	if err := c.values(&v, 1, nil, 1, &out); err != nil {
		return vector.Scalar{}, false
	}
	if n.Physical == fileformat.Int32 && t.IsInteger() && uint32(out.I64[0]) != uint32(v.Int32[0]) {
		return vector.Scalar{}, false
	}
	out.Raise(vector.Shared)
	return out.Get(0), true
}

// unchanged decodes a value of a type that has it as the file has it. Those are most bounds, of which a
// scan of many files decodes many: they need no converter. It is false for all other types.
func unchanged(n *fileformat.Node, t vector.Type, plain []byte) (vector.Scalar, bool) {
	s := vector.Scalar{Type: t}
	switch {
	case n.Physical == fileformat.Int32 && (t.Kind == vector.Integer || t.Kind == vector.Date):
		s.I64 = int64(int32(binary.LittleEndian.Uint32(plain)))
	case n.Physical == fileformat.Int64 && (t.Kind == vector.BigInt || t.IsTimestamp() && t.Storage() == vector.StoreInt64):
		s.I64 = int64(binary.LittleEndian.Uint64(plain))
	case n.Physical == fileformat.Double && t.Kind == vector.Double:
		s.F64 = math.Float64frombits(binary.LittleEndian.Uint64(plain))
	case n.Physical == fileformat.ByteArray && t.Kind == vector.Varchar:
		s.Str = string(plain)
	default:
		return vector.Scalar{}, false
	}
	return s, true
}

// plainWidth reports whether a value may have this number of bytes. Bounds of
// byte arrays may be truncated, if each prefix of a value is a value, too.
func plainWidth(n *fileformat.Node, width int) bool {
	switch n.Physical {
	case fileformat.Boolean:
		return width == 1
	case fileformat.Int32, fileformat.Float:
		return width == 4
	case fileformat.Int64, fileformat.Double:
		return width == 8
	case fileformat.Int96Type:
		return width == 12
	}
	switch TypeOf(n, Options{}).Kind {
	case vector.Decimal:
		return width > 0 && (n.Physical == fileformat.ByteArray || width == n.TypeLength)
	case vector.Half, vector.Interval, vector.UUID:
		return width == n.TypeLength
	}
	return true
}

// DictionaryVector is a chunk's dictionary as a flat vector of the type of a
// column that is a single leaf, perhaps an Inner one. It is not written to again.
func DictionaryVector(c Column, o Options, d *column.Dictionary) (*vector.Vector, error) {
	if !c.Node.IsLeaf() || c.Type.IsNested() {
		return nil, errs.Unsupported("the dictionary of column %q, which has more than one leaf or is a list", c.Name)
	}
	convert := newConverter(c.Node, o)
	if convert.typ.Kind == vector.Null {
		out := &vector.Vector{}
		*out = *vector.NewConstant(vector.NullOf(convert.typ), d.Len)
		return out, nil
	}
	out, err := convert.dictionary(d)
	if err != nil {
		return nil, &errs.CorruptError{RowGroup: -1, Column: c.Name, Offset: -1, Err: err}
	}
	return out, nil
}

// PlainBytes is the reverse of ScalarOf, for bloom filters: the bytes that the
// file has for a value. It is false if the value has no encoding or, like NaN,
// several. It assumes that a DECIMAL in a BYTE_ARRAY has the shortest length and
// that an INT96 has less nanoseconds than a day; not all writers guarantee that.
func PlainBytes(n *fileformat.Node, s vector.Scalar) ([]byte, bool) {
	if !n.IsLeaf() || s.Null || !sameMeaning(TypeOf(n, Options{}), s.Type) {
		return nil, false
	}
	le := binary.LittleEndian
	switch n.Physical {
	case fileformat.Boolean:
		if s.Bool {
			return []byte{1}, true
		}
		return []byte{0}, true
	case fileformat.Int32:
		v, ok := integerOf(s)
		if unsigned(n) {
			return le.AppendUint32(nil, uint32(v.Lo)), ok && v.Hi == 0 && v.Lo <= math.MaxUint32
		}
		return le.AppendUint32(nil, uint32(v.Lo)), ok && v.IsInt64() && v.Int64() == int64(int32(v.Int64()))
	case fileformat.Int64:
		v, ok := integerOf(s)
		if unsigned(n) {
			return le.AppendUint64(nil, v.Lo), ok && v.Hi == 0
		}
		return le.AppendUint64(nil, v.Lo), ok && v.IsInt64()
	case fileformat.Int96Type:
		days, nanos := vector.SplitWide(s.I128)
		day := days + julianEpoch
		return le.AppendUint32(le.AppendUint64(nil, uint64(nanos)), uint32(day)), day == int64(int32(day))
	case fileformat.Float:
		return le.AppendUint32(nil, math.Float32bits(s.F32)), s.F32 == s.F32
	case fileformat.Double:
		return le.AppendUint64(nil, math.Float64bits(s.F64)), s.F64 == s.F64
	}
	return plainBytes(n, s)
}

// plainBytes is PlainBytes for byte arrays.
func plainBytes(n *fileformat.Node, s vector.Scalar) ([]byte, bool) {
	le := binary.LittleEndian
	fixed := n.Physical == fileformat.FixedLenByteArray
	switch s.Type.Kind {
	case vector.Half:
		h, ok := floatToHalf(s.F32)
		return le.AppendUint16(nil, h), ok
	case vector.Interval:
		v := s.Interval
		out := le.AppendUint32(le.AppendUint32(nil, uint32(v.Months)), uint32(v.Days))
		out = le.AppendUint32(out, uint32(v.Micros/1000))
		return out, intervalOf(string(out)) == v
	case vector.Decimal:
		twos := twosOf(s)
		if !fixed {
			return []byte(twos), true
		}
		if len(twos) > n.TypeLength || n.TypeLength > vector.MaxDecimalBytes {
			return nil, false // a length of the schema must not size memory
		}
		out := make([]byte, n.TypeLength)
		at := copy(out[n.TypeLength-len(twos):], twos)
		for i := range out[:n.TypeLength-at] {
			out[i] = byte(int8(twos[0]) >> 7)
		}
		return out, true
	}
	return []byte(s.Str), !fixed || len(s.Str) == n.TypeLength
}

// sameMeaning reports whether a file has the same bytes for a value of either
// type: the types are equal, both integers, or both byte strings.
func sameMeaning(a, b vector.Type) bool {
	text := func(t vector.Type) bool { return t.IsText() || t.Kind == vector.Blob }
	switch {
	case a.IsInteger() && b.IsInteger(), text(a) && text(b):
		return true
	case a.Kind == vector.Decimal:
		return b.Kind == vector.Decimal && a.Scale == b.Scale
	}
	return a.Equal(b) && !a.IsNested()
}

func unsigned(n *fileformat.Node) bool {
	return n.Logical.Kind == fileformat.LogicalInteger && !n.Logical.Signed
}

// integerOf is the integer of a scalar, or the unscaled value of a DECIMAL of any
// precision; it is false for other types.
func integerOf(s vector.Scalar) (vector.Int128, bool) {
	if s.Type.Storage() == vector.StoreString {
		return twos128(vector.BigDecimalBytes(s.Str))
	}
	return s.Whole()
}

// twosOf is an unscaled DECIMAL in the shortest two's complement.
func twosOf(s vector.Scalar) string {
	if s.Type.Storage() == vector.StoreString {
		return vector.BigDecimalBytes(s.Str)
	}
	v, _ := integerOf(s)
	be := binary.BigEndian
	bytes := be.AppendUint64(be.AppendUint64(nil, uint64(v.Hi)), v.Lo)
	return vector.BigDecimalBytes(string(vector.AppendBigDecimalBytes(nil, string(bytes))))
}
