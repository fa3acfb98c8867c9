package encoding

import (
	"encoding/binary"

	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

// splitFixed reads BYTE_STREAM_SPLIT of FIXED_LEN_BYTE_ARRAY. Each call puts its
// values into memory of its own, which the strings then share.
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
	for ; j < d.size; j++ {
		to := j
		for _, b := range d.stream(j, at, n) {
			bytes[to] = b
			to += d.size
		}
	}
	text := le.String(bytes)
	for i := range dst[:n] {
		dst[i], text = text[:d.size], text[d.size:]
	}
	return n, nil
}

// gather8 writes bytes j to j+7 of n values, d.size apart.
func (d *splitFixed) gather8(out []byte, j, at, n int) {
	var s [8][]byte
	for k := range s {
		s[k] = d.stream(j+k, at, n)
	}
	i := 0
	for ; i+8 <= n; i += 8 {
		var v [8]uint64
		v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7] = transpose8(
			load64(s[0], i), load64(s[1], i), load64(s[2], i), load64(s[3], i),
			load64(s[4], i), load64(s[5], i), load64(s[6], i), load64(s[7], i))
		for k, v := range v {
			binary.LittleEndian.PutUint64(out[(i+k)*d.size:], v)
		}
	}
	for ; i < n; i++ {
		for k := range s {
			out[i*d.size+k] = s[k][i]
		}
	}
}
