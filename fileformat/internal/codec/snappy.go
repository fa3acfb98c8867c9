package codec

import (
	"fmt"

	"github.com/golang/snappy"

	"github.com/parquetsql/parquetsql/fileformat"
)

// A copy of at most 64 bytes takes 3 bytes of input, or 2 for at most 11.
const (
	snappyRatio = 22
	snappySlack = 64
)

// decompressSnappy decodes one block (format_description.txt of google/snappy),
// which begins with its uncompressed length.
func decompressSnappy(dst, src []byte, size int) ([]byte, error) {
	n, err := snappy.DecodedLen(src)
	if err != nil {
		return nil, err
	}
	if n != size {
		return nil, fmt.Errorf("snappy: a block of %d bytes where the page header states %d", n, size)
	}
	if dst, err = sized(fileformat.Snappy, dst, src, size); err != nil {
		return nil, err
	}
	return snappy.Decode(dst, src)
}
