package codec

import (
	"errors"

	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

var (
	errBrotliInput   = errors.New("brotli: data ends inside the stream")
	errBrotliPadding = errors.New("brotli: bits that fill a byte up are not zero")
)

// brotliBits takes bits from the lower end of a word, as inflater does:
//
//	bits   the next bits; above count of them there may be more, which are right
//	count  how many are accounted for: in is the byte behind them
//
// Behind the end of src there are zeros without end, and in goes on counting.
// Who reads asks now and then whether it is over the end, not for each element:
// after each prefix code and each command, so that little is done in vain.
type brotliBits struct {
	src   []byte
	in    int
	bits  uint64
	count uint
}

// fill makes sure of at least 56 bits.
func (b *brotliBits) fill() {
	if b.in > len(b.src)-8 {
		b.bits, b.in, b.count = brotliEdge(b.src, b.bits, b.in, b.count)
		return
	}
	b.bits |= le.Uint64(b.src, b.in) << (b.count & 63)
	b.in += int(63-b.count) / 8
	b.count |= 56
}

// brotliEdge is fill where fewer than eight bytes are left.
func brotliEdge(src []byte, bits uint64, in int, count uint) (uint64, int, uint) {
	bits &= 1<<(count&63) - 1
	for ; count < 56; count += 8 {
		if in < len(src) {
			bits |= uint64(src[in]) << (count & 63)
		}
		in++
	}
	return bits, in, count
}

// over tells whether bits were taken that are not there.
func (b *brotliBits) over() bool { return b.in-int(b.count/8) > len(b.src) }

// take is the next n bits, at most 32.
func (b *brotliBits) take(n uint) uint {
	if b.count < n {
		b.fill()
	}
	v := uint(b.bits & (1<<(n&63) - 1))
	b.skip(n)
	return v
}

func (b *brotliBits) skip(n uint) {
	b.bits >>= n & 63
	b.count -= n
}

// align passes over the bits up to the next byte, which must be zero, and gives
// whole bytes back.
func (b *brotliBits) align() error {
	if b.over() {
		return errBrotliInput
	}
	if b.bits&(1<<(b.count%8)-1) != 0 {
		return errBrotliPadding
	}
	b.in -= int(b.count / 8)
	b.bits, b.count = 0, 0
	return nil
}
