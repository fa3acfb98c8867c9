package interleave

import (
	"encoding/binary"

	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

// Bytes fills dst with values of size bytes.
func Bytes(dst []byte, size int, src []byte, stride int) {
	if len(dst) == 0 {
		return
	}
	n, j := len(dst)/size, 0
	for ; j+8 <= size; j += 8 {
		eight(dst[j:], size, src[j*stride:], stride, n)
	}
	for ; j+4 <= size; j += 4 {
		four(dst[j:], size, src[j*stride:], stride, n)
	}
	for ; j < size; j++ {
		to := j
		for _, b := range src[j*stride:][:n] {
			dst[to] = b
			to += size
		}
	}
}

// eight writes 8 bytes of n values, size apart.
func eight(dst []byte, size int, src []byte, stride, n int) {
	var s [8][]byte
	for k := range s {
		s[k] = src[k*stride:][:n]
	}
	i, to := 0, 0
	for ; i+4 <= n; i += 4 {
		a, b, c, e := pair(s[0], s[4], i), pair(s[1], s[5], i), pair(s[2], s[6], i), pair(s[3], s[7], i)
		a, b, c, e = exchange(a, b, c, e, evenPairs, 16)
		a, c, b, e = exchange(a, c, b, e, evenBytes, 8)
		binary.LittleEndian.PutUint64(dst[to:], a)
		binary.LittleEndian.PutUint64(dst[to+size:], b)
		binary.LittleEndian.PutUint64(dst[to+2*size:], c)
		binary.LittleEndian.PutUint64(dst[to+3*size:], e)
		to += 4 * size
	}
	for ; i < n; i++ {
		for k := range s {
			dst[to+k] = s[k][i]
		}
		to += size
	}
}

// four is eight for 4 bytes.
func four(dst []byte, size int, src []byte, stride, n int) {
	var s [4][]byte
	for k := range s {
		s[k] = src[k*stride:][:n]
	}
	i, to := 0, 0
	for ; i+8 <= n; i += 8 {
		a, b, c, e := le.Uint64(s[0], i), le.Uint64(s[1], i), le.Uint64(s[2], i), le.Uint64(s[3], i)
		a, b, c, e = exchange(a, b, c, e, evenPairs, 16)
		a, c, b, e = exchange(a, c, b, e, evenBytes, 8)
		for k, v := range [...]uint64{a, b, c, e} {
			binary.LittleEndian.PutUint32(dst[to+k*size:], uint32(v))
			binary.LittleEndian.PutUint32(dst[to+(k+4)*size:], uint32(v>>32))
		}
		to += 8 * size
	}
	for ; i < n; i++ {
		for k := range s {
			dst[to+k] = s[k][i]
		}
		to += size
	}
}
