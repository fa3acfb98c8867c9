// Package codec decompresses pages (Compression.md of the format).
//
// A page's header states the page's compressed and uncompressed size. The output must
// have exactly the stated uncompressed size: shorter or longer output is an error,
// and so is unused input. The stated size is not trusted before that. Codecs with a
// maximum ratio (a Snappy copy gives at most 64 bytes for 3) refuse larger sizes
// before they allocate; codecs without one (DEFLATE and Brotli reach 1000:1 and more)
// grow their output as it is produced.
//
//	codec         made of                                       ceiling
//	UNCOMPRESSED  the bytes themselves                          1
//	SNAPPY        one block of the Snappy format                22
//	GZIP          one or more members of RFC 1952               1032, and grows
//	LZO           LZO1X, in Hadoop's framing or alone           255
//	BROTLI        one stream of RFC 7932                        16 MiB per meta-block, and grows
//	LZ4           LZ4 blocks in Hadoop's framing, an LZ4 frame  255
//	              or one LZ4 block alone: writers differ
//	ZSTD          one or more frames of RFC 8878                128 KiB per block
//	LZ4_RAW       one LZ4 block                                 255
//
// The decoders of SNAPPY, GZIP and LZO and of the LZ4 framings are part of this package: they
// have the whole page in memory and write into one buffer. The other decoders are
// libraries. Decoders with state are pooled and start no goroutine.
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

// Decompress decompresses src to size bytes. They are in dst's memory if its capacity
// suffices, in src itself if it is not compressed, and else in new memory. After an
// error, dst's content is undefined. If size is 0, the result is empty for any src.
// look, which may be nil, is called after each few megabytes of output; its error ends the
// decompression. A block of LZ4_RAW, and a frame of ZSTD whose window is very long, are one step.
func Decompress(id fileformat.Codec, dst, src []byte, size int, look func() error) (out []byte, err error) {
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
	// Some decoders are libraries that were not written for hostile input; if one of
	// them panics, the input is bad.
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("decompressor failed: %v", p)
		}
	}()
	l := &unseen
	if look != nil && size > lookBytes {
		l = &looks{look: look}
	}
	out, err = decompress(id, dst, src, size, l)
	if l.err != nil {
		return nil, l.err
	}
	return out, err
}

func decompress(id fileformat.Codec, dst, src []byte, size int, look *looks) ([]byte, error) {
	switch id {
	case fileformat.Snappy:
		return decompressSnappy(dst, src, size, look)
	case fileformat.Gzip:
		return decompressGzip(dst, src, size, look)
	case fileformat.LZO:
		return decompressLZO(dst, src, size, look)
	case fileformat.Brotli:
		return decompressBrotli(dst, src, size, look)
	case fileformat.LZ4:
		return decompressLZ4(dst, src, size, look)
	case fileformat.Zstd:
		return decompressZstd(dst, src, size, look)
	default:
		return decompressLZ4Raw(dst, src, size)
	}
}
