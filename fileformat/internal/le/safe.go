//go:build nounsafe || !(386 || amd64 || arm || arm64 || loong64 || mipsle || mips64le || ppc64le || riscv64 || wasm)

package le

import (
	"encoding/binary"
	"math"
)

// String is b as a string.
func String(b []byte) string { return string(b) }

// Uint32 is the 4 bytes at b[at]. The caller has checked that they are there.
func Uint32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

// Uint64 is Uint32 for 8 bytes.
func Uint64(b []byte, at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }

// Move8 copies 8 bytes from src[from] to dst[to], which may overlap. The caller
// has checked that they are there.
func Move8(dst []byte, to int, src []byte, from int) { copy(dst[to:to+8], src[from:from+8]) }

// Move16 is Move8 for 16 bytes.
func Move16(dst []byte, to int, src []byte, from int) { copy(dst[to:to+16], src[from:from+16]) }

// Copy32 fills dst from the first 4*len(dst) bytes of src.
func Copy32[T Word32](dst []T, src []byte) {
	for i := range dst {
		Set32(&dst[i], binary.LittleEndian.Uint32(src[4*i:]))
	}
}

// Copy64 fills dst from the first 8*len(dst) bytes of src.
func Copy64[T Word64](dst []T, src []byte) {
	for i := range dst {
		Set64(&dst[i], binary.LittleEndian.Uint64(src[8*i:]))
	}
}

// Copy96 fills dst from the first 12*len(dst) bytes of src.
func Copy96[T ~[12]byte](dst []T, src []byte) {
	for i := range dst {
		dst[i] = T(src[12*i:])
	}
}

// Bytes32 is nil: the byte order of v's memory depends on the machine.
func Bytes32[T Word32]([]T) []byte { return nil }

// Bytes64 is nil, as Bytes32 is.
func Bytes64[T Word64]([]T) []byte { return nil }

// View32 is nil: safe code cannot return values in src's memory.
func View32[T Word32]([]byte, int) []T { return nil }

// View64 is View32 for 8 bytes.
func View64[T Word64]([]byte, int) []T { return nil }

// View96 is View32 for 12 bytes.
func View96[T ~[12]byte]([]byte, int) []T { return nil }

// Set32 gives *p the bits of v.
func Set32[T Word32](p *T, v uint32) {
	switch p := any(p).(type) {
	case *int32:
		*p = int32(v)
	case *float32:
		*p = math.Float32frombits(v)
	}
}

// Set64 gives *p the bits of v.
func Set64[T Word64](p *T, v uint64) {
	switch p := any(p).(type) {
	case *int64:
		*p = int64(v)
	case *float64:
		*p = math.Float64frombits(v)
	}
}

// SetBools sets the eight booleans from the eight bytes of v, the lowest first,
// each 0 or 1.
func SetBools(dst *[8]bool, v uint64) {
	for i := range dst {
		dst[i] = v>>(8*i)&1 != 0
	}
}

// AllAtMost reports whether each of the codes, none of which is negative, is at
// most limit.
func AllAtMost(codes *[32]int32, limit int32) bool {
	for _, c := range codes {
		if c > limit {
			return false
		}
	}
	return true
}
