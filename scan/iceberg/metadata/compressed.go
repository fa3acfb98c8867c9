package metadata

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxText bounds the text of a metadata file: a table has some kilobytes for each snapshot.
const maxText = 256 << 20

// decompress is the text of a file that may be compressed, which its first bytes say: writers spell
// that differently in its name.
func decompress(data []byte) ([]byte, error) {
	var in io.Reader
	switch {
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		in = z
	case bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxText))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		in = z
	default:
		return data, nil
	}
	out, err := io.ReadAll(io.LimitReader(in, maxText+1))
	if len(out) > maxText {
		err = fmt.Errorf("it has more than %d bytes when it is decompressed", maxText)
	}
	return out, err
}
