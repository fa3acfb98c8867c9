package encoding

import "github.com/parquetsql/parquetsql/fileformat/internal/le"

// deltaLength reads DELTA_LENGTH_BYTE_ARRAY (Encodings.md, "Delta-length byte
// array"):
//
//	lengths, DELTA_BINARY_PACKED of 32 bits; then the bytes of all values
//
// A negative length and a length beyond the bytes that are left are errors when the
// value is reached.
//
// Values are substrings of one string that holds the bytes of all values.
type deltaLength struct {
	lengths delta[int32]
	bytes   []byte
	text    string // bytes
	at      int    // where the next value begins
	scratch [256]int32
}

func (d *deltaLength) Reset(data []byte, n int) error {
	d.bytes, d.text, d.at = nil, "", 0
	if len(data) == 0 {
		return d.lengths.Reset(nil, n)
	}
	_, bytes, err := skipDelta(data)
	if err != nil {
		return err
	}
	bytes = bytes[:len(bytes):len(bytes)] // the rest of the buffer does not belong to the page
	d.bytes, d.text = bytes, le.String(bytes)
	return d.lengths.Reset(data[:len(data)-len(bytes)], n)
}

func (d *deltaLength) Decode(dst []string) (int, error) {
	dst = dst[:min(len(dst), d.lengths.n)]
	text, at := d.text, d.at
	for done := 0; done < len(dst); {
		lengths, err := d.next(len(dst) - done)
		if err != nil {
			return 0, err
		}
		out := dst[done:][:len(lengths)]
		for i, size := range lengths {
			if uint(size) > uint(len(text)-at) { // a negative length is a large uint
				return 0, errLength
			}
			end := at + int(size)
			out[i] = text[at:end]
			at = end
		}
		done += len(lengths)
	}
	d.at = at
	return len(dst), nil
}

func (d *deltaLength) Skip(n int) (int, error) {
	n = min(max(n, 0), d.lengths.n)
	for todo := n; todo > 0; {
		lengths, err := d.next(todo)
		if err != nil {
			return 0, err
		}
		for _, size := range lengths {
			if uint(size) > uint(len(d.text)-d.at) {
				return 0, errLength
			}
			d.at += int(size)
		}
		todo -= len(lengths)
	}
	return n, nil
}

// next returns the next lengths, at most n. They are valid until the next call.
func (d *deltaLength) next(n int) ([]int32, error) {
	k, err := d.lengths.Decode(d.scratch[:min(n, len(d.scratch))])
	return d.scratch[:k], err
}
