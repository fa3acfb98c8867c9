package codec

import (
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/parquetsql/parquetsql/fileformat"
)

// Sizes of frames and blocks (RFC 8878, sections 3.1.1 and 3.1.2).
const (
	zstdMaxWindow   = 1 << 31 // our limit: no page is longer
	zstdMaxBlock    = 128 << 10
	zstdBlockHeader = 3
	zstdChecksum    = 4
)

var errZstdBlock = errors.New("zstd: a block of a reserved type")

// zstdDecoders work in the caller's goroutine and decode directly into the output, so
// a frame's window needs no extra memory. The limit on the window rejects absurd
// headers.
var zstdDecoders = sync.Pool{New: func() any {
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

// decompressZstd decodes the frames of src one after another.
func decompressZstd(dst, src []byte, size int, look *looks) ([]byte, error) {
	if cap(dst) < size {
		if err := Check(fileformat.Zstd, src, size); err != nil {
			return nil, err
		}
		dst = make([]byte, size)
	}
	if size > zstdLong && look.look != nil {
		if out, err := streamZstd(dst, src, size, look); !errors.Is(err, errLongWindow) {
			return out, err
		}
	}
	pooled := zstdDecoders.Get()
	d, ok := pooled.(*zstd.Decoder)
	if !ok {
		return nil, pooled.(error)
	}
	// The decoder writes up to the capacity. Space for one block after the end lets
	// it write larger pieces.
	out, err := d.DecodeAll(src, dst[:0:min(cap(dst), size+zstdMaxBlock)])
	zstdDecoders.Put(d)
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded) || err == nil && len(out) > size:
		return nil, errTooLong
	case err != nil:
		return nil, err
	case len(out) != size:
		return nil, errShort
	}
	return out, nil
}

// zstdMost computes an upper bound of the output of src from the headers of its frames
// and blocks: the size in a page header is allocated only if the frames can have that
// size.
func zstdMost(src []byte) (total int64, err error) {
	for len(src) > 0 {
		var h zstd.Header
		if src, err = h.DecodeAndStrip(src); err != nil {
			return 0, err
		}
		if h.Skippable {
			if uint64(h.SkippableSize) > uint64(len(src)) {
				return 0, io.ErrUnexpectedEOF
			}
			src = src[h.SkippableSize:]
			continue
		}
		frame, rest, err := zstdBlocks(src)
		if err != nil {
			return 0, err
		}
		if h.HasFCS && h.FrameContentSize < uint64(frame) {
			frame = int64(h.FrameContentSize)
		}
		total, src = total+frame, rest
		if h.HasCheckSum {
			src = src[min(zstdChecksum, len(src)):]
		}
	}
	return total, nil
}

// zstdBlocks goes over the blocks of a frame. In a block's header, bit 0 tells whether
// it is the last, bits 1 and 2 are its type, and bits 3 to 23 its size.
func zstdBlocks(src []byte) (most int64, rest []byte, err error) {
	for last := false; !last; {
		if len(src) < zstdBlockHeader {
			return 0, nil, io.ErrUnexpectedEOF
		}
		header := uint32(src[0]) | uint32(src[1])<<8 | uint32(src[2])<<16
		last = header&1 != 0
		size := int(header >> 3)
		stored := size
		switch header >> 1 & 3 {
		case 0: // raw
		case 1: // one byte, repeated
			stored = 1
		case 2: // compressed
			size = zstdMaxBlock
		default:
			return 0, nil, errZstdBlock
		}
		src = src[zstdBlockHeader:]
		if stored > len(src) {
			return 0, nil, io.ErrUnexpectedEOF
		}
		most, src = most+int64(min(size, zstdMaxBlock)), src[stored:]
	}
	return most, src, nil
}
