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

// decompressBrotli decodes one Brotli stream (RFC 7932).
func decompressBrotli(dst, src []byte, size int) ([]byte, error) {
	d := brotliDecoders.Get().(*brotliDecoder)
	d.in.Reset(src)
	err := d.out.Reset(&d.in)
	if err == nil {
		dst, err = readAll(&d.out, dst, src, size)
	}
	d.in.Reset(nil)
	if err != nil {
		return nil, err // the decoder is in an unknown state: not pooled
	}
	brotliDecoders.Put(d)
	return dst, nil
}
