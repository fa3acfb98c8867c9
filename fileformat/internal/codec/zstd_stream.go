package codec

import (
	"bytes"
	"errors"

	"github.com/klauspost/compress/zstd"
)

// zstdLong is the length from which on a page is decoded a part at a time, with looks between
// them, and the longest window of frames for which that is done: the decoder keeps as much
// again. It is what writers use at all but their highest levels.
const zstdLong = 8 << 20

// errLongWindow says that a frame has a longer window than zstdLong.
var errLongWindow = errors.New("zstd: a long window")

// streamZstd decodes the frames of src through a window. It takes a tenth longer than into the
// output, which cannot be interrupted.
func streamZstd(dst, src []byte, size int, look *looks) ([]byte, error) {
	d, err := zstd.NewReader(bytes.NewReader(src),
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdLong), zstd.WithDecoderMaxMemory(zstdMaxWindow))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	out, err := readAll(d, dst, src, size, look)
	if errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, zstd.ErrWindowSizeExceeded) {
		return nil, errLongWindow
	}
	return out, err
}
