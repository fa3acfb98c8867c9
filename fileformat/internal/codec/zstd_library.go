package codec

import (
	"errors"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// zstdLibraries holds other people's decoders, for machines that zstdFast is not
// written for: they have assembly for some of these, and their loop in Go takes
// half the time of sequence (BenchmarkZstd). They work in the caller's goroutine
// and decode into the output itself, so a frame's window costs no memory of its
// own; the cap on it keeps absurd headers out.
var zstdLibraries = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecodeAllCapLimit(true),
		zstd.WithDecoderMaxWindow(zstdMaxWindow),
		zstd.WithDecoderMaxMemory(zstdMaxWindow))
	if err != nil {
		return err
	}
	return d
}}

// libraryZstd fills dst from the frames of src.
func libraryZstd(dst, src []byte) error {
	pooled := zstdLibraries.Get()
	d, ok := pooled.(*zstd.Decoder)
	if !ok {
		return pooled.(error)
	}
	// It writes up to the capacity, which a whole block behind the end lets it do in
	// larger pieces.
	out, err := d.DecodeAll(src, dst[:0:min(cap(dst), len(dst)+zstdMaxBlock+zstdSlack)])
	zstdLibraries.Put(d)
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded) || err == nil && len(out) > len(dst):
		return errTooLong
	case err != nil:
		return err
	case len(out) != len(dst):
		return errShort
	}
	return nil
}
