package encoding

import (
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/interleave"
	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

// streams is the page of BYTE_STREAM_SPLIT (Encodings.md, "Byte Stream Split"):
// one stream per byte of the value, one after the other; each has as many bytes as
// the page has values. The three 4-byte values AABBCCDD, 00112233 and A3B4C5D6 are
//
//	AA 00 A3  BB 11 B4  CC 22 C5  DD 33 D6
//
// Only the length of the page says how many values it has: a length that is not a
// multiple of the value's size is an error, and so is a page with fewer values than
// are requested.
type streams struct {
	data  []byte
	size  int // bytes per value = number of streams
	count int // values in the page
	at    int // values delivered or skipped
	n     int // the most values that may be taken
}

func (d *streams) Reset(data []byte, n int) error {
	d.data, d.at, d.n = data, 0, max(n, 0)
	d.count = len(data) / d.size
	if d.count*d.size != len(data) {
		return fmt.Errorf("BYTE_STREAM_SPLIT page of %d bytes for values of %d", len(data), d.size)
	}
	return checkCount(fileformat.ByteStreamSplit, int64(d.count), int64(d.n))
}

func (d *streams) Skip(n int) (int, error) {
	n = min(max(n, 0), d.n-d.at)
	if n > d.count-d.at {
		return 0, errShort
	}
	d.at += n
	return n, nil
}

// split32 and split64 read BYTE_STREAM_SPLIT of numbers.
type split32[T le.Word32] struct{ streams }

type split64[T le.Word64] struct{ streams }

func newSplit32[T le.Word32]() *split32[T] { return &split32[T]{streams{size: 4}} }
func newSplit64[T le.Word64]() *split64[T] { return &split64[T]{streams{size: 8}} }

func (d *split32[T]) Decode(dst []T) (int, error) {
	at := d.at
	n, err := d.Skip(len(dst))
	if n > 0 && err == nil {
		interleave.Words32(dst[:n], d.data[at:], d.count)
	}
	return n, err
}

func (d *split64[T]) Decode(dst []T) (int, error) {
	at := d.at
	n, err := d.Skip(len(dst))
	if n > 0 && err == nil {
		interleave.Words64(dst[:n], d.data[at:], d.count)
	}
	return n, err
}
