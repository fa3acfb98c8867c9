package codec

import (
	"bytes"
	"sync"

	"github.com/klauspost/compress/gzip"
)

type gzipDecoder struct {
	in  bytes.Reader
	out gzip.Reader
}

var gzipDecoders = sync.Pool{New: func() any { return new(gzipDecoder) }}

// decompressGzip decodes the members of a GZIP file one after another
// (RFC 1952, section 2.2) and checks the CRC-32 of each.
func decompressGzip(dst, src []byte, size int) ([]byte, error) {
	d := gzipDecoders.Get().(*gzipDecoder)
	d.in.Reset(src)
	err := d.out.Reset(&d.in)
	if err == nil {
		dst, err = readAll(&d.out, dst, src, size)
	}
	d.in.Reset(nil)
	gzipDecoders.Put(d)
	if err != nil {
		return nil, err
	}
	return dst, nil
}
