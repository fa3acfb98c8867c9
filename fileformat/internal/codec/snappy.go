package codec

import (
	"fmt"

	"github.com/golang/snappy"
)

// decompressSnappy decodes one block of the Snappy format, which begins with
// its length. The longest copy is 64 bytes for 3. klauspost's decoder is a few
// percent faster on strings, but knows S2 too, so that some damage which this one
// sees would give other rows there.
func decompressSnappy(dst, src []byte, size int) ([]byte, error) {
	n, err := snappy.DecodedLen(src)
	if err != nil {
		return nil, err
	}
	if n != size {
		return nil, fmt.Errorf("snappy: block of %d bytes where the page header states %d", n, size)
	}
	dst, err = sized(dst, src, size, 22, 0)
	if err != nil {
		return nil, err
	}
	return snappy.Decode(dst, src)
}
