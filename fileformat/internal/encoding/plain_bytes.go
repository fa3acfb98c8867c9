package encoding

import (
	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

// plainBytes reads BYTE_ARRAY in PLAIN (Encodings.md, "Plain"): a length in 4
// bytes, little-endian, then as many bytes. A length beyond what the page has
// left is an error.
//
// Values are substrings of one string that holds the whole section.
type plainBytes struct {
	data []byte
	text string // data
	at   int
	left int
}

func (d *plainBytes) Reset(data []byte, n int) error {
	*d = plainBytes{data: data, text: le.String(data), left: max(n, 0)}
	return nil
}

func (d *plainBytes) Decode(dst []string) (int, error) {
	dst = dst[:min(len(dst), d.left)]
	data, text, at := d.data, d.text, d.at
	for i := range dst {
		if at > len(data)-4 {
			return 0, errShort
		}
		size := int(le.Uint32(data, at))
		start := at + 4
		if uint(size) > uint(len(text)-start) { // a negative int is a large uint
			return 0, errShort
		}
		at = start + size
		dst[i] = text[start:at]
	}
	d.at = at
	d.left -= len(dst)
	return len(dst), nil
}

func (d *plainBytes) Skip(n int) (int, error) {
	n = min(max(n, 0), d.left)
	data, at := d.data, d.at
	for range n {
		if at > len(data)-4 {
			return 0, errShort
		}
		size := int(le.Uint32(data, at))
		at += 4
		if uint(size) > uint(len(data)-at) {
			return 0, errShort
		}
		at += size
	}
	d.at = at
	d.left -= n
	return n, nil
}

// plainFixed reads FIXED_LEN_BYTE_ARRAY in PLAIN (Encodings.md, "Plain"): the
// bytes, as many as the schema says, back to back. The only error is a page that
// ends before the last requested value.
type plainFixed struct {
	text   string // the remaining bytes
	left   int
	length int // may be 0: then there are n empty values and no bytes
}

func (d *plainFixed) Reset(data []byte, n int) error {
	d.text, d.left = le.String(data), max(n, 0)
	return nil
}

func (d *plainFixed) Decode(dst []string) (int, error) {
	dst = dst[:min(len(dst), d.left)]
	text, length := d.text, d.length
	if _, err := d.Skip(len(dst)); err != nil {
		return 0, err
	}
	at := 0
	for i := range dst {
		dst[i] = text[at : at+length]
		at += length
	}
	return len(dst), nil
}

func (d *plainFixed) Skip(n int) (int, error) {
	n = min(max(n, 0), d.left)
	if d.length > 0 && n > len(d.text)/d.length {
		return 0, errShort
	}
	d.left -= n
	d.text = d.text[n*d.length:]
	return n, nil
}
