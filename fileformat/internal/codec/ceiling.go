package codec

import (
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
)

const (
	// A match of 258 bytes takes two bits at least: one for its length, one for its
	// distance (RFC 1951, section 3.2.5).
	gzipRatio = 258 * 4
	// A meta-block makes at most 16 MiB, and the header of one that does has more than
	// three bytes (RFC 7932, section 9.2).
	brotliMetaBlock  = 16 << 20
	brotliMetaHeader = 3
)

// Check fails if src cannot decompress to size bytes, as far as the ceilings of the
// codecs tell. It reads little of src and needs no memory, so that a false size is
// known before memory is asked for.
func Check(id fileformat.Codec, src []byte, size int) error {
	most, err := ceiling(id, src)
	if err != nil {
		return err
	}
	return check(size, int64(len(src)), most)
}

func check(size int, stored, most int64) error {
	if int64(size) > most {
		return fmt.Errorf("page of %d bytes cannot have been compressed to %d", size, stored)
	}
	return nil
}

// ceiling is the most bytes that src can make.
func ceiling(id fileformat.Codec, src []byte) (int64, error) {
	stored := int64(len(src))
	switch id {
	case fileformat.Snappy:
		return stored*snappyRatio + snappySlack, nil
	case fileformat.Gzip:
		return stored * gzipRatio, nil
	case fileformat.LZO, fileformat.LZ4, fileformat.LZ4Raw:
		return stored*lz4Ratio + lz4Slack, nil
	case fileformat.Brotli:
		return (stored/brotliMetaHeader + 1) * brotliMetaBlock, nil
	case fileformat.Zstd:
		return zstdMost(src)
	}
	return stored, nil
}
