package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/huff0"
)

var (
	errZstdInput    = errors.New("zstd: data ends inside a frame")
	errZstdBlock    = errors.New("zstd: block of unknown type, or longer than its frame allows")
	errZstdContent  = errors.New("zstd: frame does not have the length that it states")
	errZstdChecksum = errors.New("zstd: data does not have its checksum")
)

// zstdDecoder decodes frames (RFC 8878, section 3.1.1) from one slice into
// another, which is the window too. What a frame's blocks hand on to the next
// ones are the Huffman code of its literals, the three tables of its sequences
// and the recent offsets.
type zstdDecoder struct {
	src, dst []byte
	in, out  int
	start    int  // of the frame's output
	window   uint // how far back a match may reach
	most     int  // output of a block
	limit    int  // where the block's output must end
	plain    bool // without assembly

	literals []byte // of the block; what its capacity has besides may be looked at
	literal  int    // the next of them
	buffer   [zstdMaxBlock + zstdSlack]byte
	tree     *huff0.Scratch
	hasTree  bool

	runs, offsets, matches zstdTable
	run, offset, match     uint // states, places in these
	recent                 [3]uint

	first int    // byte of the sequences' bits, which are read from the end
	bits  uint64 // the next bits, from the highest down
	count uint   // how many are accounted for: in is where the byte behind them is
}

// zstdSlack is how many bytes are moved where fewer are wanted.
const zstdSlack = 16

var zstdDecoders = sync.Pool{New: func() any { return new(zstdDecoder) }}

// decompressZstd decodes the frames of src one after another.
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
	dst = dst[:size]
	if !zstdAssembly {
		return dst, libraryZstd(dst, src)
	}
	d := zstdDecoders.Get().(*zstdDecoder)
	defer func() {
		d.src, d.dst, d.literals = nil, nil, nil
		zstdDecoders.Put(d)
	}()
	return dst, d.decode(dst, src)
}

// decode fills dst.
func (d *zstdDecoder) decode(dst, src []byte) error {
	d.src, d.dst, d.in, d.out = src[:len(src):len(src)], dst, 0, 0
	for d.in < len(src) {
		h, err := readZstdHeader(src[d.in:])
		if err != nil {
			return err
		}
		d.in += h.size
		if h.skippable {
			continue
		}
		if err := d.frame(h); err != nil {
			return err
		}
	}
	if d.out != len(dst) {
		return errShort
	}
	return nil
}

// frame decodes what follows the header of a frame.
func (d *zstdDecoder) frame(h zstdHeader) error {
	d.start, d.most, d.window = d.out, h.block(), uint(h.window)
	d.hasTree, d.runs.known, d.offsets.known, d.matches.known = false, false, false, false
	d.recent = [3]uint{1, 4, 8}
	for last := false; !last; {
		b, err := readZstdBlock(d.src[d.in:], d.most)
		if err != nil {
			return err
		}
		d.in += zstdBlockHeader
		d.limit = min(len(d.dst), d.out+d.most)
		if err := d.block(b); err != nil {
			return err
		}
		last = b.last
	}
	content := d.dst[d.start:d.out]
	if h.sized && h.content != uint64(len(content)) {
		return errZstdContent
	}
	if !h.checksum {
		return nil
	}
	if len(d.src)-d.in < zstdChecksum {
		return errZstdInput
	}
	if binary.LittleEndian.Uint32(d.src[d.in:]) != uint32(xxhash.Sum64(content)) {
		return errZstdChecksum
	}
	d.in += zstdChecksum
	return nil
}

// block decodes what follows the header of a block.
func (d *zstdDecoder) block(b zstdBlock) error {
	content := d.src[d.in : d.in+b.stored]
	switch b.kind {
	case zstdRaw:
		if len(content) > d.limit-d.out {
			return errTooLong
		}
		d.out += copy(d.dst[d.out:], content)
	case zstdRLE:
		if b.size > d.limit-d.out {
			return errTooLong
		}
		fill(d.dst[d.out:d.out+b.size], content[0])
		d.out += b.size
	default:
		end := d.in + b.stored
		if err := d.readLiterals(end); err != nil {
			return err
		}
		return d.readSequences(end)
	}
	d.in += b.stored
	return nil
}

// fill sets all of b to v.
func fill(b []byte, v byte) {
	if len(b) > 0 {
		b[0] = v
		repeat(b, 1)
	}
}

// full is the error for a block that has more output than there is room for.
func (d *zstdDecoder) full() error {
	if d.limit == len(d.dst) {
		return errTooLong
	}
	return errZstdBlock
}
