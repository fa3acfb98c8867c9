package codec

import (
	"errors"

	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

var (
	errBrotliEnd      = errors.New("brotli: command goes over the end of its meta-block")
	errBrotliDistance = errors.New("brotli: distance that is not positive")
)

// run decodes the commands of a meta-block that ends where the output is end bytes
// long (section 9.3). Each is a number of literals and a copy; the last one may end
// behind its literals.
//
// The loop takes its input eight bytes at a time, and zeros behind the end: whether
// it went over that is looked at once a command, and within literals, which may
// be many. Each command gives output or takes bits: words that their
// transformation leaves nothing of have distances of many bits.
//
// It is one function, and takes its bits where it needs them, because its time is
// a few nanoseconds for each of a command's parts: that much a call costs to which
// the state of the input has to be passed and given back.
func (d *brotliDecoder) run(end int) error {
	src, dst := d.src, d.dst
	in, out, bits, count := d.in, d.out, d.bits, d.count
	recent, next := d.recent, d.next
	literals := d.literalContexts()
	commands := d.commandTable[d.commandTrees[0]:]
	distances := d.distanceTrees
	for out < end {
		if in <= len(src)-8 {
			bits |= le.Uint64(src, in) << (count & 63)
			in += int(63-count) / 8
			count |= 56
		} else if bits, in, count = brotliEdge(src, bits, in, count); in-int(count/8) > len(src) {
			return errBrotliInput
		}
		if d.commands.left == 0 {
			d.in, d.bits, d.count = in, bits, count
			d.nextBlock(&d.commands)
			d.fill()
			in, bits, count = d.in, d.bits, d.count
			commands = d.commandTable[d.commandTrees[d.commands.current]:]
		}
		d.commands.left--

		// A code of 15 bits and 24 bits for the literals are within the 56 bits.
		command := commands[bits&(1<<brotliCommandBits-1)]
		if command&brotliLong != 0 {
			command = commands[command>>brotliValue+bits>>brotliCommandBits&(1<<(command&15)-1)]
		}
		bits >>= command & 15
		count -= uint(command & 15)
		extra := uint(command >> brotliInsertExtra & 31)
		insert := int(command>>brotliInsert&0xFFFF) + int(bits&(1<<extra-1))
		bits >>= extra
		count -= extra
		extra = uint(command >> brotliCopyExtra & 31)
		if count < extra {
			bits, in, count = brotliFill(src, bits, in, count)
		}
		length := int(command>>brotliCopy) + int(bits&(1<<extra-1))
		bits >>= extra
		count -= extra

		if insert > end-out {
			return errBrotliEnd
		}
		for insert > 0 {
			if d.literals.left == 0 {
				d.in, d.bits, d.count = in, bits, count
				d.nextBlock(&d.literals)
				in, bits, count = d.in, d.bits, d.count
				literals = d.literalContexts()
			}
			// That many literals need not be there, so the output does not grow for all
			// of them at once. (Those of a code of one symbol take no bits: then it grows
			// by as much as there is of it, over and over.)
			if out == len(dst) {
				d.out = out
				if err := d.room(1); err != nil {
					return err
				}
				dst = d.dst
			}
			n := min(insert, d.literals.left, len(dst)-out)
			d.literals.left -= n
			insert -= n
			to := out + n
			if literals.plain {
				table := literals.table
				for out < to {
					if in <= len(src)-8 {
						bits |= le.Uint64(src, in) << (count & 63)
						in += int(63-count) / 8
						count |= 56
					} else if bits, in, count = brotliEdge(src, bits, in, count); in-int(count/8) > len(src) {
						return errBrotliInput
					}
					// Three codes of at most 15 bits are within the 56 bits.
					for range min(3, to-out) {
						e := table[bits&(1<<brotliLiteralBits-1)]
						if e&brotliLong != 0 {
							e = table[uint64(e>>brotliValue)+bits>>brotliLiteralBits&(1<<(e&15)-1)]
						}
						bits >>= e & 15
						count -= uint(e & 15)
						dst[out] = byte(e >> brotliValue)
						out++
					}
				}
				continue
			}
			table, before, last := d.literalTable, byte(0), byte(0)
			if out > 1 {
				before = dst[out-2]
			}
			if out > 0 {
				last = dst[out-1]
			}
			for ; out < to; out++ {
				if count < maxCode {
					if bits, in, count = brotliFill(src, bits, in, count); in-int(count/8) > len(src) {
						return errBrotliInput
					}
				}
				tree := uint64(literals.trees[(literals.last[last]|literals.before[before])&63])
				e := table[tree+bits&(1<<brotliLiteralBits-1)]
				if e&brotliLong != 0 {
					e = table[tree+uint64(e>>brotliValue)+bits>>brotliLiteralBits&(1<<(e&15)-1)]
				}
				bits >>= e & 15
				count -= uint(e & 15)
				before, last = last, byte(e>>brotliValue)
				dst[out] = last
			}
		}
		if out == end {
			break
		}

		distance := recent[(next-1)&3]
		isNew := false
		if command&brotliAgain == 0 {
			if d.distances.left == 0 {
				d.in, d.bits, d.count = in, bits, count
				d.nextBlock(&d.distances)
				in, bits, count = d.in, d.bits, d.count
				distances = d.distanceTrees[4*d.distances.current:]
			}
			d.distances.left--
			// A code of 15 bits and 24 bits behind it are within the 56 bits.
			if in <= len(src)-8 {
				bits |= le.Uint64(src, in) << (count & 63)
				in += int(63-count) / 8
				count |= 56
			} else {
				bits, in, count = brotliEdge(src, bits, in, count)
			}
			tree := uint64(distances[command>>brotliContext&3])
			e := d.distanceTable[tree+bits&(1<<brotliDistanceBits-1)]
			if e&brotliLong != 0 {
				e = d.distanceTable[tree+e>>brotliValue+bits>>brotliDistanceBits&(1<<(e&15)-1)]
			}
			bits >>= e & 15
			count -= uint(e & 15)
			if e&brotliRecent != 0 {
				back := uint(e >> brotliDistance & 7)
				more := int(e>>brotliDistance>>3) - 3
				distance = recent[(next-back)&3] + more
				isNew = back != 1 || more != 0
				if distance <= 0 {
					return errBrotliDistance
				}
			} else {
				extra = uint(e >> brotliDistanceExtra & 31)
				distance = int(e>>brotliDistance) + int(bits&(1<<extra-1)<<d.postfix)
				bits >>= extra
				count -= extra
				isNew = true
			}
		}

		if reach := min(out, d.window); distance > reach {
			d.out = out
			if err := d.word(length, distance-reach-1, end); err != nil {
				return err
			}
			dst, out = d.dst, d.out
			continue
		}
		if isNew {
			recent[next&3] = distance
			next++
		}
		if length > end-out {
			return errBrotliEnd
		}
		to := out
		out += length
		if out > len(dst)-16 {
			d.out = to
			if err := d.room(length); err != nil {
				return err
			}
			dst = d.dst
			repeat(dst[to-distance:out], distance)
			continue
		}
		if distance >= 16 {
			for ; to < out; to += 16 {
				le.Move16(dst, to, dst, to-distance)
			}
			continue
		}
		moveNear(dst, to, distance, out)
	}
	d.in, d.out, d.bits, d.count = in, out, bits, count
	d.recent, d.next = recent, next
	return nil
}

// brotliFill makes sure of at least 56 bits.
func brotliFill(src []byte, bits uint64, in int, count uint) (uint64, int, uint) {
	if in > len(src)-8 {
		return brotliEdge(src, bits, in, count)
	}
	return bits | le.Uint64(src, in)<<(count&63), in + int(63-count)/8, count | 56
}

// brotliLiterals say how the literals of one type are decoded: by one table, or by
// that of the context, to which the two bytes before add up.
type brotliLiterals struct {
	plain        bool
	table        []uint16
	trees        *[64]uint32
	last, before *[256]uint8
}

func (d *brotliDecoder) literalContexts() brotliLiterals {
	t := d.literals.current
	trees := (*[64]uint32)(d.literalTrees[64*t:])
	mode := &brotliContexts[d.modes[t]]
	return brotliLiterals{d.literalPlain[t], d.literalTable[trees[0]:], trees, &mode[0], &mode[1]}
}
