package codec

import (
	"errors"

	"github.com/parquetsql/parquetsql/fileformat"
)

var (
	errLZOInput    = errors.New("lzo: data ends inside an instruction")
	errLZOOutput   = errors.New("lzo: data is longer than stated")
	errLZODistance = errors.New("lzo: match reaches before the start of the data")
	errLZOEnd      = errors.New("lzo: data after the end marker")
)

// decompressLZO decodes LZO1X, in Hadoop's framing (Hadoop's LzoCodec, which
// parquet-mr uses) or without it.
func decompressLZO(dst, src []byte, size int, look *looks) ([]byte, error) {
	dst, err := sized(fileformat.LZO, dst, src, size)
	if err != nil {
		return nil, err
	}
	if err := hadoopBlocks(dst, src, look, lzoBlock); err == nil || look.err != nil {
		return dst, err
	}
	n, err := lzoBlock(src, dst)
	if err != nil {
		return nil, err
	}
	if n != size {
		return nil, errShort
	}
	return dst, nil
}

// lzoState is the number of literals at the end of the last instruction. The meaning
// of an instruction below 16 depends on it.
type lzoState uint8

const lzoLong lzoState = 4 // a run of 4 or more, as an instruction of its own

// lzoBlock decodes one LZO1X stream from src into dst and returns the number of bytes
// written. The stream is a sequence of instructions. D are bits of a distance
// counted back from the end of the output, L of a length, S the number of
// literals (0 to 3) that follow the match:
//
//	0000LLLL                     after no literals: run of 3+L literals (L=0: 18+extension)
//	0000DDSS HHHHHHHH            after 1 to 3 literals: match of 2, distance 1+D+4H
//	0000DDSS HHHHHHHH            after a run: match of 3, distance 2049+D+4H
//	0001HLLL DDDDDDSS DDDDDDDD   match of 2+L (L=0: 9+extension), distance 16384+16384H+D;
//	                             a distance of 16384 ends the stream
//	001LLLLL DDDDDDSS DDDDDDDD   match of 2+L (L=0: 33+extension), distance 1+D
//	01LDDDSS HHHHHHHH            match of 3+L, distance 1+D+8H
//	1LLDDDSS HHHHHHHH            match of 5+L, distance 1+D+8H
//
// An extension is a number of zero bytes, which count 255 each, and then a byte that
// is not zero; it comes before the distance. If the first byte of the stream is N > 17,
// a run of N-17 literals follows. (There is no specification; this is the form
// described in the Linux kernel's documentation, "LZO stream format".)
func lzoBlock(src, dst []byte) (int, error) {
	d := lzoDecoder{src: src, dst: dst}
	if len(src) > 0 && src[0] > 17 {
		d.in = 1
		n := int(src[0]) - 17
		if err := d.literals(n); err != nil {
			return 0, err
		}
		d.state = lzoState(min(n, int(lzoLong)))
	}
	for {
		end, err := d.step()
		if err != nil {
			return 0, err
		}
		if end {
			break
		}
	}
	if d.in != len(src) {
		return 0, errLZOEnd
	}
	return d.out, nil
}

type lzoDecoder struct {
	src, dst []byte
	in, out  int // positions in src and dst
	state    lzoState
}

// step executes an instruction; end is true for the end marker.
func (d *lzoDecoder) step() (end bool, err error) {
	op, err := d.next()
	if err != nil {
		return false, err
	}
	var length, distance, literals int
	switch {
	case op >= 64:
		high, err := d.next()
		if err != nil {
			return false, err
		}
		length = 1 + op>>5 // 01L: 3+L, 1LL: 5+L
		distance = 1 + op>>2&7 + high<<3
		literals = op & 3
	case op >= 16:
		if length, distance, literals, err = d.farMatch(op); err != nil {
			return false, err
		}
		if op < 32 && distance == 16384 {
			return true, nil
		}
	case d.state == 0:
		n, err := d.length(op, 15)
		if err != nil {
			return false, err
		}
		d.state = lzoLong
		return false, d.literals(3 + n)
	default:
		high, err := d.next()
		if err != nil {
			return false, err
		}
		length, distance = 2, 1+op>>2+high<<2
		if d.state == lzoLong {
			length, distance = 3, distance+2048
		}
		literals = op & 3
	}
	if err := d.match(length, distance); err != nil {
		return false, err
	}
	d.state = lzoState(literals)
	return false, d.literals(literals)
}

// farMatch reads the operands of an instruction from 16 to 63.
func (d *lzoDecoder) farMatch(op int) (length, distance, literals int, err error) {
	base, mask := 1, 31
	if op < 32 {
		base, mask = 16384+op&8<<11, 7
	}
	if length, err = d.length(op&mask, mask); err != nil {
		return 0, 0, 0, err
	}
	low, err := d.next()
	if err != nil {
		return 0, 0, 0, err
	}
	high, err := d.next()
	if err != nil {
		return 0, 0, 0, err
	}
	return length + 2, base + low>>2 + high<<6, low & 3, nil
}

func (d *lzoDecoder) next() (int, error) {
	if d.in >= len(d.src) {
		return 0, errLZOInput
	}
	b := d.src[d.in]
	d.in++
	return int(b), nil
}

// length returns n, or if n is 0, most plus the extension.
func (d *lzoDecoder) length(n, most int) (int, error) {
	if n != 0 {
		return n, nil
	}
	n = most
	for {
		b, err := d.next()
		if err != nil {
			return 0, err
		}
		if b != 0 {
			return n + b, nil
		}
		if n += 255; n > len(d.dst) {
			return 0, errLZOOutput
		}
	}
}

func (d *lzoDecoder) literals(n int) error {
	switch {
	case n > len(d.src)-d.in:
		return errLZOInput
	case n > len(d.dst)-d.out:
		return errLZOOutput
	}
	copy(d.dst[d.out:], d.src[d.in:d.in+n])
	d.in += n
	d.out += n
	return nil
}

// match copies n bytes of earlier output; source and destination may overlap.
func (d *lzoDecoder) match(n, distance int) error {
	switch {
	case distance > d.out:
		return errLZODistance
	case n > len(d.dst)-d.out:
		return errLZOOutput
	}
	repeat(d.dst[d.out-distance:d.out+n], distance)
	d.out += n
	return nil
}
