package encoding

import (
	"encoding/binary"

	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

// splitFixed reads BYTE_STREAM_SPLIT of FIXED_LEN_BYTE_ARRAY (see streams). Each
// call puts its values into memory of its own, which the strings then share.
type splitFixed struct{ streams }

func (d *splitFixed) Decode(dst []string) (int, error) {
	at := d.at
	n, err := d.Skip(len(dst))
	if n == 0 || err != nil {
		return 0, err
	}
	bytes := make([]byte, n*d.size)
	j := 0
	for ; j+8 <= d.size; j += 8 {
		d.gather8(bytes[j:], j, at, n)
	}
	for ; j+4 <= d.size; j += 4 {
		d.gather4(bytes[j:], j, at, n)
	}
	for ; j < d.size; j++ {
		to := j
		for _, b := range d.stream(j, at, n) {
			bytes[to] = b
			to += d.size
		}
	}
	text := le.String(bytes)
	at = 0
	for i := range dst[:n] {
		dst[i] = text[at : at+d.size]
		at += d.size
	}
	return n, nil
}

// gather8 writes bytes j to j+7 of n values, d.size apart.
func (d *splitFixed) gather8(out []byte, j, at, n int) {
	var s [8][]byte
	for k := range s {
		s[k] = d.stream(j+k, at, n)
	}
	i, to := 0, 0
	for ; i+4 <= n; i += 4 {
		a, b, c, e := pair(s[0], s[4], i), pair(s[1], s[5], i), pair(s[2], s[6], i), pair(s[3], s[7], i)
		a, b, c, e = exchange(a, b, c, e, evenPairs, 16)
		a, c, b, e = exchange(a, c, b, e, evenBytes, 8)
		binary.LittleEndian.PutUint64(out[to:], a)
		binary.LittleEndian.PutUint64(out[to+d.size:], b)
		binary.LittleEndian.PutUint64(out[to+2*d.size:], c)
		binary.LittleEndian.PutUint64(out[to+3*d.size:], e)
		to += 4 * d.size
	}
	for ; i < n; i++ {
		for k := range s {
			out[to+k] = s[k][i]
		}
		to += d.size
	}
}

// gather4 writes bytes j to j+3 of n values, d.size apart.
func (d *splitFixed) gather4(out []byte, j, at, n int) {
	var s [4][]byte
	for k := range s {
		s[k] = d.stream(j+k, at, n)
	}
	i, to := 0, 0
	for ; i+8 <= n; i += 8 {
		a, b, c, e := le.Uint64(s[0], i), le.Uint64(s[1], i), le.Uint64(s[2], i), le.Uint64(s[3], i)
		a, b, c, e = exchange(a, b, c, e, evenPairs, 16)
		a, c, b, e = exchange(a, c, b, e, evenBytes, 8)
		for k, v := range [...]uint64{a, b, c, e} {
			binary.LittleEndian.PutUint32(out[to+k*d.size:], uint32(v))
			binary.LittleEndian.PutUint32(out[to+(k+4)*d.size:], uint32(v>>32))
		}
		to += 8 * d.size
	}
	for ; i < n; i++ {
		for k := range s {
			out[to+k] = s[k][i]
		}
		to += d.size
	}
}
