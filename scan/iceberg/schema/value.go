package schema

import (
	"encoding/binary"
	"math"
	"math/big"

	"github.com/parquetsql/parquetsql/vector"
)

// FromBytes is a value of a type that is not nested, of bytes (Appendix D, Binary single-value
// serialization). Values of narrower types that were promoted since are told by their length
// (Schema Evolution). It is false where the bytes are none.
func FromBytes(b []byte, t vector.Type) (vector.Scalar, bool) {
	out := vector.Scalar{Type: t}
	switch t.Kind {
	case vector.Boolean:
		if len(b) != 1 {
			return out, false
		}
		out.Bool = b[0] != 0
		return out, true
	case vector.Integer, vector.Date:
		out.I64 = int64(int32(little(b)))
		return out, len(b) == 4
	case vector.BigInt:
		out.I64 = int64(little(b))
		if len(b) == 4 {
			out.I64 = int64(int32(out.I64))
		}
		return out, len(b) == 4 || len(b) == 8
	case vector.Time:
		out.I64 = int64(little(b))
		return out, len(b) == 8
	case vector.Timestamp, vector.TimestampTZ:
		if len(b) == 4 && t.Kind == vector.Timestamp {
			days, perDay := int64(int32(little(b))), 86400*t.Unit.PerSecond()
			out.I64 = days * perDay
			return out, out.I64/perDay == days
		}
		out.I64 = int64(little(b))
		return out, len(b) == 8
	case vector.Float:
		out.F32 = math.Float32frombits(uint32(little(b)))
		return out, len(b) == 4
	case vector.Double:
		if len(b) == 4 {
			out.F64 = float64(math.Float32frombits(uint32(little(b))))
		} else {
			out.F64 = math.Float64frombits(little(b))
		}
		return out, len(b) == 4 || len(b) == 8
	case vector.Decimal:
		return decimal(b, t)
	case vector.Varchar, vector.Blob:
		out.Str = string(b)
		return out, true
	case vector.UUID:
		out.Str = string(b)
		return out, len(b) == 16
	}
	return out, false
}

// little is up to 8 bytes as a number.
func little(b []byte) uint64 {
	var all [8]byte
	copy(all[:], b)
	return binary.LittleEndian.Uint64(all[:])
}

// decimal is an unscaled value, big-endian in two's complement.
func decimal(b []byte, t vector.Type) (vector.Scalar, bool) {
	out := vector.Scalar{Type: t}
	if len(b) == 0 || len(b) > 16 {
		return out, false
	}
	v := new(big.Int).SetBytes(b)
	if b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	if len(new(big.Int).Abs(v).String()) > t.Precision {
		return out, false
	}
	if t.Storage() == vector.StoreInt64 {
		out.I64 = v.Int64()
		return out, true
	}
	var bytes [16]byte
	if b[0] >= 0x80 {
		for i := range bytes {
			bytes[i] = 0xff
		}
	}
	copy(bytes[16-len(b):], b)
	out.I128 = vector.Int128{Hi: int64(binary.BigEndian.Uint64(bytes[:8])), Lo: binary.BigEndian.Uint64(bytes[8:])}
	return out, true
}
