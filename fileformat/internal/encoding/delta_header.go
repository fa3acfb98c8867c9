package encoding

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// deltaHeader is the beginning of a DELTA_BINARY_PACKED sequence (Encodings.md,
// "Delta Encoding"):
//
//	header = block size, in values; miniblocks per block; total, in values: ULEB128
//	         first value: zigzag ULEB128
type deltaHeader struct {
	miniblocks int   // in a block
	miniblock  int   // values in a miniblock: a multiple of 8, so that it ends at a whole byte
	total      int64 // values in the sequence, the first one included
	first      int64 // the first value, if total is not 0
}

// readDeltaHeader returns the header and the bytes that follow it. An empty sequence
// may lack everything after its total. Numbers of 2^31 or more are errors, and so is
// a block that is not divided into whole miniblocks of a multiple of 8 values.
//
// The specification demands blocks of a multiple of 128 values and miniblocks of a
// multiple of 32. Its own examples have blocks of 8 values, and some writers and
// readers use multiples of 8, so these are accepted.
func readDeltaHeader(data []byte) (h deltaHeader, rest []byte, err error) {
	var fields [3]uint64
	for i := range fields {
		if fields[i], data, err = uvarint(data); err != nil {
			return h, nil, err
		}
		if fields[i] > math.MaxInt32 {
			return h, nil, fmt.Errorf("DELTA_BINARY_PACKED header: %s of %d: at most %d", [...]string{"a block size", "a number of miniblocks", "a number of values"}[i], fields[i], math.MaxInt32)
		}
	}
	block, miniblocks := int(fields[0]), int(fields[1])
	h.total = int64(fields[2])
	if h.total == 0 {
		return h, data, nil
	}
	if miniblocks == 0 || block == 0 || block%miniblocks != 0 || block/miniblocks%8 != 0 {
		return h, nil, fmt.Errorf("DELTA_BINARY_PACKED block of %d values in %d miniblocks", block, miniblocks)
	}
	h.miniblocks, h.miniblock = miniblocks, block/miniblocks
	h.first, data, err = varint(data)
	return h, data, err
}

// readDeltaBlock reads the head of a block: the minimum delta, then a byte with
// the width of each miniblock. It returns the bytes that follow.
func (h *deltaHeader) readDeltaBlock(data []byte) (minDelta int64, widths, rest []byte, err error) {
	if minDelta, data, err = varint(data); err != nil {
		return 0, nil, nil, err
	}
	if len(data) < h.miniblocks {
		return 0, nil, nil, errShort
	}
	return minDelta, data[:h.miniblocks], data[h.miniblocks:], nil
}

// skipDelta returns how many values the sequence of INT32 at the beginning of data has, and
// the bytes that follow the sequence. It reads only the heads of the blocks.
func skipDelta(data []byte) (total int64, rest []byte, err error) {
	h, data, err := readDeltaHeader(data)
	if err != nil {
		return 0, nil, err
	}
	for left := h.total - 1; left > 0; {
		var widths []byte
		if _, widths, data, err = h.readDeltaBlock(data); err != nil {
			return 0, nil, err
		}
		for _, w := range widths {
			if left <= 0 { // unused miniblocks have no bytes
				break
			}
			if w > deltaWidth32 {
				return 0, nil, errDeltaWidth(uint(w))
			}
			size := int64(h.miniblock/8) * int64(w)
			if size > int64(len(data)) {
				return 0, nil, errShort
			}
			data = data[size:]
			left -= int64(h.miniblock)
		}
	}
	return h.total, data, nil
}

func errDeltaWidth(w uint) error { return fmt.Errorf("DELTA_BINARY_PACKED miniblock of %d bits", w) }

var (
	errLongVarint = errors.New("number of more than 64 bits")
	errLength     = errors.New("length that is negative or beyond the page")
)

// uvarint reads a ULEB128 number and returns it and the bytes that follow.
func uvarint(data []byte) (uint64, []byte, error) {
	v, size := binary.Uvarint(data)
	if size <= 0 {
		if size == 0 {
			return 0, nil, errShort
		}
		return 0, nil, errLongVarint
	}
	return v, data[size:], nil
}

// varint reads a zigzag ULEB128 number and returns it and the bytes that follow.
func varint(data []byte) (int64, []byte, error) {
	v, rest, err := uvarint(data)
	return int64(v>>1) ^ -int64(v&1), rest, err
}
