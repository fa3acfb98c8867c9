package encoding

import (
	"github.com/parquetsql/parquetsql/fileformat/internal/interleave"
	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

// splitFixed reads BYTE_STREAM_SPLIT of FIXED_LEN_BYTE_ARRAY (see streams). Each
// call puts its values into one new buffer, which the strings share.
type splitFixed struct{ streams }

func (d *splitFixed) Decode(dst []string) (int, error) {
	at := d.at
	n, err := d.Skip(len(dst))
	if n == 0 || err != nil {
		return 0, err
	}
	bytes := make([]byte, n*d.size)
	interleave.Bytes(bytes, d.size, d.data[at:], d.count)
	text := le.String(bytes)
	at = 0
	for i := range dst[:n] {
		dst[i] = text[at : at+d.size]
		at += d.size
	}
	return n, nil
}
