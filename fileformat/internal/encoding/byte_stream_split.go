package encoding

import (
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

// streams is the page of BYTE_STREAM_SPLIT (Encodings.md, "Byte Stream Split"):
// one stream a byte of the value, each as long as there are values, one after
// the other. The three 4-byte values AABBCCDD, 00112233 and A3B4C5D6 are
//
//	AA 00 A3  BB 11 B4  CC 22 C5  DD 33 D6
//
// Only the length of the page says how many values there are: one that is no
// multiple of the value's size is an error, and so are fewer values than are
// asked for.
type streams struct {
	data  []byte
	size  int // bytes a value = streams
	count int // values in the page
	at    int // values delivered or skipped
	n     int // values that may be taken at all
}

func (d *streams) Reset(data []byte, n int) error {
	d.data, d.at, d.n = data, 0, max(n, 0)
	d.count = len(data) / d.size
	if d.count*d.size != len(data) {
		return fmt.Errorf("BYTE_STREAM_SPLIT page of %d bytes for values of %d", len(data), d.size)
	}
	return checkCount(ByteStreamSplit, int64(d.count), int64(d.n))
}

func (d *streams) Skip(n int) (int, error) {
	n = min(max(n, 0), d.n-d.at)
	if n > d.count-d.at {
		return 0, errShort
	}
	d.at += n
	return n, nil
}

// stream is bytes i of the n values from at on.
func (d *streams) stream(i, at, n int) []byte { return d.data[i*d.count+at:][:n:n] }

// split32 and split64 read BYTE_STREAM_SPLIT of numbers.
type split32[T le.Word32] struct{ streams }

type split64[T le.Word64] struct{ streams }

func newSplit32[T le.Word32]() *split32[T] { return &split32[T]{streams{size: 4}} }
func newSplit64[T le.Word64]() *split64[T] { return &split64[T]{streams{size: 8}} }

func (d *split32[T]) Decode(dst []T) (int, error) {
	at := d.at
	n, err := d.Skip(len(dst))
	if err != nil {
		return 0, err
	}
	s0, s1, s2, s3 := d.stream(0, at, n), d.stream(1, at, n), d.stream(2, at, n), d.stream(3, at, n)
	i := 0
	for ; i+8 <= n; i += 8 {
		a, b, c, e := le.Uint64(s0, i), le.Uint64(s1, i), le.Uint64(s2, i), le.Uint64(s3, i)
		a, b, c, e = exchange(a, b, c, e, evenPairs, 16)
		a, c, b, e = exchange(a, c, b, e, evenBytes, 8)
		out := (*[8]T)(dst[i:])
		le.Set32(&out[0], uint32(a))
		le.Set32(&out[1], uint32(b))
		le.Set32(&out[2], uint32(c))
		le.Set32(&out[3], uint32(e))
		le.Set32(&out[4], uint32(a>>32))
		le.Set32(&out[5], uint32(b>>32))
		le.Set32(&out[6], uint32(c>>32))
		le.Set32(&out[7], uint32(e>>32))
	}
	for ; i < n; i++ {
		le.Set32(&dst[i], uint32(s0[i])|uint32(s1[i])<<8|uint32(s2[i])<<16|uint32(s3[i])<<24)
	}
	return n, nil
}

func (d *split64[T]) Decode(dst []T) (int, error) {
	at, count := d.at, d.count
	n, err := d.Skip(len(dst))
	if err != nil {
		return 0, err
	}
	// Places in two slices rather than eight slices, one a stream: the loop's
	// variables then fit into registers.
	low, high := d.data[:4*count], d.data[4*count:]
	dst = dst[:n]
	for ; len(dst) >= 4; at += 4 {
		a, b, c, e := pair(low, high, at), pair(low, high, at+count), pair(low, high, at+2*count), pair(low, high, at+3*count)
		a, b, c, e = exchange(a, b, c, e, evenPairs, 16)
		a, c, b, e = exchange(a, c, b, e, evenBytes, 8)
		le.Set64(&dst[0], a)
		le.Set64(&dst[1], b)
		le.Set64(&dst[2], c)
		le.Set64(&dst[3], e)
		dst = dst[4:]
	}
	for i := range dst {
		v := uint64(0)
		for j := range 8 {
			v |= uint64(d.data[j*count+at+i]) << (8 * j)
		}
		le.Set64(&dst[i], v)
	}
	return n, nil
}

// pair is four bytes each of two streams.
func pair(low, high []byte, at int) uint64 {
	return uint64(le.Uint32(low, at)) | uint64(le.Uint32(high, at))<<32
}

const (
	evenBytes = 0x00FF00FF00FF00FF
	evenPairs = 0x0000FFFF0000FFFF
)

// exchange swaps the bits of a at mask<<shift with those of c at mask, and those
// of b with those of d. Twice transposes two matrices of 4 x 4 bytes, whose rows
// are the lower halves of a, b, c and d and the upper ones: blocks of 2 x 2 are
// exchanged across the diagonal, then bytes within the blocks,
//
//	a, b, c, d = exchange(a, b, c, d, evenPairs, 16)
//	a, c, b, d = exchange(a, c, b, d, evenBytes, 8)
//
// With eight bytes of each of four streams as rows the columns are the values 0
// and 4, 1 and 5, 2 and 6, 3 and 7. With four bytes each of streams 0 and 4, 1 and
// 5 and so on they are four values of eight bytes. Both steps in one function
// would be too much for the compiler to inline.
func exchange(a, b, c, d, mask uint64, shift uint) (uint64, uint64, uint64, uint64) {
	t, u := (a>>shift^c)&mask, (b>>shift^d)&mask
	return a ^ t<<shift, b ^ u<<shift, c ^ t, d ^ u
}
