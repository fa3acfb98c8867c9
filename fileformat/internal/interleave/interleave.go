// Package interleave builds values from streams, one stream per byte of the value, as
// BYTE_STREAM_SPLIT stores them (Encodings.md, "Byte Stream Split"): byte j of value
// i is at src[j*stride+i]. All functions panic if src ends before the last value.
//
// The processor's vectors turn sixteen bytes of each stream into sixteen values
// in two or three steps (vectors_amd64.s); the plain Go twin is for the rest of
// the values, for other machines and for the build tags noasm and nounsafe, and
// is the reference when the two are in doubt.
package interleave

import "github.com/parquetsql/parquetsql/fileformat/internal/le"

// Words32 fills dst with values of 4 bytes.
func Words32[T le.Word32](dst []T, src []byte, stride int) {
	if len(dst) == 0 {
		return
	}
	_ = src[3*stride+len(dst)-1]
	done := vectors32(dst, src, stride)
	words32(dst[done:], src[done:], stride)
}

// Words64 fills dst with values of 8 bytes.
func Words64[T le.Word64](dst []T, src []byte, stride int) {
	if len(dst) == 0 {
		return
	}
	_ = src[7*stride+len(dst)-1]
	done := vectors64(dst, src, stride)
	words64(dst[done:], src[done:], stride)
}

func words32[T le.Word32](dst []T, src []byte, stride int) {
	n := len(dst)
	if n == 0 {
		return
	}
	s0, s1, s2, s3 := src[:n], src[stride:][:n], src[2*stride:][:n], src[3*stride:][:n]
	i := 0
	for ; i+8 <= n; i += 8 {
		a, b, c, e := le.Uint64(s0, i), le.Uint64(s1, i), le.Uint64(s2, i), le.Uint64(s3, i)
		a, b, c, e = exchange(a, b, c, e, evenPairs, 16)
		a, c, b, e = exchange(a, c, b, e, evenBytes, 8)
		out := (*[8]T)(dst[i:])
		le.Set32(&out[0], uint32(a))
		le.Set32(&out[1], uint32(b))
		le.Set32(&out[2], uint32(c))
		le.Set32(&out[3], uint32(e))
		le.Set32(&out[4], uint32(a>>32))
		le.Set32(&out[5], uint32(b>>32))
		le.Set32(&out[6], uint32(c>>32))
		le.Set32(&out[7], uint32(e>>32))
	}
	for ; i < n; i++ {
		le.Set32(&dst[i], uint32(s0[i])|uint32(s1[i])<<8|uint32(s2[i])<<16|uint32(s3[i])<<24)
	}
}

func words64[T le.Word64](dst []T, src []byte, stride int) {
	if len(dst) == 0 {
		return
	}
	// Offsets into two slices, not eight slices with one per stream: the loop's
	// variables then fit into registers.
	low, high, at := src[:3*stride+len(dst)], src[4*stride:][:3*stride+len(dst)], 0
	for ; len(dst) >= 4; at += 4 {
		a, b, c, e := pair(low, high, at), pair(low, high, at+stride), pair(low, high, at+2*stride), pair(low, high, at+3*stride)
		a, b, c, e = exchange(a, b, c, e, evenPairs, 16)
		a, c, b, e = exchange(a, c, b, e, evenBytes, 8)
		le.Set64(&dst[0], a)
		le.Set64(&dst[1], b)
		le.Set64(&dst[2], c)
		le.Set64(&dst[3], e)
		dst = dst[4:]
	}
	for i := range dst {
		v := uint64(0)
		for j := range 8 {
			v |= uint64(src[j*stride+at+i]) << (8 * j)
		}
		le.Set64(&dst[i], v)
	}
}
