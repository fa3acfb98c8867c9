package decode

import (
	"encoding/binary"
	"math"

	goparquet "github.com/parquet-go/parquet-go"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
)

// The folds touch every value that a reader delivers, because values that are views of
// the file's bytes cost nothing before they are read. The sum is the same for all
// readers of a file. They are not inlined: copies of one loop ran at speeds that differed
// by half, depending on where the linker put them.

//go:noinline
func foldBools(values []bool) (sum uint64) {
	for _, v := range values {
		if v {
			sum++
		}
	}
	return sum
}

//go:noinline
func foldInts[T int32 | int64](values []T) (sum uint64) {
	for _, v := range values {
		sum += uint64(v)
	}
	return sum
}

//go:noinline
func foldFloats(values []float32) (sum uint64) {
	for _, v := range values {
		sum += uint64(math.Float32bits(v))
	}
	return sum
}

//go:noinline
func foldDoubles(values []float64) (sum uint64) {
	for _, v := range values {
		sum += math.Float64bits(v)
	}
	return sum
}

//go:noinline
func fold12Bytes[T ~[12]byte](values []T) (sum uint64) {
	for i := range values {
		sum += binary.LittleEndian.Uint64(values[i][:8]) + uint64(binary.LittleEndian.Uint32(values[i][8:]))
	}
	return sum
}

//go:noinline
func foldBytes[T ~string | ~[]byte](values []T) (sum uint64) {
	for _, v := range values {
		if len(v) > 0 {
			sum += uint64(v[0]) + uint64(len(v))<<8
		}
	}
	return sum
}

//go:noinline
func foldOurs(v *column.Values, physical fileformat.PhysicalType) uint64 {
	switch physical {
	case fileformat.Boolean:
		return foldBools(v.Bool)
	case fileformat.Int32:
		return foldInts(v.Int32)
	case fileformat.Int64:
		return foldInts(v.Int64)
	case fileformat.Int96Type:
		return fold12Bytes(v.Int96)
	case fileformat.Float:
		return foldFloats(v.Float)
	case fileformat.Double:
		return foldDoubles(v.Double)
	}
	return foldBytes(v.Bytes)
}

// foldValues is for the types that parquet-go has only as its own Value.
//
//go:noinline
func foldValues(values []goparquet.Value) (sum uint64) {
	for i := range values {
		switch v := &values[i]; {
		case v.IsNull():
		case v.Kind() == goparquet.Int96:
			x := v.Int96()
			sum += uint64(x[0]) | uint64(x[1])<<32
			sum += uint64(x[2])
		case v.Kind() == goparquet.Boolean:
			if v.Boolean() {
				sum++
			}
		case v.Kind() == goparquet.Int32:
			sum += uint64(v.Int32())
		case v.Kind() == goparquet.Int64:
			sum += uint64(v.Int64())
		case v.Kind() == goparquet.Float:
			sum += uint64(math.Float32bits(v.Float()))
		case v.Kind() == goparquet.Double:
			sum += math.Float64bits(v.Double())
		default:
			if b := v.ByteArray(); len(b) > 0 {
				sum += uint64(b[0]) + uint64(len(b))<<8
			}
		}
	}
	return sum
}
