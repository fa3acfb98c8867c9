package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math/bits"
	"slices"
)

// Encoders of values and levels (Encodings.md), and compressors that do not
// compress: they write literals only, which every decoder must accept.

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// prefixed prepends the length.
func prefixed(b []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

func plainInt32(values ...int32) []byte {
	var out []byte
	for _, v := range values {
		out = binary.LittleEndian.AppendUint32(out, uint32(v))
	}
	return out
}

func plainInt64(values ...int64) []byte {
	var out []byte
	for _, v := range values {
		out = binary.LittleEndian.AppendUint64(out, uint64(v))
	}
	return out
}

func plainBytes(values ...string) []byte {
	var out []byte
	for _, v := range values {
		out = append(out, prefixed([]byte(v))...)
	}
	return out
}

// run is an RLE run; the value takes as many bytes as are given.
func run(n uint64, value ...byte) []byte { return append(uvarint(n<<1), value...) }

// packedRun is a bit-packed run; the last group of eight is filled with zeros.
func packedRun(width int, values ...uint64) []byte {
	groups := (len(values) + 7) / 8
	padded := append(slices.Clone(values), make([]uint64, groups*8-len(values))...)
	return append(uvarint(uint64(groups)<<1|1), packLSB(width, padded)...)
}

// packLSB fills each byte from its least significant bit.
func packLSB(width int, values []uint64) []byte {
	out := make([]byte, (width*len(values)+7)/8)
	for i, v := range values {
		for k := range width {
			if at := i*width + k; v>>k&1 != 0 {
				out[at/8] |= 1 << (at % 8)
			}
		}
	}
	return out
}

// packMSB is the deprecated BIT_PACKED encoding of levels.
func packMSB(width int, values ...uint64) []byte {
	out := make([]byte, (width*len(values)+7)/8)
	for i, v := range values {
		for k := range width {
			if at := i*width + k; v>>(width-1-k)&1 != 0 {
				out[at/8] |= 0x80 >> (at % 8)
			}
		}
	}
	return out
}

// codes is the values section of a dictionary-coded page: runs of one code each.
func codes(values ...byte) []byte {
	out := []byte{8}
	for _, v := range values {
		out = append(out, run(1, v)...)
	}
	return out
}

// deltaHeader is the header of DELTA_BINARY_PACKED.
func deltaHeader(block, minis, total uint64, first int64) []byte {
	return join(uvarint(block), uvarint(minis), uvarint(total), zigzag(first))
}

// delta is DELTA_BINARY_PACKED. width returns the bit width of the n-th miniblock,
// given the least that suffices; nil uses the least. A smaller width cuts bits off,
// which is correct for differences of INT32 that wrap around.
func delta(block, minis int, width func(n, least int) int, values ...int64) []byte {
	if len(values) == 0 {
		return deltaHeader(uint64(block), uint64(minis), 0, 0)
	}
	out := deltaHeader(uint64(block), uint64(minis), uint64(len(values)), values[0])
	per, ordinal := block/minis, 0
	for at := 1; at < len(values); at += block {
		deltas := make([]int64, 0, block)
		for i := at; i < min(at+block, len(values)); i++ {
			deltas = append(deltas, values[i]-values[i-1])
		}
		least := slices.Min(deltas)
		out = append(out, zigzag(least)...)
		widths, bodies := make([]byte, minis), []byte(nil)
		for m := 0; m*per < len(deltas); m++ {
			packed := make([]uint64, per)
			need := 0
			for i, d := range deltas[m*per : min((m+1)*per, len(deltas))] {
				packed[i] = uint64(d) - uint64(least)
				need = max(need, bits.Len64(packed[i]))
			}
			if width != nil {
				need = width(ordinal, need)
			}
			widths[m] = byte(need)
			bodies = append(bodies, packLSB(need, packed)...)
			ordinal++
		}
		out = append(append(out, widths...), bodies...)
	}
	return out
}

// small is delta with the usual block size.
func small(values ...int64) []byte { return delta(128, 4, nil, values...) }

func asSnappy(b []byte) []byte {
	out := uvarint(uint64(len(b)))
	for ; len(b) > 0; b = b[min(60, len(b)):] {
		n := min(60, len(b))
		out = append(append(out, byte(n-1)<<2), b[:n]...)
	}
	return out
}

func asGzip(b []byte) []byte {
	var out bytes.Buffer
	w := value(gzip.NewWriterLevel(&out, gzip.BestCompression))
	value(w.Write(b))
	must(w.Close())
	return out.Bytes()
}

// asLZ4 is an LZ4 block of literals.
func asLZ4(b []byte) []byte {
	n := len(b)
	if n < 15 {
		return append([]byte{byte(n) << 4}, b...)
	}
	out := []byte{0xf0}
	for n -= 15; n >= 255; n -= 255 {
		out = append(out, 255)
	}
	return append(append(out, byte(n)), b...)
}

// inHadoop is the framing of Hadoop's codecs: one block of one chunk.
func inHadoop(pack func([]byte) []byte) func([]byte) []byte {
	return func(b []byte) []byte {
		chunk := pack(b)
		out := binary.BigEndian.AppendUint32(nil, uint32(len(b)))
		return append(binary.BigEndian.AppendUint32(out, uint32(len(chunk))), chunk...)
	}
}

// asLZ4Frame is a frame (lz4_Frame_format.md) of one stored block. Its only
// checksum is that of the header.
func asLZ4Frame(b []byte) []byte {
	out := []byte{0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82}
	out = binary.LittleEndian.AppendUint32(out, uint32(len(b))|1<<31)
	return append(append(out, b...), 0, 0, 0, 0)
}

// asLZO is LZO1X: one run of 4 to 238 literals and the end marker.
func asLZO(b []byte) []byte {
	return join([]byte{byte(17 + len(b))}, b, []byte{0x11, 0, 0})
}

// asBrotli is one uncompressed meta-block and an empty last one (RFC 7932):
// a bit of window size, ISLAST, two bits for four nibbles of length,
// the length less one, ISUNCOMPRESSED.
func asBrotli(b []byte) []byte {
	head := uint32(len(b)-1)<<4 | 1<<20
	return join([]byte{byte(head), byte(head >> 8), byte(head >> 16)}, b, []byte{3})
}

// asZstd is a frame of one raw block with its content size (RFC 8878).
func asZstd(b []byte) []byte { return zstdFrame(uint32(len(b)), zstdBlock(true, 0, len(b)), b) }

// zstdFrame is a single segment: its window is its content.
func zstdFrame(size uint32, blocks ...[]byte) []byte {
	head := binary.LittleEndian.AppendUint32([]byte{0x28, 0xb5, 0x2f, 0xfd, 0xa0}, size)
	return append(head, join(blocks...)...)
}

// zstdBlock is a block's header; kind 0 is raw, 1 a repeated byte.
func zstdBlock(last bool, kind, size int) []byte {
	h := uint32(kind)<<1 | uint32(size)<<3
	if last {
		h |= 1
	}
	return []byte{byte(h), byte(h >> 8), byte(h >> 16)}
}

// packers has a compressor for each codec.
var packers = []struct {
	name  string
	codec int32
	pack  func([]byte) []byte
}{
	{"snappy", snappy, asSnappy}, {"gzip", gzipped, asGzip}, {"lzo", lzo, asLZO}, {"brotli", brotli, asBrotli},
	{"lz4", lz4, inHadoop(asLZ4)}, {"zstd", zstd, asZstd}, {"lz4raw", lz4Raw, asLZ4},
}
