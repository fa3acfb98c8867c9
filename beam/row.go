package parquetbeam

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
)

// Row is a row of a query. The values are those that database/sql scans into an any: nil, bool, int64,
// uint64, float32, float64, string, []byte or time.Time.
type Row struct{ Values []any }

// The kinds of values on the way.
const (
	isNull = iota
	isFalse
	isTrue
	isInt
	isUint
	isFloat32
	isFloat64
	isText
	isBytes
	isTime
)

// encodeRow is the bytes of a row: for each value its kind and what it needs, texts behind their length.
func encodeRow(r Row) ([]byte, error) {
	out := binary.AppendUvarint(nil, uint64(len(r.Values)))
	for _, value := range r.Values {
		switch v := value.(type) {
		case nil:
			out = append(out, isNull)
		case bool:
			if v {
				out = append(out, isTrue)
			} else {
				out = append(out, isFalse)
			}
		case int64:
			out = binary.AppendVarint(append(out, isInt), v)
		case uint64:
			out = binary.AppendUvarint(append(out, isUint), v)
		case float32:
			out = binary.LittleEndian.AppendUint32(append(out, isFloat32), math.Float32bits(v))
		case float64:
			out = binary.LittleEndian.AppendUint64(append(out, isFloat64), math.Float64bits(v))
		case string:
			out = append(binary.AppendUvarint(append(out, isText), uint64(len(v))), v...)
		case []byte:
			out = append(binary.AppendUvarint(append(out, isBytes), uint64(len(v))), v...)
		case time.Time:
			out = binary.AppendVarint(append(out, isTime), v.Unix())
			out = binary.AppendUvarint(out, uint64(v.Nanosecond()))
		default:
			return nil, fmt.Errorf("parquetbeam: a value of type %T in a row", value)
		}
	}
	return out, nil
}

var errRow = errors.New("parquetbeam: damaged bytes of a row")

// decodeRow is the row of bytes.
func decodeRow(data []byte) (Row, error) {
	in := input{rest: data}
	n := in.uvarint()
	if n > uint64(len(in.rest)) { // each value has a kind
		return Row{}, errRow
	}
	r := Row{Values: make([]any, n)}
	for i := range r.Values {
		r.Values[i] = in.value()
	}
	if in.bad || len(in.rest) > 0 {
		return Row{}, errRow
	}
	return r, nil
}

// input is the bytes of a row that are not read yet.
type input struct {
	rest []byte
	bad  bool
}

func (in *input) value() any {
	kind := in.bytes(1)
	if in.bad {
		return nil
	}
	switch kind[0] {
	case isNull:
		return nil
	case isFalse, isTrue:
		return kind[0] == isTrue
	case isInt:
		return in.varint()
	case isUint:
		return in.uvarint()
	case isFloat32:
		if b := in.bytes(4); b != nil {
			return math.Float32frombits(binary.LittleEndian.Uint32(b))
		}
	case isFloat64:
		if b := in.bytes(8); b != nil {
			return math.Float64frombits(binary.LittleEndian.Uint64(b))
		}
	case isText:
		return string(in.bytes(in.uvarint()))
	case isBytes:
		return append([]byte{}, in.bytes(in.uvarint())...)
	case isTime:
		seconds, nanos := in.varint(), in.uvarint()
		if nanos < 1e9 {
			return time.Unix(seconds, int64(nanos)).UTC()
		}
	}
	in.bad = true
	return nil
}

// bytes are the next n bytes; nil, and bad, if there are fewer.
func (in *input) bytes(n uint64) []byte {
	if n > uint64(len(in.rest)) {
		in.bad, in.rest = true, nil
		return nil
	}
	out := in.rest[:n:n]
	in.rest = in.rest[n:]
	return out
}

func (in *input) uvarint() uint64 {
	v, n := binary.Uvarint(in.rest)
	in.bytes(size(n))
	return v
}

func (in *input) varint() int64 {
	v, n := binary.Varint(in.rest)
	in.bytes(size(n))
	return v
}

// size is how many bytes a number has of which encoding/binary has read n: too many if it is none.
func size(n int) uint64 {
	if n <= 0 {
		return math.MaxUint64
	}
	return uint64(n)
}
