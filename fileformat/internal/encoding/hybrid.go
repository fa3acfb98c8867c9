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
// Errors are a header of more than 32 bits, a repeated value of more bits than
// width, and bytes that end before a run does. A bit-packed run may be cut short if
// none of its missing values is requested.
//
// Levels, booleans and dictionary indices use runs in different ways. They get a
// run from next and take as many of its values as they need. A run may last for many
// calls of Decode.
type hybrid struct {
	data  []byte // after the current run
	width uint   // 0..32
	n     int    // values that may still be taken, even if the runs have more

	left   int    // values left of the current run
	packed bool   // the run is bit-packed
	value  uint32 // the repeated value of a run that is not
	// The bit-packed values of the current run with all bytes that follow them, and
	// how many values are taken. Each group of eight begins at a whole byte:
	// taken/8*width.
	groups []byte
	taken  int

	more   More
	coming uint64 // groups of a bit-packed run that are in later pieces
}

var errVarint = errors.New("number of more than 32 bits")

func (h *hybrid) reset(data []byte, width uint, n int) {
	*h = hybrid{data: data, width: width, n: max(n, 0)}
}

// next makes sure that the current run has values left.
func (h *hybrid) next() error {
	// A run may have no values, but takes at least one byte, so this loop ends.
	for h.left == 0 {
		if h.more != nil && (h.coming > 0 || len(h.data) < mostHeader) {
			if packed, err := h.nextPiece(); packed || err != nil {
				return err
			}
		}
		var header uint64
		if len(h.data) > 0 && h.data[0] < 0x80 { // the common case: a header of one byte
			header, h.data = uint64(h.data[0]), h.data[1:]
		} else {
			v, size := binary.Uvarint(h.data)
			if size == 0 {
				return errShort
			}
			if size < 0 || v > math.MaxUint32 {
				return fmt.Errorf("run header: %w", errVarint)
			}
			header, h.data = v, h.data[size:]
		}
		if header&1 != 0 {
			h.nextPacked(header >> 1)
		} else if err := h.nextRepeat(header >> 1); err != nil {
			return err
		}
	}
	return nil
}

// mostHeader is how many bytes a run's header and its repeated value may have.
const mostHeader = binary.MaxVarintLen32 + 4

// nextPiece goes on with a bit-packed run of which only a part was there. Otherwise it makes
// sure that there is a whole header, and says so.
func (h *hybrid) nextPiece() (packed bool, err error) {
	need := mostHeader
	if h.coming > 0 {
		need = int(h.width)
	}
	if len(h.data) < need {
		if h.data, err = h.more(len(h.data), need); err != nil {
			return false, err
		}
		if len(h.data) < need {
			h.more = nil // this is the end
		}
	}
	if h.coming == 0 {
		return false, nil
	}
	h.nextPacked(h.coming)
	return h.left > 0, nil
}

func (h *hybrid) nextRepeat(count uint64) error {
	size := int(h.width+7) / 8
	if len(h.data) < size {
		return errShort
	}
	value := uint64(0)
	for i, b := range h.data[:size] {
		value |= uint64(b) << (8 * i)
	}
	if value>>h.width != 0 {
		return fmt.Errorf("repeated value %d in %d bits", value, h.width)
	}
	h.data = h.data[size:]
	h.packed, h.value, h.left = false, uint32(value), int(min(count, math.MaxInt32))
	return nil
}

// nextPacked begins a bit-packed run. The run ends where its bytes end, because some
// writers left out the padding of the last group.
func (h *hybrid) nextPacked(count uint64) {
	h.packed, h.value = h.width > 0, 0
	h.groups, h.taken, h.coming = h.data, 0, 0
	if h.more != nil && h.width > 0 {
		whole := min(count, uint64(len(h.data))/uint64(h.width))
		count, h.coming = whole, count-whole
	}
	values, size := 8*count, count*uint64(h.width)
	if size > uint64(len(h.data)) {
		size = uint64(len(h.data))
		values = 8 * size / uint64(h.width)
	}
	h.left = int(min(values, math.MaxInt32))
	h.data = h.data[size:]
}

// take marks k values of the current run as taken; k is at most left and n.
func (h *hybrid) take(k int) {
	h.left -= k
	h.n -= k
	h.taken += k
}

// position returns the byte at which the group of the next value begins, and the
// offset of the value's first bit from there.
func (h *hybrid) position() (at int, bit uint) {
	return h.taken >> 3 * int(h.width), uint(h.taken&7) * h.width
}

// untilGroup returns how many of the next k values come before the next whole group.
func (h *hybrid) untilGroup(k int) int { return min(k, -h.taken&7) }

// skip passes n values, or fewer if fewer are left.
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

// unpackInt32 unpacks the next len(dst) values of a bit-packed run: those before
// the next whole group, then 32 at a time, then whole groups, then the remaining ones.
func (h *hybrid) unpackInt32(dst []int32) {
	at, bit := h.position()
	src, k := h.groups[at:], h.untilGroup(len(dst))
	h.take(len(dst))
	if k > 0 {
		bitpack.UnpackFew(dst[:k], src, bit, h.width)
		if dst = dst[k:]; len(dst) == 0 {
			return
		}
		src = src[h.width:]
	}
	if k = len(dst) &^ 31; k > 0 {
		bitpack.Unpack(dst[:k], src, h.width)
		dst, src = dst[k:], src[k/8*int(h.width):]
	}
	if len(dst) >= 8 {
		k = bitpack.UnpackGroups(dst, src, h.width)
		dst, src = dst[k:], src[k/8*int(h.width):]
	}
	bitpack.UnpackFew(dst, src, 0, h.width)
}

// unpackBytes is unpackInt32 for widths up to 8.
func (h *hybrid) unpackBytes(dst []uint8) {
	at, bit := h.position()
	src, k := h.groups[at:], h.untilGroup(len(dst))
	h.take(len(dst))
	if k > 0 {
		bitpack.UnpackFew(dst[:k], src, bit, h.width)
		if dst = dst[k:]; len(dst) == 0 {
			return
		}
		src = src[h.width:]
	}
	bitpack.Bytes(dst, src, h.width)
}

// fillRun sets the first n of dst to v. It may set more, because what follows a run
// is not written yet. It has no loop for the last few values, so short runs take
// half the time.
func fillRun[T int32 | uint8 | bool](dst []T, n int, v T) {
	if n <= 64 {
		for i := 0; i < n; i += 8 {
			if len(dst)-i < 8 {
				for j := i; j < n; j++ {
					dst[j] = v
				}
				return
			}
			out := (*[8]T)(dst[i:])
			out[0], out[1], out[2], out[3] = v, v, v, v
			out[4], out[5], out[6], out[7] = v, v, v, v
		}
		return
	}
	fillRun(dst, 64, v)
	for i := 64; i < n; i *= 2 { // memmove writes many bytes at once, a loop one value
		copy(dst[i:n], dst[:i])
	}
}
