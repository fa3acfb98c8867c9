package codec

import (
	"errors"
	"fmt"

	"github.com/klauspost/compress/huff0"
)

var (
	errZstdLiterals = errors.New("zstd: literals of another length than stated")
	errZstdRepeat   = errors.New("zstd: block repeats a code that no block before has")
)

// The types of literals.
const (
	zstdLiteralsRaw = iota
	zstdLiteralsRLE
	zstdLiteralsCompressed
	zstdLiteralsTreeless
)

// readLiterals decodes the literals that a block up to end begins with (RFC
// 8878, section 3.1.1.3.1). From the lowest bit on their header is:
//
//	2 bits  type
//	2 bits  format, of which stored literals have only the lower bit where that is 0
//	n bits  number of literals
//	n bits  number of bytes that they are compressed to
func (d *zstdDecoder) readLiterals(end int) error {
	src := d.src[d.in:end]
	h := zstdNumber(src[:min(len(src), 5)])
	kind, format := h&3, h>>2&3
	var bits, length int
	if kind < zstdLiteralsCompressed {
		bits, length = [4]int{5, 12, 5, 20}[format], [4]int{1, 2, 1, 3}[format]
		h >>= 3 + format&1
	} else {
		bits, length = [4]int{10, 10, 14, 18}[format], [4]int{3, 3, 4, 5}[format]
		h >>= 4
	}
	size := int(h & (1<<bits - 1))
	stored := size
	switch kind {
	case zstdLiteralsRLE:
		stored = 1
	case zstdLiteralsCompressed, zstdLiteralsTreeless:
		stored = int(h >> bits & (1<<bits - 1))
	}
	switch {
	case stored > len(src)-length:
		return errZstdInput
	case size > d.most:
		return errZstdBlock
	}
	d.in += length + stored
	src = src[length:]
	d.literal = 0
	switch kind {
	case zstdLiteralsRaw:
		d.literals = src[:size]
		return nil
	case zstdLiteralsRLE:
		d.literals = d.buffer[:size]
		fill(d.literals, src[0])
		return nil
	}
	return d.huffman(src[:stored], size, kind == zstdLiteralsTreeless, format == 0)
}

// huffman decodes size literals from one stream or from four, of which each but
// the last has a quarter. Decoders take the capacity for the number.
func (d *zstdDecoder) huffman(src []byte, size int, treeless, one bool) (err error) {
	if !treeless {
		if d.tree, src, err = huff0.ReadTable(src, d.tree); err != nil {
			return fmt.Errorf("zstd: code of literals: %w", err)
		}
		d.hasTree = true
	} else if !d.hasTree {
		return errZstdRepeat
	}
	decompress := d.tree.Decoder().Decompress4X
	if one {
		decompress = d.tree.Decoder().Decompress1X
	}
	out, err := decompress(d.buffer[:0:size], src)
	switch {
	case err != nil:
		return fmt.Errorf("zstd: literals: %w", err)
	case len(out) != size:
		return errZstdLiterals
	}
	d.literals = d.buffer[:size]
	return nil
}
