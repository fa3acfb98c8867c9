package codec

import (
	"errors"
	"sync"
)

var (
	errBrotliMore     = errors.New("brotli: data behind the stream")
	errBrotliWindow   = errors.New("brotli: window of unknown size")
	errBrotliReserved = errors.New("brotli: a reserved bit is set")
	errBrotliLength   = errors.New("brotli: length of a meta-block has leading zeros")
)

// brotliDecoder decodes one stream of RFC 7932 from one slice into another; the
// sections named here and in the other files are of this document. The output is
// its own window. It grows up to size as it is produced.
//
// What breaks a rule of the document is an error, up to bits that only fill a byte
// up. Not asked is whether each of the codes and types that a header announces is
// used: the library does not either, and nothing depends on it.
//
// A stream is a sequence of meta-blocks, each with codes of its own, and is
// decoded thus:
//
//	brotli.go             the stream, headers of meta-blocks, those without commands
//	brotli_bits.go        bits of the input
//	brotli_codes.go       prefix codes and their tables
//	brotli_blocks.go      block types, and which code is for which context
//	brotli_commands.go    commands: the loop in which the time goes
//	brotli_copies.go      what the commands' symbols stand for
//	brotli_dictionary.go  words of the static dictionary
//	brotli_transforms.go  what is done to a word
type brotliDecoder struct {
	brotliBits
	dst    []byte
	out    int
	size   int // most output
	window int // how far back a copy may reach

	recent [4]int // distances; next counts those that were put there
	next   uint

	brotliCodes
	literals, commands, distances brotliBlocks

	modes         [256]uint8 // context mode of each type of literals
	literalTrees  []uint32   // where the table for each type and context is, 64 to a type
	literalPlain  [256]bool  // those of the type are all the same
	distanceTrees []uint32   // 4 to a type
	commandTrees  []uint32   // one to a type
	trees         []uint32

	symbols  [16 + 120 + 48<<3]uint64 // of distances, with these parameters
	postfix  uint
	direct   uint
	prepared bool
}

var brotliDecoders = sync.Pool{New: func() any { return new(brotliDecoder) }}

// decompressBrotli decodes one stream, behind which nothing may follow.
func decompressBrotli(dst, src []byte, size int) ([]byte, error) {
	d := brotliDecoders.Get().(*brotliDecoder)
	defer func() {
		d.src, d.dst = nil, nil
		brotliDecoders.Put(d)
	}()
	if err := d.decode(dst, src, size); err != nil {
		return nil, err
	}
	if d.out != size {
		return nil, errShort
	}
	return d.dst[:d.out], nil
}

// decode gives d.out bytes in d.dst, at most size of them.
func (d *brotliDecoder) decode(dst, src []byte, size int) error {
	d.brotliBits = brotliBits{src: src}
	d.dst, d.out, d.size = growing(dst, src, size), 0, size
	if err := d.stream(); err != nil {
		return err
	}
	if d.in != len(src) {
		return errBrotliMore
	}
	return nil
}

// stream decodes a stream up to the byte behind it (section 9).
func (d *brotliDecoder) stream() error {
	bits := d.windowBits()
	if bits == 0 {
		return errBrotliWindow
	}
	d.window = 1<<bits - 16
	// The first distances, the last one last (section 4).
	d.recent, d.next = [4]int{16, 15, 11, 4}, 4
	for last := false; !last; {
		if last = d.take(1) != 0; last && d.take(1) != 0 {
			break // the empty one
		}
		if err := d.metaBlock(last); err != nil {
			return err
		}
	}
	return d.align()
}

// windowBits reads the window's size (section 9.1), or 0. The extension for large
// windows uses a pattern that is invalid in RFC 7932, and here.
func (d *brotliDecoder) windowBits() uint {
	if d.take(1) == 0 {
		return 16
	}
	if n := d.take(3); n != 0 {
		return 17 + n
	}
	switch n := d.take(3); n {
	case 0:
		return 17
	case 1:
		return 0
	default:
		return 8 + n
	}
}

// metaBlock decodes one meta-block behind ISLAST and ISLASTEMPTY (section 9.2).
func (d *brotliDecoder) metaBlock(last bool) error {
	nibbles := 4 + d.take(2)
	if nibbles == 7 {
		return d.metadata()
	}
	length := d.take(4 * nibbles)
	if nibbles > 4 && length>>(4*nibbles-4) == 0 {
		return errBrotliLength
	}
	length++
	switch {
	case d.over():
		return errBrotliInput
	case length > uint(d.size-d.out):
		return errTooLong
	case !last && d.take(1) != 0:
		return d.uncompressed(int(length))
	}
	if err := d.header(); err != nil {
		return err
	}
	return d.run(d.out + int(length))
}

// metadata passes over a meta-block without content.
func (d *brotliDecoder) metadata() error {
	if d.take(1) != 0 {
		return errBrotliReserved
	}
	n := d.take(2)
	length := d.take(8 * n)
	if n > 1 && length>>(8*n-8) == 0 {
		return errBrotliLength
	}
	if n > 0 {
		length++
	}
	if err := d.align(); err != nil {
		return err
	}
	if length > uint(len(d.src)-d.in) {
		return errBrotliInput
	}
	d.in += int(length)
	return nil
}

// uncompressed copies n bytes that stand in the input.
func (d *brotliDecoder) uncompressed(n int) error {
	if err := d.align(); err != nil {
		return err
	}
	if n > len(d.src)-d.in {
		return errBrotliInput
	}
	if err := d.room(n); err != nil {
		return err
	}
	copy(d.dst[d.out:], d.src[d.in:d.in+n])
	d.in, d.out = d.in+n, d.out+n
	return nil
}

// room makes sure that n bytes of output fit.
func (d *brotliDecoder) room(n int) (err error) {
	d.dst, err = room(d.dst, d.out, n, d.size)
	return err
}
