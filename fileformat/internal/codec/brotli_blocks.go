package codec

import (
	"errors"
	"math"
	"slices"
)

var errBrotliContexts = errors.New("brotli: context map is longer than it has to be")

// The widths of the first tables: most codes are found there, and a table is
// still made in little time. Of literals and distances there may be many.
const (
	brotliBlockBits    = 8
	brotliLiteralBits  = 9
	brotliCommandBits  = 10
	brotliDistanceBits = 9
)

// brotliBlocks are the blocks of one category: elements in a row of one type, whose
// codes are those of this type (section 6).
type brotliBlocks struct {
	types             uint
	current, previous uint // types
	left              int  // elements of the current block
	kinds, counts     []uint16
}

// readBlocks reads what a meta-block's header has about the types of a category.
func (d *brotliDecoder) readBlocks(b *brotliBlocks) (err error) {
	b.types, b.current, b.previous, b.left = d.number(), 0, 1, math.MaxInt
	if b.types == 1 {
		return nil
	}
	if b.kinds, err = brotliTable(d, b.kinds[:0], brotliBlockBits, brotliPlain[:b.types+2]); err != nil {
		return err
	}
	if b.counts, err = brotliTable(d, b.counts[:0], brotliBlockBits, brotliPlain[:len(brotliCounts)]); err != nil {
		return err
	}
	b.left = d.blockCount(b)
	return nil
}

// number reads a number from 1 to 256.
func (d *brotliDecoder) number() uint {
	if d.take(1) == 0 {
		return 1
	}
	n := d.take(3)
	return 1 + 1<<n + d.take(n)
}

// nextBlock reads the type and the length of the block that follows.
func (d *brotliDecoder) nextBlock(b *brotliBlocks) {
	kind := d.code(b.kinds, brotliBlockBits)
	switch kind {
	case 0:
		kind = b.previous
	case 1:
		if kind = b.current + 1; kind == b.types {
			kind = 0
		}
	default:
		kind -= 2
	}
	b.previous, b.current = b.current, kind
	b.left = d.blockCount(b)
}

func (d *brotliDecoder) blockCount(b *brotliBlocks) int {
	c := brotliCounts[d.code(b.counts, brotliBlockBits)]
	return c.base + int(d.take(c.extra))
}

// brotliCounts are the codes for blocks' lengths.
var brotliCounts = brotliRanges(1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 24)

// brotliRange is what a code for lengths begins at, and how many bits add to that.
type brotliRange struct {
	base  int
	extra uint
}

// brotliRanges are ranges that follow each other.
func brotliRanges(base int, extra ...uint) []brotliRange {
	var ranges []brotliRange
	for _, n := range extra {
		ranges = append(ranges, brotliRange{base, n})
		base += 1 << n
	}
	return ranges
}

// header reads a meta-block's header from the types of blocks on (section 9.2).
func (d *brotliDecoder) header() error {
	for _, b := range []*brotliBlocks{&d.literals, &d.commands, &d.distances} {
		if err := d.readBlocks(b); err != nil {
			return err
		}
	}
	postfix := d.take(2)
	d.prepareDistances(postfix, d.take(4)<<postfix)
	for i := range d.modes[:d.literals.types] {
		d.modes[i] = uint8(d.take(2))
	}
	var literals, distances uint
	var err error
	if d.literalTrees, literals, err = d.contextMap(d.literalTrees, 64*d.literals.types); err != nil {
		return err
	}
	if d.distanceTrees, distances, err = d.contextMap(d.distanceTrees, 4*d.distances.types); err != nil {
		return err
	}
	if d.literalTable, err = brotliTables(d, d.literalTable, brotliLiteralBits, brotliPlain[:256], literals); err != nil {
		return err
	}
	d.resolve(d.literalTrees)
	for i := range d.literals.types {
		of := d.literalTrees[64*i:][:64]
		d.literalPlain[i] = !slices.ContainsFunc(of, func(t uint32) bool { return t != of[0] })
	}
	if d.commandTable, err = brotliTables(d, d.commandTable, brotliCommandBits, brotliCommands[:], d.commands.types); err != nil {
		return err
	}
	d.commandTrees = append(d.commandTrees[:0], d.trees...)
	if d.distanceTable, err = brotliTables(d, d.distanceTable, brotliDistanceBits, d.symbols[:16+d.direct+48<<d.postfix], distances); err != nil {
		return err
	}
	d.resolve(d.distanceTrees)
	return nil
}

// brotliTables reads n codes into one table; d.trees says where each begins.
func brotliTables[E brotliEntry](d *brotliDecoder, table []E, width uint, symbols []E, n uint) (_ []E, err error) {
	table, d.trees = table[:0], d.trees[:0]
	for range n {
		d.trees = append(d.trees, uint32(len(table)))
		if table, err = brotliTable(d, table, width, symbols); err != nil {
			break
		}
	}
	return table, err
}

// resolve replaces the numbers of codes by the places of their tables.
func (d *brotliDecoder) resolve(numbers []uint32) {
	for i, n := range numbers {
		numbers[i] = d.trees[n]
	}
}

// contextMap reads which code is for which type and context (section 7.3) into the
// memory of numbers, and how many codes there are.
func (d *brotliDecoder) contextMap(numbers []uint32, n uint) ([]uint32, uint, error) {
	numbers = slices.Grow(numbers[:0], int(n))[:n]
	clear(numbers)
	trees := d.number()
	if trees == 1 {
		return numbers, 1, nil
	}
	runs := uint(0)
	if d.take(1) != 0 {
		runs = 1 + d.take(4)
	}
	var err error
	if d.small, err = brotliTable(d, d.small[:0], brotliBlockBits, brotliPlain[:trees+runs]); err != nil {
		return numbers, 0, err
	}
	for i := uint(0); i < n; i++ {
		switch s := d.code(d.small, brotliBlockBits); {
		case s > runs:
			numbers[i] = uint32(s - runs)
		case s > 0: // zeros, of which one is counted by the loop
			run := 1<<s + d.take(s)
			if run > n-i {
				return numbers, 0, errBrotliContexts
			}
			i += run - 1
		}
	}
	if d.take(1) != 0 {
		moveToFront(numbers)
	}
	if d.over() {
		return numbers, 0, errBrotliInput
	}
	return numbers, trees, nil
}

// moveToFront replaces each number by what is so far from the front of a list, and
// moves that to the front.
func moveToFront(numbers []uint32) {
	var list [256]uint8
	for i := range list {
		list[i] = uint8(i)
	}
	for i, n := range numbers {
		v := list[n]
		copy(list[1:], list[:n])
		list[0] = v
		numbers[i] = uint32(v)
	}
}

// brotliContexts has for each mode (section 7.1) what the byte before and the one
// before that add to a literal's context.
var brotliContexts = func() (modes [4][2][256]uint8) {
	for b := range 256 {
		modes[0][0][b] = uint8(b & 63)
		modes[1][0][b] = uint8(b >> 2)
		modes[2][0][b], modes[2][1][b] = utf8Contexts(byte(b))
		signed := uint8(0)
		for _, from := range [7]int{1, 16, 64, 128, 192, 240, 255} {
			if b >= from {
				signed++
			}
		}
		modes[3][0][b], modes[3][1][b] = signed<<3, signed
	}
	return modes
}()

// utf8Contexts are what b adds in the mode for text, as the byte before and as the
// one before that.
func utf8Contexts(b byte) (last, second uint8) {
	// Of the bytes of ASCII behind the space, four for each.
	const ascii = "" +
		"\x03\x04\x03\x03\x05\x03\x04\x06\x07\x03\x03\x08\x03\x09\x03" +
		"\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x08\x08\x06\x0a\x07\x03" +
		"\x03\x0c\x0d\x0d\x0d\x0c\x0d\x0d\x0d\x0c\x0d\x0d\x0d\x0d\x0d\x0c" +
		"\x0d\x0d\x0d\x0d\x0d\x0c\x0d\x0d\x0d\x0d\x0d\x06\x03\x07\x03\x03" +
		"\x03\x0e\x0f\x0f\x0f\x0e\x0f\x0f\x0f\x0e\x0f\x0f\x0f\x0f\x0f\x0e" +
		"\x0f\x0f\x0f\x0f\x0f\x0e\x0f\x0f\x0f\x0f\x0f\x06\x03\x07\x03\x00"
	switch {
	case b == '\t' || b == '\n' || b == '\r':
		return 4, 0
	case b < ' ':
		return 0, 0
	case b == ' ':
		return 8, 0
	case b >= 0xE0:
		return 2 + b&1, 2
	case b >= 0xC0:
		return 2 + b&1, 0
	case b >= 0x80:
		return b & 1, 0
	case 'a' <= b && b <= 'z':
		second = 3
	case 'A' <= b && b <= 'Z' || '0' <= b && b <= '9':
		second = 2
	case b < 0x7F:
		second = 1
	}
	return ascii[b-'!'] << 2, second
}
