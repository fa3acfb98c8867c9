package encoding

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/fileformat/internal/bitpack"
)

// A hybrid walks the runs of the RLE/bit-packing hybrid (Encodings.md, "RLE"):
//
//	run        = header values
//	header     = ULEB128; lowest bit 0: the rest is how often one value repeats
//	                      lowest bit 1: the rest is how many groups of eight follow
//	values     = one value in ceil(width/8) bytes, or the groups, bit-packed
//
// Levels, booleans and dictionary indices differ in what they make of a run.
// They ask next for one, take from it what they need with repeat or packed, and
// come back for the rest: a run may reach over many calls of Decode.
type hybrid struct {
	data  []byte // after the current run
	width uint   // 0..32
	n     int    // values that may still be taken, whatever the runs say

	left  int    // values left of the current run
	value uint32 // what is repeated, where groups is nil
	// The bit-packed values of the current run, and how many of them are taken.
	// Groups of eight values begin at whole bytes: taken/8*width.
	groups []byte
	taken  int
}

var errVarint = errors.New("number of more than 32 bits")

func (h *hybrid) reset(data []byte, width uint, n int) {
	*h = hybrid{data: data, width: width, n: max(n, 0)}
}

// next makes sure that the current run has values left.
func (h *hybrid) next() error {
	// A run may have no values; each takes a byte at least, so this ends.
	for h.left == 0 {
		header, size := binary.Uvarint(h.data)
		if size == 0 {
			return errShort
		}
		if size < 0 || header > math.MaxUint32 {
			return fmt.Errorf("run header: %w", errVarint)
		}
		h.data = h.data[size:]
		var err error
		if header&1 == 0 {
			err = h.nextRepeat(header >> 1)
		} else {
			h.nextPacked(header >> 1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (h *hybrid) nextRepeat(count uint64) error {
	size := int(h.width+7) / 8
	if len(h.data) < size {
		return errShort
	}
	var value [4]byte
	copy(value[:], h.data[:size])
	h.data = h.data[size:]
	h.value = binary.LittleEndian.Uint32(value[:])
	if uint64(h.value)>>h.width != 0 {
		return fmt.Errorf("repeated value %d in %d bits", h.value, h.width)
	}
	h.groups, h.left = nil, int(min(count, math.MaxInt32))
	return nil
}

// nextPacked takes a run for as long as its bytes are there: writers have left
// out the padding of the last group.
func (h *hybrid) nextPacked(count uint64) {
	if h.width == 0 {
		h.groups, h.value = nil, 0
		h.left = int(min(8*count, math.MaxInt32))
		return
	}
	size := count * uint64(h.width)
	if size <= uint64(len(h.data)) {
		h.left = int(min(8*count, math.MaxInt32))
	} else {
		size = uint64(len(h.data))
		h.left = int(min(8*size/uint64(h.width), math.MaxInt32))
	}
	h.groups, h.taken = h.data[:size:size], 0
	h.data = h.data[size:]
}

// take accounts for k values, at most left and n, of the current run.
func (h *hybrid) take(k int) {
	h.left -= k
	h.n -= k
	h.taken += k
}

// position is the byte at which the group of the next value begins, and the bit
// of the value from there.
func (h *hybrid) position() (at int, bit uint) {
	return h.taken / 8 * int(h.width), uint(h.taken%8) * h.width
}

// untilGroup is how many of the next k values come before the next whole group.
func (h *hybrid) untilGroup(k int) int { return min(k, -h.taken&7) }

// skip passes over n values, or what is left.
func (h *hybrid) skip(n int) (int, error) {
	n = min(max(n, 0), h.n)
	for todo := n; todo > 0; {
		if err := h.next(); err != nil {
			return 0, err
		}
		k := min(todo, h.left)
		h.take(k)
		todo -= k
	}
	return n, nil
}

// unpackInt32 unpacks the next len(dst) values of a bit-packed run.
func (h *hybrid) unpackInt32(dst []int32) {
	at, bit := h.position()
	if k := h.untilGroup(len(dst)); k > 0 {
		bitpack.UnpackFew(dst[:k], h.groups[at:], bit, h.width)
		h.take(k)
		dst = dst[k:]
		at, _ = h.position()
	}
	if k := len(dst) &^ 31; k > 0 {
		bitpack.Unpack(dst[:k], h.groups[at:], h.width)
		h.take(k)
		dst = dst[k:]
		at, _ = h.position()
	}
	bitpack.UnpackFew(dst, h.groups[at:], 0, h.width)
	h.take(len(dst))
}

// unpackBytes is unpackInt32 for widths up to 8.
func (h *hybrid) unpackBytes(dst []uint8) {
	at, bit := h.position()
	if k := h.untilGroup(len(dst)); k > 0 {
		bitpack.UnpackFew(dst[:k], h.groups[at:], bit, h.width)
		h.take(k)
		dst = dst[k:]
		at, _ = h.position()
	}
	bitpack.Bytes(dst, h.groups[at:], h.width)
	h.take(len(dst))
}

// fill sets all of dst to v.
func fill[T any](dst []T, v T) {
	if len(dst) <= 32 {
		for i := range dst {
			dst[i] = v
		}
		return
	}
	fill(dst[:32], v)
	for i := 32; i < len(dst); i *= 2 { // memmove writes many bytes at once, a loop one value
		copy(dst[i:], dst[:i])
	}
}
