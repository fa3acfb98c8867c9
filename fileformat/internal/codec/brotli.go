package codec

import (
	"bytes"
	"sync"

	"github.com/andybalholm/brotli"
)

type brotliDecoder struct {
	in  bytes.Reader
	out brotli.Reader
}

var brotliDecoders = sync.Pool{New: func() any { return new(brotliDecoder) }}

// decompressBrotli decodes one stream of RFC 7932. Bytes after the stream are an
// error.
func decompressBrotli(dst, src []byte, size int, look *looks) ([]byte, error) {
	d := brotliDecoders.Get().(*brotliDecoder)
	defer brotliDecoders.Put(d)
	d.in.Reset(src)
	defer d.in.Reset(nil)
	if err := d.out.Reset(&d.in); err != nil {
		return nil, err
	}
	return readAll(&d.out, dst, src, size, look)
}
