// Package codec decompresses pages (Compression.md of the format).
//
// A page's header states how long the page is before and after compression.
// The first is all that a decoder has to work with, the second is a claim that
// must come true to the byte: output that ends early or goes on is an error, as
// is input that is left over. The claim is not believed before that. Codecs
// whose ratio has a ceiling (a Snappy copy gives at most 64 bytes for 3) refuse
// claims above it before they allocate; those without one (DEFLATE and Brotli
// reach 1000:1 and more) grow their output as it is produced.
//
//	codec         made of                                       ceiling
//	UNCOMPRESSED  the bytes themselves                          1
//	SNAPPY        one block of the Snappy format                22
//	GZIP          one or more members of RFC 1952               grows
//	LZO           LZO1X, in Hadoop's framing or bare            255
//	BROTLI        one stream of RFC 7932                        grows
//	LZ4           LZ4 blocks in Hadoop's framing, an LZ4 frame  255
//	              or one bare LZ4 block: writers differ
//	ZSTD          one or more frames of RFC 8878                128 KiB a block
//	LZ4_RAW       one LZ4 block                                 255
//
// The decoders of GZIP and LZO are our own, and so are the framings of LZ4: they
// have the whole page in memory and write into one buffer. The others are
// libraries'. Decoders with state are pooled and start no goroutine.
package codec

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
)

var (
	errTooLong = errors.New("decompressed data is longer than the page header states")
	errShort   = errors.New("decompressed data is shorter than the page header states")
)

// Decompress gives the size bytes that src stands for. They are in dst's memory
// where its capacity suffices, in src itself where nothing is compressed, and
// else in new memory. An error leaves dst's content undefined. A page of no
// bytes has no content to check: whatever src is, the result is empty.
func Decompress(id fileformat.Codec, dst, src []byte, size int) (out []byte, err error) {
	switch {
	case size < 0:
		return nil, fmt.Errorf("negative page size %d", size)
	case id == fileformat.Uncompressed:
		if len(src) != size {
			return nil, fmt.Errorf("page of %d bytes is stored in %d without compression", size, len(src))
		}
		return src, nil
	case id < 0 || id > fileformat.LZ4Raw:
		return nil, errs.Unsupported("compression codec %v", id)
	case size == 0:
		return dst[:0], nil
	case len(src) == 0:
		return nil, errShort
	}
	// Some decoders are other people's and were not all written for hostile
	// input; what one of them trips over is bad input still.
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("decompressor failed: %v", p)
		}
	}()
	return decompress(id, dst, src, size)
}

func decompress(id fileformat.Codec, dst, src []byte, size int) ([]byte, error) {
	switch id {
	case fileformat.Snappy:
		return decompressSnappy(dst, src, size)
	case fileformat.Gzip:
		return decompressGzip(dst, src, size)
	case fileformat.LZO:
		return decompressLZO(dst, src, size)
	case fileformat.Brotli:
		return decompressBrotli(dst, src, size)
	case fileformat.LZ4:
		return decompressLZ4(dst, src, size)
	case fileformat.Zstd:
		return decompressZstd(dst, src, size)
	default:
		return decompressLZ4Raw(dst, src, size)
	}
}
