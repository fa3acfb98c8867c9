//go:build !noasm

package interleave

import "github.com/parquetsql/parquetsql/fileformat/internal/le"

// vectors32 builds as many values as fill whole vectors, and returns how many.
func vectors32[T le.Word32](dst []T, src []byte, stride int) int {
	out, n := le.Bytes32(dst), len(dst)&^15
	if n == 0 || out == nil {
		return 0
	}
	blocks32(&out[0], &src[0], stride, n)
	return n
}

// vectors64 is vectors32 for values of 8 bytes.
func vectors64[T le.Word64](dst []T, src []byte, stride int) int {
	out, n := le.Bytes64(dst), len(dst)&^15
	if n == 0 || out == nil {
		return 0
	}
	blocks64(&out[0], &src[0], stride, n)
	return n
}

// blocks32 and blocks64 are words32 and words64 for n values, a positive multiple
// of 16.
//
//go:noescape
func blocks32(dst, src *byte, stride, n int)

//go:noescape
func blocks64(dst, src *byte, stride, n int)
