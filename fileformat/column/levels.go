package column

import (
	"errors"
	"math/bits"

	"github.com/parquetsql/parquetsql/fileformat/internal/encoding"
	"github.com/parquetsql/parquetsql/fileformat/internal/le"
	"github.com/parquetsql/parquetsql/fileformat/internal/listlevels"
)

var errFewLevels = errors.New("the page has fewer levels than its header states")

// levels collects the levels of a batch, or instead of them the bitmap of the rows
// that have a value.
type levels struct {
	def, rep []uint8
	valid    []uint64
	scratch  []uint64
	lists    *listlevels.Checker // of a repeated column

	// Levels of the current page that belong to no batch yet: the end of a record of
	// a repeated column is known only at the beginning of the next record.
	block      []uint8 // repetition levels, then as many definition levels
	blockAt    int
	blockCount int
	inPage     bool  // a block of the page was decoded, and
	last       uint8 // this is the definition level of its last entry
}

// blockSize is how many levels of a repeated column are decoded at once.
const blockSize = 2048

func (l *levels) begin() { l.def, l.rep = l.def[:0], l.rep[:0] }

func (l *levels) growDef(n int) []uint8 {
	have := len(l.def)
	l.def = grown(l.def, n)
	return l.def[have:]
}

// growValid makes room for bits of n rows.
func (l *levels) growValid(n int) {
	words := (n + 63) / 64
	l.valid = grown(l.valid[:min(len(l.valid), words)], max(0, words-len(l.valid)))
}

// validity returns the bitmap of n rows; the bits after them are clear.
func (l *levels) validity(n int) []uint64 {
	valid := l.valid[:(n+63)/64]
	if rest := uint(n) & 63; rest > 0 {
		valid[len(valid)-1] &= 1<<rest - 1
	}
	return valid
}

// skipDef passes n definition levels and returns how many are the maximum.
func (l *levels) skipDef(levels *encoding.Levels, n int) (nonNull int, err error) {
	if l.scratch == nil {
		l.scratch = make([]uint64, blockSize/64)
	}
	for n > 0 && err == nil {
		k, present := min(n, blockSize), 0
		present, err = levels.DecodeValidity(l.scratch, 0, k)
		nonNull += present
		n -= k
	}
	return nonNull, err
}

// fillBlock decodes the next levels of the page, which has some left.
func (l *levels) fillBlock(p *dataPage) error {
	if l.block == nil {
		l.block = make([]uint8, 2*blockSize)
	}
	n, before := min(p.left, blockSize), l.lists.Most
	if l.inPage {
		before = l.last
	}
	l.dropBlock()
	rep, def := l.block[:n], l.block[blockSize:blockSize+n]
	if err := decodeLevels(&p.rep, rep); err != nil {
		return err
	}
	if err := decodeLevels(&p.def, def); err != nil {
		return err
	}
	l.inPage, l.last, l.blockCount = true, def[n-1], n
	p.left -= n
	err := l.lists.Check(rep, def, before)
	if err != nil && l.lists.Padded {
		l.blockCount, err = l.lists.DropPadding(rep, def, before)
	}
	if err != nil {
		l.dropBlock()
	}
	return err
}

// rest returns the levels of the block that are not passed yet.
func (l *levels) rest() (rep, def []uint8) {
	return l.block[l.blockAt:l.blockCount], l.block[blockSize+l.blockAt : blockSize+l.blockCount]
}

// dropBlock drops the block. The next block belongs to another page.
func (l *levels) dropBlock() { l.blockAt, l.blockCount, l.inPage = 0, 0, false }

func (l *levels) blockEmpty() bool { return l.blockAt == l.blockCount }

// decodeLevels fills dst.
func decodeLevels(l *encoding.Levels, dst []uint8) error {
	n, err := l.Decode(dst)
	if err == nil && n < len(dst) {
		err = errFewLevels
	}
	return err
}

// zeroAfter returns the index of the (n+1)-th zero, or the number of levels if there
// is none, and the number of zeros before that index.
func zeroAfter(levels []uint8, n int) (at, zeros int) {
	const low7 = 0x7F7F7F7F7F7F7F7F
	for ; at+8 <= len(levels); at += 8 {
		// The highest bit of a byte of found is set if that byte of x is zero.
		x := le.Uint64(levels, at)
		found := ^(x&low7 + low7 | x | low7)
		k := bits.OnesCount64(found)
		if zeros+k <= n {
			zeros += k
			continue
		}
		for ; zeros < n; zeros++ {
			found &= found - 1
		}
		return at + bits.TrailingZeros64(found)/8, n
	}
	for ; at < len(levels); at++ {
		if levels[at] != 0 {
			continue
		}
		if zeros == n {
			return at, n
		}
		zeros++
	}
	return at, zeros
}
