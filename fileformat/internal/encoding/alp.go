package encoding

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/bitpack"
	"github.com/parquetsql/parquetsql/fileformat/internal/le"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// alp reads ALP (AlpEncoding.md): decimal numbers as integers with a common
// exponent, and other values as exceptions.
//
//	page   = mode, integer encoding, log2 of the vector size: 1 byte each;
//	         number of values: 4 bytes; one offset per vector: 4 bytes; vectors
//	vector = exponent e, factor f: 1 byte each; number of exceptions: 2 bytes;
//	         minimum: 4 or 8 bytes; width: 1 byte;
//	         integers minus the minimum, bit-packed;
//	         positions of exceptions, 2 bytes each; their values, 4 or 8 bytes each
//
// A value is integer * 10^f * 10^-e, in the precision of the type and rounded
// after each of the two multiplications. Any other order of operations could give
// a value with other bits than the one that was written.
//
// A mode and an integer encoding other than 0 are errs.ErrUnsupported. Vectors of
// fewer than 2^3 or more than 2^15 values, an exponent above the type's highest, a
// factor above the exponent, a width above the type's, an exception beyond its
// vector, and offsets that do not agree with the vectors' lengths are errors. An
// error within a vector is reported when the vector is reached.
//
// F is the type of the values, I that of the integers, which has as many bits.
type alp[F float32 | float64, I bitpack.Int] struct {
	size     int // bytes of a value
	exponent int // the highest that is valid
	copy     func(dst []F, src []byte)

	data   []byte // offsets and vectors; the offsets count from here
	vector int    // values in each vector but the last
	total  int    // values in the page
	at     int    // values delivered or skipped
	n      int    // the most values that may be taken

	part   []F // the decoded vector in which the last call ended
	partOf int // its number, or -1

	ints   [chunk]I // some integers of a vector
	floats [chunk]F // some exceptions of a vector
}

// chunk is how many integers or exceptions are handled at once.
const chunk = 256

func newALPFloat() *alp[float32, int32] {
	return &alp[float32, int32]{size: 4, exponent: 10, copy: le.Copy32[float32]}
}

func newALPDouble() *alp[float64, int64] {
	return &alp[float64, int64]{size: 8, exponent: 18, copy: le.Copy64[float64]}
}

var errOffset = errors.New("ALP vector out of place")

func (d *alp[F, I]) Reset(data []byte, n int) error {
	d.data, d.vector, d.total, d.at, d.n, d.partOf = nil, 1, 0, 0, max(n, 0), -1
	if len(data) == 0 {
		return nil
	}
	if len(data) < 7 {
		return errShort
	}
	mode, integers, log := data[0], data[1], data[2]
	total := binary.LittleEndian.Uint32(data[3:])
	switch {
	case mode != 0:
		return errs.Unsupported("ALP compression mode %d", mode)
	case integers != 0:
		return errs.Unsupported("ALP integer encoding %d", integers)
	case log < 3 || log > 15:
		return fmt.Errorf("ALP vectors of 2^%d values", log)
	}
	if err := checkCount(fileformat.ALP, int64(total), int64(d.n)); err != nil {
		return err
	}
	d.data, d.vector, d.total = data[7:], 1<<log, int(total)
	if int64(d.vectors())*4 > int64(len(d.data)) {
		return errShort
	}
	return nil
}

// vectors is how many vectors the page has.
func (d *alp[F, I]) vectors() int {
	if d.total == 0 {
		return 0
	}
	return (d.total-1)/d.vector + 1
}

func (d *alp[F, I]) Skip(n int) (int, error) {
	n = min(max(n, 0), d.n-d.at)
	if n > d.total-d.at {
		return 0, errShort
	}
	d.at += n
	return n, nil
}

func (d *alp[F, I]) Decode(dst []F) (int, error) {
	at := d.at
	n, err := d.Skip(len(dst))
	if err != nil {
		return 0, err
	}
	for dst = dst[:n]; len(dst) > 0; {
		number, from := at/d.vector, at%d.vector
		size := min(d.vector, d.total-number*d.vector)
		k := min(len(dst), size-from)
		if k == size {
			err = d.decodeVector(dst[:k], number)
		} else {
			err = d.decodePart(dst[:k], number, from, size)
		}
		if err != nil {
			return 0, err
		}
		dst = dst[k:]
		at += k
	}
	return n, nil
}

// decodePart decodes a vector of that size once and hands out a part of it.
func (d *alp[F, I]) decodePart(dst []F, number, from, size int) error {
	if d.partOf != number {
		if cap(d.part) < size {
			d.part = make([]F, size) // 32,768 at most
		}
		d.part, d.partOf = d.part[:size], -1
		if err := d.decodeVector(d.part, number); err != nil {
			return err
		}
		d.partOf = number
	}
	copy(dst, d.part[from:])
	return nil
}

// decodeVector decodes the vector of that number, which has len(dst) values.
func (d *alp[F, I]) decodeVector(dst []F, number int) error {
	src, err := d.bytesOf(number)
	if err != nil {
		return err
	}
	head := 4 + d.size + 1
	if len(src) < head {
		return errShort
	}
	e, f := int(src[0]), int(src[1])
	exceptions := int(binary.LittleEndian.Uint16(src[2:]))
	minimum := uint64(binary.LittleEndian.Uint32(src[4:]))
	if d.size == 8 {
		minimum = binary.LittleEndian.Uint64(src[4:])
	}
	width := uint(src[head-1])
	switch {
	case e > d.exponent || f > e:
		return fmt.Errorf("ALP exponent %d with factor %d", e, f)
	case width > uint(8*d.size):
		return fmt.Errorf("ALP integers of %d bits", width)
	}
	packed := (len(dst)*int(width) + 7) / 8
	if len(src) != head+packed+exceptions*(2+d.size) {
		return errOffset
	}
	d.integers(dst, src[head:head+packed], width, I(minimum), pow10[F](f), pow10[F](-e))
	return d.patch(dst, src[head+packed:], exceptions)
}

// bytesOf is the bytes of the vector with that number.
func (d *alp[F, I]) bytesOf(number int) ([]byte, error) {
	table := uint32(4 * d.vectors())
	start, end := binary.LittleEndian.Uint32(d.data[4*number:]), uint32(min(int64(len(d.data)), 1<<32-1))
	if number+1 < d.vectors() {
		end = min(end, binary.LittleEndian.Uint32(d.data[4*number+4:]))
	}
	if start < table || start > end || number == 0 && start != table {
		return nil, errOffset
	}
	return d.data[start:end], nil
}

// integers unpacks the integers of a vector and makes values of them.
func (d *alp[F, I]) integers(dst []F, src []byte, width uint, minimum I, factor, exponent F) {
	for len(dst) > 0 {
		ints := d.ints[:min(len(dst), chunk)]
		whole := len(ints) &^ (group - 1)
		if width == 0 {
			clear(ints)
		} else {
			bitpack.Unpack(ints[:whole], src, width)
			bitpack.UnpackFew(ints[whole:], src[whole/8*int(width):], 0, width)
			src = src[min(len(src), len(ints)/8*int(width)):]
		}
		out := dst[:len(ints)]
		for i, v := range ints {
			out[i] = F(F(v+minimum)*factor) * exponent // the conversion F() rounds here
		}
		dst = dst[len(ints):]
	}
}

// patch puts the exceptions in their places.
func (d *alp[F, I]) patch(dst []F, src []byte, exceptions int) error {
	positions, values := src[:2*exceptions], src[2*exceptions:]
	for len(positions) > 0 {
		floats := d.floats[:min(len(positions)/2, chunk)]
		d.copy(floats, values)
		for i, v := range floats {
			at := int(binary.LittleEndian.Uint16(positions[2*i:]))
			if at >= len(dst) {
				return fmt.Errorf("ALP exception at %d of %d values", at, len(dst))
			}
			dst[at] = v
		}
		positions, values = positions[2*len(floats):], values[d.size*len(floats):]
	}
	return nil
}

// pow10 is 10^n correctly rounded, as the compiler does it with literals.
func pow10[F float32 | float64](n int) F {
	if n < 0 {
		return [...]F{1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11,
			1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18}[-n]
	}
	return [...]F{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}[n]
}
