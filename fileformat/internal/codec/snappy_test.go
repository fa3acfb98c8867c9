package codec

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/golang/snappy"

	"github.com/parquetsql/parquetsql/fileformat"
)

// TestSnappyOffset0 has a copy with the distance 0 at both ends of a block and in the
// middle. It is an error in Snappy but a repeat in S2: a decoder that accepts S2 would
// return wrong rows for damaged pages.
func TestSnappyOffset0(t *testing.T) {
	for _, literals := range []int{1, 60, 500} {
		text := bytes.Repeat([]byte("abcdefghi"), 60)[:literals]
		whole := snappy.Encode(nil, text)
		_, length := binary.Uvarint(whole)
		for _, after := range []int{0, 50} {
			src := binary.AppendUvarint(nil, uint64(literals+5+4*after))
			src = append(append(src, whole[length:]...), 1<<2|1, 0)
			for range after {
				src = append(src, 1, 1)
			}
			if _, err := Decompress(fileformat.Snappy, nil, src, literals+5+4*after); err == nil {
				t.Errorf("%d literals, %d copies after: no error", literals, after)
			}
			src[len(src)-2*after-1] = 1
			if _, err := Decompress(fileformat.Snappy, nil, src, literals+5+4*after); err != nil {
				t.Errorf("%d literals, %d copies after: with distance 1: %v", literals, after, err)
			}
		}
	}
}
