package mutant

import (
	"bytes"
	"compress/gzip"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/golang/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// codec compresses the bytes of pages, and decompresses them into a known size.
type codec struct {
	encode func(plain []byte) []byte
	decode func(packed []byte, size int) ([]byte, error)
}

// codecs are those of the specification by number. Missing are none, LZO and Hadoop's LZ4:
// pages stay as they are.
var codecs = map[int64]codec{
	1: {
		func(plain []byte) []byte { return snappy.Encode(nil, plain) },
		func(packed []byte, _ int) ([]byte, error) { return snappy.Decode(nil, packed) },
	},
	2: {
		func(plain []byte) []byte {
			return written(plain, func(to io.Writer) io.WriteCloser { return gzip.NewWriter(to) })
		},
		func(packed []byte, size int) ([]byte, error) {
			from, err := gzip.NewReader(bytes.NewReader(packed))
			if err != nil {
				return nil, err
			}
			return filled(from, size)
		},
	},
	4: {
		func(plain []byte) []byte {
			return written(plain, func(to io.Writer) io.WriteCloser { return brotli.NewWriter(to) })
		},
		func(packed []byte, size int) ([]byte, error) {
			return filled(brotli.NewReader(bytes.NewReader(packed)), size)
		},
	},
	6: {
		func(plain []byte) []byte {
			return written(plain, func(to io.Writer) io.WriteCloser {
				w, err := zstd.NewWriter(to, zstd.WithEncoderConcurrency(1))
				if err != nil {
					panic(err) // of options, which are constants
				}
				return w
			})
		},
		func(packed []byte, size int) ([]byte, error) {
			from, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1))
			if err != nil {
				return nil, err
			}
			defer from.Close()
			return filled(from, size)
		},
	},
	7: {
		func(plain []byte) []byte {
			packed := make([]byte, lz4.CompressBlockBound(len(plain)))
			var c lz4.Compressor
			n, err := c.CompressBlock(plain, packed)
			if err != nil {
				panic(err) // there is room for what cannot be compressed
			}
			return packed[:n]
		},
		func(packed []byte, size int) ([]byte, error) {
			plain := make([]byte, size)
			n, err := lz4.UncompressBlock(packed, plain)
			return plain[:max(n, 0)], err
		},
	},
}

// written is what a compressor makes of bytes.
func written(plain []byte, compressor func(io.Writer) io.WriteCloser) []byte {
	var out bytes.Buffer
	w := compressor(&out)
	_, _ = w.Write(plain) // into memory, which does not fail
	_ = w.Close()
	return out.Bytes()
}

func filled(from io.Reader, size int) ([]byte, error) {
	plain := make([]byte, size)
	_, err := io.ReadFull(from, plain)
	return plain, err
}
