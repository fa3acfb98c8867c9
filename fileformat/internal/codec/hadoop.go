package codec

import (
	"encoding/binary"
	"errors"
)

var errHadoop = errors.New("not in Hadoop's framing")

// hadoopBlocks decodes the framing of Hadoop's BlockCompressorStream, which
// LZ4 and LZO pages have; all numbers are big-endian:
//
//	block := length of the block's data (4 bytes), chunk…
//	chunk := length of what follows (4 bytes), compressed bytes
//
// The data of a block is that of its chunks, one after the other. Almost always there
// is one block of one chunk. dst must be filled exactly and src must be used up.
// decode decompresses its second argument into its first and returns the length.
func hadoopBlocks(dst, src []byte, look *looks, decode func(src, dst []byte) (int, error)) error {
	size := len(dst)
	for len(src) > 0 {
		block, rest, ok := bigEndianLength(src)
		if !ok || block > len(dst) {
			return errHadoop
		}
		src = rest
		for left := dst[:block]; len(left) > 0; {
			if err := look.at(size - len(dst) + block - len(left)); err != nil {
				return err
			}
			chunk, rest, ok := bigEndianLength(src)
			if !ok || chunk > len(rest) {
				return errHadoop
			}
			n, err := decode(rest[:chunk], left)
			if err != nil {
				return err
			}
			if n == 0 { // empty chunks would never fill a block
				return errHadoop
			}
			left, src = left[n:], rest[chunk:]
		}
		dst = dst[block:]
	}
	if len(dst) > 0 {
		return errShort
	}
	return nil
}

// bigEndianLength reads a length and returns the bytes after it, too.
func bigEndianLength(src []byte) (n int, rest []byte, ok bool) {
	if len(src) < 4 {
		return 0, nil, false
	}
	v := binary.BigEndian.Uint32(src)
	if v > 1<<31-1 {
		return 0, nil, false
	}
	return int(v), src[4:], true
}
