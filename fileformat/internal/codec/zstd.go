package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// zstdDecoders holds decoders that work in the caller's goroutine. They decode
// into the output itself, so a frame's window costs no memory of its own; the
// cap on it keeps absurd headers out.
var zstdDecoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecodeAllCapLimit(true),
		zstd.WithDecoderMaxWindow(1<<31),
		zstd.WithDecoderMaxMemory(1<<31))
	if err != nil {
		return err
	}
	return d
}}

// decompressZstd decodes the frames of src (RFC 8878).
func decompressZstd(dst, src []byte, size int) ([]byte, error) {
	if cap(dst) < size {
		most, err := zstdMost(src)
		if err != nil {
			return nil, err
		}
		if int64(size) > most {
			return nil, fmt.Errorf("zstd: frames of at most %d bytes where the page header states %d", most, size)
		}
		dst = make([]byte, size, size+zstdSlack)
	}
	pooled := zstdDecoders.Get()
	d, ok := pooled.(*zstd.Decoder)
	if !ok {
		return nil, pooled.(error)
	}
	out, err := d.DecodeAll(src, dst[:0:min(cap(dst), size+zstdMaxBlock+zstdSlack)])
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

// zstdSlack is how many bytes behind the output the decoder likes to have, which
// lets it copy in pieces of that length: behind the last byte where the frame's
// header has the size, and else behind a whole block.
const zstdSlack = 16

// Of a block: the length of its header and the most that it stands for
// (RFC 8878, section 3.1.1.2.4).
const (
	zstdBlockHeader = 3
	zstdMaxBlock    = 128 << 10
)

var errZstdFrame = errors.New("zstd: frame is cut off")

// zstdMost is an upper bound of what the frames of src decode to, taken from
// the headers of frames and blocks.
func zstdMost(src []byte) (int64, error) {
	var total int64
	for len(src) > 0 {
		var h zstd.Header
		if err := h.Decode(src); err != nil {
			return 0, fmt.Errorf("zstd: frame header: %w", err)
		}
		if h.Skippable {
			skip := int64(h.HeaderSize) + int64(h.SkippableSize)
			if skip > int64(len(src)) {
				return 0, errZstdFrame
			}
			src = src[skip:]
			continue
		}
		blocks, rest, err := zstdBlocks(src[h.HeaderSize:], h.HasCheckSum)
		if err != nil {
			return 0, err
		}
		if h.HasFCS && h.FrameContentSize < uint64(blocks) {
			blocks = int64(h.FrameContentSize)
		}
		total, src = total+blocks, rest
	}
	return total, nil
}

// zstdBlocks bounds what one frame's blocks decode to; rest follows the frame.
func zstdBlocks(src []byte, checksum bool) (most int64, rest []byte, err error) {
	for last := false; !last; {
		if len(src) < zstdBlockHeader {
			return 0, nil, errZstdFrame
		}
		header := uint32(binary.LittleEndian.Uint16(src)) | uint32(src[2])<<16
		last = header&1 != 0
		size := int(header >> 3)
		stored := size
		switch header >> 1 & 3 {
		case 0: // raw
			most += int64(size)
		case 1: // RLE: one byte that is repeated
			most, stored = most+int64(size), 1
		default:
			most += zstdMaxBlock
		}
		src = src[zstdBlockHeader:]
		if len(src) < stored {
			return 0, nil, errZstdFrame
		}
		src = src[stored:]
	}
	if checksum {
		if len(src) < 4 {
			return 0, nil, errZstdFrame
		}
		src = src[4:]
	}
	return most, src, nil
}
