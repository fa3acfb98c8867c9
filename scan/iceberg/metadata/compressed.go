package metadata

import (
	"bytes"
	"compress/gzip"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan/iceberg/internal/bounded"
)

// maxText bounds the text of a metadata file: a table has some kilobytes for each snapshot.
const maxText = 256 << 20

// decompress is the text of a file that may be compressed, which its first bytes say: writers spell
// that differently in its name. Its memory is charged; the caller gives back the second result.
func decompress(data []byte, b *quota.Budget) (text []byte, charged int64, err error) {
	switch {
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, 0, err
		}
		text, err = bounded.ReadAll(z, nil, maxText, b)
		return text, int64(cap(text)), err
	case bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		text, err = bounded.Zstd(bytes.NewReader(data), nil, maxText, b)
		return text, int64(cap(text)), err
	}
	return data, 0, nil
}
