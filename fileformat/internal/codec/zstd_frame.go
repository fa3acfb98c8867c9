package codec

import (
	"encoding/binary"
	"errors"
)

var (
	errZstdHeader     = errors.New("zstd: invalid frame header")
	errZstdWindow     = errors.New("zstd: window of more than 2 GiB")
	errZstdDictionary = errors.New("zstd: frame needs a dictionary")
)

// The constants of frames and blocks (RFC 8878, sections 3.1.1 and 3.1.2).
const (
	zstdMagic       = 0xFD2FB528
	zstdSkippable   = 0x184D2A50 // and the 15 numbers behind it
	zstdMinWindow   = 1 << 10
	zstdMaxWindow   = 1 << 31 // ours: no page is longer
	zstdMaxBlock    = 128 << 10
	zstdBlockHeader = 3
	zstdChecksum    = 4
)

// zstdHeader is what a frame begins with.
type zstdHeader struct {
	size      int // of the header, or of the whole frame where it is skippable
	skippable bool
	window    uint64
	sized     bool // content is stated
	content   uint64
	checksum  bool
}

// block is the most that a block of the frame may stand for.
func (h *zstdHeader) block() int { return int(min(h.window, zstdMaxBlock)) }

// readZstdHeader reads the header of a frame (sections 3.1.1.1 and 3.1.2). The
// descriptor behind the magic number says which fields there are:
//
//	bits 0 and 1  0, 1, 2 or 4 bytes of a dictionary's number
//	bit 2         a checksum behind the last block
//	bit 3         0
//	bit 5         no window: it is as long as the content
//	bits 6 and 7  0, 2, 4 or 8 bytes of the content's length, or 1 for 0 without a window
func readZstdHeader(src []byte) (h zstdHeader, err error) {
	if len(src) < 5 {
		return h, errZstdHeader
	}
	magic := binary.LittleEndian.Uint32(src)
	if magic&^15 == zstdSkippable {
		if len(src) < 8 || uint64(len(src)-8) < uint64(binary.LittleEndian.Uint32(src[4:])) {
			return h, errZstdInput
		}
		return zstdHeader{skippable: true, size: 8 + int(binary.LittleEndian.Uint32(src[4:]))}, nil
	}
	descriptor := src[4]
	if magic != zstdMagic || descriptor&8 != 0 {
		return h, errZstdHeader
	}
	single := descriptor&32 != 0
	h.checksum, h.sized = descriptor&4 != 0, single || descriptor>>6 != 0
	window, dictionary, content := 1, [4]int{0, 1, 2, 4}[descriptor&3], [4]int{0, 2, 4, 8}[descriptor>>6]
	if single {
		window, content = 0, max(content, 1)
	}
	at := 5 + window + dictionary
	if h.size = at + content; h.size > len(src) {
		return h, errZstdInput
	}
	if zstdNumber(src[at-dictionary:at]) != 0 {
		return h, errZstdDictionary
	}
	if h.content = zstdNumber(src[at:h.size]); content == 2 {
		h.content += 256
	}
	h.window = max(h.content, zstdMinWindow)
	if !single {
		h.window = uint64(8+src[5]&7) << (7 + src[5]>>3)
	}
	if h.window > zstdMaxWindow {
		return h, errZstdWindow
	}
	return h, nil
}

// zstdNumber is the little-endian number of up to eight bytes.
func zstdNumber(b []byte) uint64 {
	var whole [8]byte
	copy(whole[:], b)
	return binary.LittleEndian.Uint64(whole[:])
}

// The types of blocks.
const (
	zstdRaw = iota
	zstdRLE
	zstdCompressed
)

// zstdBlock is the header of a block (section 3.1.1.2): whether it is the last
// in bit 0, its type in bits 1 and 2, its length in bits 3 to 23.
type zstdBlock struct {
	last   bool
	kind   uint32
	stored int // number of bytes that follow
	size   int // what they stand for, or the most that they may
}

// readZstdBlock reads the header of a block that is to stand for most bytes at most.
func readZstdBlock(src []byte, most int) (zstdBlock, error) {
	if len(src) < zstdBlockHeader {
		return zstdBlock{}, errZstdInput
	}
	header := uint32(binary.LittleEndian.Uint16(src)) | uint32(src[2])<<16
	n := int(header >> 3)
	b := zstdBlock{last: header&1 != 0, kind: header >> 1 & 3, stored: n, size: n}
	switch b.kind {
	case zstdRLE:
		b.stored = 1
	case zstdCompressed:
		b.size = most
	}
	switch {
	case b.kind > zstdCompressed || n > most:
		return b, errZstdBlock
	case b.stored > len(src)-zstdBlockHeader:
		return b, errZstdInput
	}
	return b, nil
}

// zstdMost is an upper bound of what the frames of src decode to, taken from
// the headers of frames and blocks.
func zstdMost(src []byte) (total int64, err error) {
	for len(src) > 0 {
		h, err := readZstdHeader(src)
		if err != nil {
			return 0, err
		}
		src = src[h.size:]
		if h.skippable {
			continue
		}
		blocks := int64(0)
		for last := false; !last; {
			b, err := readZstdBlock(src, h.block())
			if err != nil {
				return 0, err
			}
			blocks += int64(b.size)
			src, last = src[zstdBlockHeader+b.stored:], b.last
		}
		if h.sized && h.content < uint64(blocks) {
			blocks = int64(h.content)
		}
		if h.checksum {
			if len(src) < zstdChecksum {
				return 0, errZstdInput
			}
			src = src[zstdChecksum:]
		}
		total += blocks
	}
	return total, nil
}
