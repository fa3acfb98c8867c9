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
// The decoders of Snappy, GZIP, LZO and Brotli are our own, which have the whole page
// in memory and write into one buffer; those of LZ4 and Zstandard are libraries', and
// so is the text of Brotli's static dictionary. Decoders with state are pooled and
// start no goroutine.
package codec

import (
	"errors"
	"fmt"
)

// ID is a codec's number in the format (enum CompressionCodec).
type ID int32

// The codecs.
const (
	Uncompressed ID = iota
	Snappy
	Gzip
	LZO
	Brotli
	LZ4
	Zstd
	LZ4Raw
)

// Known reports whether id is a codec of the format.
func (id ID) Known() bool { return id >= Uncompressed && id <= LZ4Raw }

var (
	errUnknown = errors.New("unknown compression codec")
	errTooLong = errors.New("decompressed data is longer than the page header states")
	errShort   = errors.New("decompressed data is shorter than the page header states")
)

// Decompress gives the size bytes that src stands for. They are in dst's memory
// where its capacity suffices, in src itself where nothing is compressed, and
// else in new memory. An error leaves dst's content undefined. A page of no
// bytes has no content to check: whatever src is, the result is empty.
func Decompress(id ID, dst, src []byte, size int) (out []byte, err error) {
	switch {
	case size < 0:
		return nil, fmt.Errorf("negative page size %d", size)
	case id == Uncompressed:
		if len(src) != size {
			return nil, fmt.Errorf("page of %d bytes is stored in %d without compression", size, len(src))
		}
		return src, nil
	case !id.Known():
		return nil, errUnknown
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

func decompress(id ID, dst, src []byte, size int) ([]byte, error) {
	switch id {
	case Snappy:
		return decompressSnappy(dst, src, size)
	case Gzip:
		return decompressGzip(dst, src, size)
	case LZO:
		return decompressLZO(dst, src, size)
	case Brotli:
		return decompressBrotli(dst, src, size)
	case LZ4:
		return decompressLZ4(dst, src, size)
	case Zstd:
		return decompressZstd(dst, src, size)
	default:
		return decompressLZ4Raw(dst, src, size)
	}
}
