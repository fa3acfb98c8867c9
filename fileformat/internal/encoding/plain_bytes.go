package encoding

import (
	"math"

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
	more More
}

func (d *plainBytes) Reset(data []byte, n int) error {
	*d = plainBytes{data: data, text: le.String(data), left: max(n, 0)}
	return nil
}

// Continue implements Pieced.
func (d *plainBytes) Continue(more More) { d.more = more }

// fill goes on to a piece that has the next value.
func (d *plainBytes) fill() error {
	need := 4
	for {
		data, err := d.more.again(d.data[d.at:], need)
		if err != nil {
			return err
		}
		d.data, d.text, d.at = data, le.String(data), 0
		size := le.Uint32(data, 0)
		if uint64(size) <= uint64(len(data)-4) {
			return nil
		}
		if need > 4 || size > math.MaxInt32-4 {
			return errShort
		}
		need = int(size) + 4
	}
}

func (d *plainBytes) Decode(dst []string) (int, error) {
	dst = dst[:min(len(dst), d.left)]
	done := d.decode(dst)
	for done < len(dst) {
		if err := d.fill(); err != nil {
			return 0, err
		}
		done += d.decode(dst[done:])
	}
	d.left -= len(dst)
	return len(dst), nil
}

// decode decodes the values that are there as a whole, and returns how many.
func (d *plainBytes) decode(dst []string) int {
	data, text, at := d.data, d.text, d.at
	for i := range dst {
		if at > len(data)-4 {
			d.at = at
			return i
		}
		size := int(le.Uint32(data, at))
		start := at + 4
		if uint(size) > uint(len(text)-start) { // a negative int is a large uint
			d.at = at
			return i
		}
		at = start + size
		dst[i] = text[start:at]
	}
	d.at = at
	return len(dst)
}

func (d *plainBytes) Skip(n int) (int, error) {
	n = min(max(n, 0), d.left)
	done := d.skip(n)
	for done < n {
		if err := d.fill(); err != nil {
			return 0, err
		}
		done += d.skip(n - done)
	}
	d.left -= n
	return n, nil
}

// skip is decode for n values that are not wanted.
func (d *plainBytes) skip(n int) int {
	data, at := d.data, d.at
	for i := range n {
		if at > len(data)-4 {
			d.at = at
			return i
		}
		size := int(le.Uint32(data, at))
		start := at + 4
		if uint(size) > uint(len(data)-start) {
			d.at = at
			return i
		}
		at = start + size
	}
	d.at = at
	return n
}

// plainFixed reads FIXED_LEN_BYTE_ARRAY in PLAIN (Encodings.md, "Plain"): the
// bytes, as many as the schema says, back to back. The only error is a page that
// ends before the last requested value.
type plainFixed struct {
	text   string // the remaining bytes
	left   int
	length int    // may be 0: then there are n empty values and no bytes
	data   []byte // what text is
	more   More
}

func (d *plainFixed) Reset(data []byte, n int) error {
	d.data, d.text, d.left, d.more = data, le.String(data), max(n, 0), nil
	return nil
}

// Continue implements Pieced.
func (d *plainFixed) Continue(more More) { d.more = more }

// fill goes on to a piece that has the next value.
func (d *plainFixed) fill() (err error) {
	if d.data, err = d.more.again(d.data[len(d.data)-len(d.text):], d.length); err != nil {
		return err
	}
	d.text = le.String(d.data)
	return nil
}

func (d *plainFixed) Decode(dst []string) (int, error) {
	dst = dst[:min(len(dst), d.left)]
	for done := 0; done < len(dst); {
		text, length, at := d.text, d.length, 0
		some := dst[done:][:d.some(len(dst)-done)]
		for i := range some {
			some[i] = text[at : at+length]
			at += length
		}
		if done += len(some); done < len(dst) {
			if err := d.fill(); err != nil {
				return 0, err
			}
		}
	}
	return len(dst), nil
}

// some passes up to n values, as many as are there, and returns how many.
func (d *plainFixed) some(n int) int {
	if d.length > 0 {
		n = min(n, len(d.text)/d.length)
	}
	d.left -= n
	d.text = d.text[n*d.length:]
	return n
}

func (d *plainFixed) Skip(n int) (int, error) {
	n = min(max(n, 0), d.left)
	for done := d.some(n); done < n; done += d.some(n - done) {
		if err := d.fill(); err != nil {
			return 0, err
		}
	}
	return n, nil
}
