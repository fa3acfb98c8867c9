package codec

import (
	"bytes"
	"errors"
	"sync"
	"weak"

	"github.com/klauspost/compress/zstd"
)

// zstdLong is the length from which on a page is decoded a part at a time, with looks between
// them, and the longest window of frames for which that is done: the decoder keeps as much
// again. It is what writers use at all but their highest levels.
const zstdLong = 8 << 20

// errLongWindow says that a frame has a longer window than zstdLong.
var errLongWindow = errors.New("zstd: a long window")

// streamZstd decodes the frames of src through a window.
func streamZstd(dst, src []byte, size int, look *looks) ([]byte, error) {
	d, err := zstdStreams.get()
	if err != nil {
		return nil, err
	}
	if err := d.Reset(bytes.NewReader(src)); err != nil {
		return nil, err
	}
	out, err := readAll(d, dst, src, size, look)
	if errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, zstd.ErrWindowSizeExceeded) {
		return nil, errLongWindow
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return out, zstdStreams.put(d)
}

// zstdStreams are decoders that are not in use. Making one, with its window, takes a fifth of
// the time of a page. The windows are charged to nobody: the pointers are weak, so that each
// collection takes what lies here, not the second one as with a sync.Pool.
var zstdStreams streams

type streams struct {
	mu   sync.Mutex
	idle []weak.Pointer[zstd.Decoder]
}

func (s *streams) get() (*zstd.Decoder, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := len(s.idle) - 1; n >= 0; n-- {
		d := s.idle[n].Value()
		s.idle = s.idle[:n]
		if d != nil {
			return d, nil
		}
	}
	return zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdLong), zstd.WithDecoderMaxMemory(zstdMaxWindow))
}

// put keeps a decoder, which forgets the page.
func (s *streams) put(d *zstd.Decoder) error {
	if err := d.Reset(nil); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, weak.Make(d))
	return nil
}
