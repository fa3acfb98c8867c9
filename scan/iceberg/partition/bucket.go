package partition

import (
	"encoding/binary"
	"math/bits"

	"github.com/parquetsql/parquetsql/vector"
)

// BucketOf is the bucket of a value that is not NULL (Appendix B); false where its type has none.
func (t Transform) BucketOf(v vector.Scalar) (int64, bool) {
	h, ok := hash(v)
	if !ok || t.Kind != Bucket {
		return 0, false
	}
	return int64(h&0x7fffffff) % t.N, true
}

func hash(v vector.Scalar) (uint32, bool) {
	switch v.Type.Kind {
	case vector.Integer, vector.BigInt, vector.Date, vector.Time:
		return hashLong(v.I64), true
	case vector.Timestamp, vector.TimestampTZ:
		switch v.Type.Unit {
		case vector.Micros:
			return hashLong(v.I64), true
		case vector.Nanos:
			micros := v.I64 / 1000
			if v.I64%1000 < 0 {
				micros--
			}
			return hashLong(micros), true
		}
	case vector.Decimal:
		switch v.Type.Storage() {
		case vector.StoreInt64:
			return murmur3(least(vector.Int128From(v.I64))), true
		case vector.StoreInt128:
			return murmur3(least(v.I128)), true
		}
	case vector.Varchar, vector.Blob, vector.UUID:
		return murmur3([]byte(v.Str)), true
	}
	return 0, false
}

func hashLong(n int64) uint32 {
	return murmur3(binary.LittleEndian.AppendUint64(nil, uint64(n)))
}

// least is a number in as few bytes as it needs, big-endian in two's complement.
func least(v vector.Int128) []byte {
	b := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(v.Hi)), v.Lo)
	sign := byte(v.Hi >> 63)
	for len(b) > 1 && b[0] == sign && (b[1]^sign)&0x80 == 0 {
		b = b[1:]
	}
	return b
}

// murmur3 is MurmurHash3_x86_32 with seed 0.
func murmur3(b []byte) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	n := uint32(len(b))
	var h uint32
	mix := func(k uint32) uint32 { return bits.RotateLeft32(k*c1, 15) * c2 }
	for ; len(b) >= 4; b = b[4:] {
		h = bits.RotateLeft32(h^mix(binary.LittleEndian.Uint32(b)), 13)*5 + 0xe6546b64
	}
	var tail [4]byte
	copy(tail[:], b)
	if len(b) > 0 {
		h ^= mix(binary.LittleEndian.Uint32(tail[:]))
	}
	h ^= n
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}
