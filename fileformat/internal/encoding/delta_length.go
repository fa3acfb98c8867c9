package encoding

import "github.com/parquetsql/parquetsql/fileformat/internal/le"

// deltaLength reads DELTA_LENGTH_BYTE_ARRAY (Encodings.md, "Delta-length byte
// array"):
//
//	lengths, DELTA_BINARY_PACKED; then the bytes of all values
//
// Values are substrings of one string that is the bytes of all values.
type deltaLength struct {
	lengths delta[int32]
	text    string // what is left of the bytes
	scratch [256]int32
}

func (d *deltaLength) Reset(data []byte, n int) error {
	d.text = ""
	if len(data) == 0 {
		return d.lengths.Reset(nil, n)
	}
	_, bytes, err := skipDelta(data, 32)
	if err != nil {
		return err
	}
	d.text = le.String(bytes)
	return d.lengths.Reset(data[:len(data)-len(bytes)], n)
}

func (d *deltaLength) Decode(dst []string) (int, error) {
	dst = dst[:min(len(dst), d.lengths.n)]
	for done := 0; done < len(dst); {
		lengths, total, err := d.next(len(dst) - done)
		if err != nil {
			return 0, err
		}
		text := d.text[:total]
		d.text = d.text[total:]
		out := dst[done:][:len(lengths)]
		for i, size := range lengths {
			out[i], text = text[:size], text[size:]
		}
		done += len(lengths)
	}
	return len(dst), nil
}

func (d *deltaLength) Skip(n int) (int, error) {
	n = min(max(n, 0), d.lengths.n)
	for todo := n; todo > 0; {
		lengths, total, err := d.next(todo)
		if err != nil {
			return 0, err
		}
		d.text = d.text[total:]
		todo -= len(lengths)
	}
	return n, nil
}

// next is the next lengths, up to n of them, whose bytes are all there.
func (d *deltaLength) next(n int) (lengths []int32, total int, err error) {
	k, err := d.lengths.Decode(d.scratch[:min(n, len(d.scratch))])
	if err != nil {
		return nil, 0, err
	}
	lengths = d.scratch[:k]
	sum, ok := sumLengths(lengths)
	if !ok {
		return nil, 0, errLength
	}
	if sum > int64(len(d.text)) {
		return nil, 0, errShort
	}
	return lengths, int(sum), nil
}

// sumLengths adds up lengths, none of which may be negative.
func sumLengths(lengths []int32) (sum int64, ok bool) {
	negative := int32(0)
	for _, size := range lengths {
		sum += int64(size)
		negative |= size
	}
	return sum, negative >= 0
}
