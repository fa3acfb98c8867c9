package encoding

import (
	"encoding/binary"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat/internal/bitpack"
)

// plainBool reads BOOLEAN in PLAIN (Encodings.md, "Plain"): one bit per value, the
// least significant first. The only error is a page of too few bytes.
type plainBool struct {
	data []byte // from the byte of the next value on
	bit  uint   // 0..7, its bit
	left int
}

func (d *plainBool) Reset(data []byte, n int) error {
	*d = plainBool{data: data, left: max(n, 0)}
	return nil
}

func (d *plainBool) Decode(dst []bool) (int, error) {
	dst = dst[:min(len(dst), d.left)]
	from, bit := d.data, d.bit
	if _, err := d.Skip(len(dst)); err != nil {
		return 0, err
	}
	bitpack.Bools(dst, from, bit)
	return len(dst), nil
}

func (d *plainBool) Skip(n int) (int, error) {
	n = min(max(n, 0), d.left)
	end := uint64(d.bit) + uint64(n)
	if end > 8*uint64(len(d.data)) {
		return 0, errShort
	}
	d.left -= n
	d.data, d.bit = d.data[end/8:], uint(end%8)
	return n, nil
}

// rleBool reads BOOLEAN in RLE (Encodings.md, "RLE"): a length in 4 bytes,
// little-endian, then the hybrid with one bit per value. A length beyond the page
// is an error, and so are runs that end before the last requested value.
type rleBool struct{ runs hybrid }

func (d *rleBool) Reset(data []byte, n int) error {
	d.runs.reset(nil, 1, n)
	if len(data) == 0 {
		return nil
	}
	if len(data) < 4 {
		return errShort
	}
	size := binary.LittleEndian.Uint32(data)
	if uint64(size) > uint64(len(data)-4) {
		return fmt.Errorf("RLE data of %d bytes in a page with %d left", size, len(data)-4)
	}
	d.runs.data = data[4 : 4+size]
	return nil
}

func (d *rleBool) Decode(dst []bool) (int, error) {
	h := &d.runs
	dst = dst[:min(len(dst), h.n)]
	for done := 0; done < len(dst); {
		if h.left == 0 {
			if err := h.next(); err != nil {
				return 0, err
			}
		}
		k := min(len(dst)-done, h.left)
		if h.packed {
			bitpack.Bools(dst[done:done+k], h.groups, uint(h.taken))
		} else {
			fillRun(dst[done:], k, h.value != 0)
		}
		h.take(k)
		done += k
	}
	return len(dst), nil
}

func (d *rleBool) Skip(n int) (int, error) { return d.runs.skip(n) }
