package codec

import (
	"bytes"
	"encoding/binary"
	"sync"

	"github.com/pierrec/lz4/v4"

	"github.com/parquetsql/parquetsql/fileformat"
)

// Each extra byte of its length makes the match of an LZ4 sequence up to 255 bytes
// longer; token and offset alone (3 bytes) allow 19.
const (
	lz4Ratio = 255
	lz4Slack = 64
)

// decompressLZ4Raw decodes one LZ4 block (lz4_Block_format.md).
func decompressLZ4Raw(dst, src []byte, size int) ([]byte, error) {
	dst, err := sized(fileformat.LZ4Raw, dst, src, size)
	if err != nil {
		return nil, err
	}
	n, err := lz4.UncompressBlock(src, dst)
	if err != nil {
		return nil, err
	}
	if n != size {
		return nil, errShort
	}
	return dst, nil
}

// decompressLZ4 decodes the deprecated codec 5, for which writers use three layouts:
// parquet-mr has Hadoop's framing, some writers have LZ4 frames, and parquet-cpp
// before 2019 has one block without framing. Each layout is tried in turn and must give exactly
// size bytes from all of src, so a wrong layout is practically impossible: an unframed
// block that is valid in Hadoop's framing would have to begin with a length of at
// most size, followed by a length of at most len(src).
func decompressLZ4(dst, src []byte, size int, look *looks) ([]byte, error) {
	if len(src) >= 4 && isLZ4Frame(binary.LittleEndian.Uint32(src)) {
		if out, err := decompressLZ4Frame(dst, src, size, look); err == nil || look.err != nil {
			return out, err
		}
	}
	dst, err := sized(fileformat.LZ4, dst, src, size)
	if err != nil {
		return nil, err
	}
	if err := hadoopBlocks(dst, src, look, lz4.UncompressBlock); err == nil || look.err != nil {
		return dst, err
	}
	return decompressLZ4Raw(dst, src, size)
}

// isLZ4Frame checks for the magic numbers of lz4_Frame_format.md: a frame, a
// skippable frame, a legacy frame.
func isLZ4Frame(magic uint32) bool {
	return magic == 0x184D2204 || magic>>4 == 0x184D2A5 || magic == 0x184C2102
}

type lz4FrameDecoder struct {
	in  bytes.Reader
	out *lz4.Reader
}

var lz4FrameDecoders = sync.Pool{New: func() any { return &lz4FrameDecoder{out: lz4.NewReader(nil)} }}

func decompressLZ4Frame(dst, src []byte, size int, look *looks) ([]byte, error) {
	d := lz4FrameDecoders.Get().(*lz4FrameDecoder)
	d.in.Reset(src)
	d.out.Reset(&d.in)
	out, err := readAll(d.out, dst, src, size, look)
	d.in.Reset(nil)
	if err != nil {
		return nil, err // the decoder is in an unknown state: not pooled
	}
	lz4FrameDecoders.Put(d)
	return out, nil
}
