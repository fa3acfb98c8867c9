package encoding

import (
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/bitpack"
)

// group is how many values the kernels unpack at once.
const group = 32

// delta reads DELTA_BINARY_PACKED (Encodings.md, "Delta Encoding"):
//
//	sequence  = block size, miniblocks per block, total, first value; blocks
//	block     = minimum delta; one width per miniblock; miniblocks
//	miniblock = deltas minus the minimum delta, bit-packed
//
// All arithmetic wraps around, as the specification demands. Errors are an invalid
// header (see readDeltaHeader), a total of fewer values than are requested, a width
// above that of T's deltas (deltaWidth), and blocks that are cut off. A width is checked only when its
// miniblock is reached.
//
// Values are decoded in groups of 32, directly into dst where it has room for a
// whole group. Otherwise the group is decoded into the stage, from which later calls
// copy. The first value is in the header, so batches and groups are never aligned,
// and every batch but the first begins in the stage.
type delta[T bitpack.Int] struct {
	head deltaHeader
	data []byte // after what is decoded
	n    int    // values that may still be taken, whatever the header says
	left int    // values not delivered: in the stage, or not decoded

	widths   []byte // of the miniblocks of this block that are not begun
	width    uint   // of the current miniblock
	unpacked int    // values of the current miniblock that are not decoded
	minDelta T
	last     T // the last value decoded

	stage  [group]T
	staged []T // decoded but not delivered: a part of stage
}

func (d *delta[T]) Reset(data []byte, n int) error {
	*d = delta[T]{n: max(n, 0)}
	if len(data) == 0 {
		return nil
	}
	head, rest, err := readDeltaHeader(data)
	if err == nil {
		err = checkCount(fileformat.DeltaBinaryPacked, head.total, int64(d.n))
	}
	if err != nil || head.total == 0 {
		return err
	}
	d.head, d.data, d.left = head, rest, int(head.total)
	d.last = T(head.first)
	d.stage[0] = d.last
	d.staged = d.stage[:1]
	return nil
}

func (d *delta[T]) Decode(dst []T) (int, error) {
	n := min(len(dst), d.n)
	if n > d.left {
		return 0, errShort
	}
	d.n -= n
	for dst = dst[:n]; len(dst) > 0; {
		k, err := d.some(dst)
		if err != nil {
			return 0, err
		}
		d.left -= k
		dst = dst[k:]
	}
	return n, nil
}

func (d *delta[T]) Skip(n int) (int, error) {
	n = min(max(n, 0), d.n)
	if n > d.left {
		return 0, errShort
	}
	// A value is known only after all values before it are added up.
	var discard [8 * group]T
	for todo := n; todo > 0; {
		k, err := d.Decode(discard[:min(todo, len(discard))])
		if err != nil {
			return 0, err
		}
		todo -= k
	}
	return n, nil
}

// some decodes at least one value to the beginning of dst, which is not empty and
// not longer than the number of values left.
func (d *delta[T]) some(dst []T) (int, error) {
	if len(d.staged) > 0 {
		k := copy(dst, d.staged)
		d.staged = d.staged[k:]
		return k, nil
	}
	if d.unpacked == 0 {
		if err := d.nextMiniblock(); err != nil {
			return 0, err
		}
	}
	if d.width == 0 {
		k := min(len(dst), d.unpacked)
		last := d.last
		for i := range dst[:k] {
			last += d.minDelta
			dst[i] = last
		}
		d.last = last
		d.unpacked -= k
		return k, nil
	}
	if k := d.groups(dst); k > 0 {
		return k, nil
	}
	if err := d.fillStage(); err != nil {
		return 0, err
	}
	k := copy(dst, d.staged)
	d.staged = d.staged[k:]
	return k, nil
}

// groups decodes as many whole groups of the miniblock as dst has room for.
func (d *delta[T]) groups(dst []T) (k int) {
	if d.wide() {
		return 0
	}
	data, last, size := d.data, d.last, 4*int(d.width)
	n := min(len(dst), d.unpacked)
	for n-k >= group && len(data) >= size {
		last = bitpack.UnpackSum((*[group]T)(dst[k:]), data, d.width, last, d.minDelta)
		data = data[size:]
		k += group
	}
	d.data, d.last = data, last
	d.unpacked -= k
	return k
}

// deltaWidth is the largest width of a miniblock. The arithmetic needs no more bits
// than T has, but some writers compute the deltas of INT32 in 64 bits: arrow-go until
// apache/arrow-go#1027. Then a delta has up to 33 bits, and its distance from the
// minimum up to 34.
func deltaWidth[T bitpack.Int]() uint {
	if is32[T]() {
		return deltaWidth32
	}
	return 64
}

const deltaWidth32 = 34

func is32[T bitpack.Int]() bool { return T(1)<<31<<1 == 0 }

// wide reports whether the miniblock is wider than T. Arithmetic in more bits gives the
// same values, because only the low bits of a sum count.
func (d *delta[T]) wide() bool { return d.width > 32 && is32[T]() }

// nextMiniblock begins the next miniblock, and the next block if the current one
// has no more miniblocks.
func (d *delta[T]) nextMiniblock() error {
	if len(d.widths) == 0 {
		minDelta, widths, rest, err := d.head.readDeltaBlock(d.data)
		if err != nil {
			return err
		}
		d.minDelta, d.widths, d.data = T(minDelta), widths, rest
	}
	d.width = uint(d.widths[0])
	if d.width > deltaWidth[T]() {
		return errDeltaWidth(d.width)
	}
	d.widths = d.widths[1:]
	d.unpacked = d.head.miniblock
	return nil
}

// fillStage decodes the next group, or less if less is left of the miniblock or of
// the sequence. The last miniblock should be padded to its full length, but some
// writers cut it short.
func (d *delta[T]) fillStage() error {
	n := min(group, d.unpacked)
	valid := min(n, d.left)
	if len(d.data) < (valid*int(d.width)+7)/8 {
		return errShort
	}
	src := d.data
	if len(src) < 4*int(d.width) {
		var padded [8 * group]byte
		copy(padded[:], src)
		src = padded[:]
	}
	if d.wide() {
		var sums [group]int64
		bitpack.UnpackSum(&sums, src, d.width, int64(d.last), int64(d.minDelta))
		for i, v := range sums {
			d.stage[i] = T(v)
		}
	} else {
		bitpack.UnpackSum(&d.stage, src, d.width, d.last, d.minDelta)
	}
	d.staged = d.stage[:valid]
	d.last = d.stage[valid-1]
	d.data = d.data[min(len(d.data), n*int(d.width)/8):]
	d.unpacked -= n
	return nil
}
