package codec

// What the symbol of a command stands for (section 5):
//
//	bits 5 to 9    number of bits that add to the count of literals
//	bits 10 to 14  number of bits that add to the copy's length
//	bit 15         brotliAgain: the distance is the last one
//	bits 16 to 17  the distance's context
//	bits 32 to 47  count of literals
//	bits 48 to 63  length of the copy
const (
	brotliInsertExtra = 5
	brotliCopyExtra   = 10
	brotliAgain       = 1 << 15
	brotliContext     = 16
	brotliInsert      = 32
	brotliCopy        = 48
)

var brotliCommands = func() (symbols [704]uint64) {
	inserts := brotliRanges(0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24)
	copies := brotliRanges(2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24)
	// Where in inserts and copies a cell of 64 symbols begins, in eights.
	cells := [11][2]int{{0, 0}, {0, 1}, {0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2}, {2, 0}, {1, 2}, {2, 1}, {2, 2}}
	for s := range symbols {
		cell := cells[s/64]
		i, c := inserts[8*cell[0]+s/8%8], copies[8*cell[1]+s%8]
		symbols[s] = uint64(i.extra)<<brotliInsertExtra | uint64(c.extra)<<brotliCopyExtra |
			uint64(i.base)<<brotliInsert | uint64(c.base)<<brotliCopy | uint64(min(c.base-2, 3))<<brotliContext
		if s < 128 {
			symbols[s] |= brotliAgain
		}
	}
	return symbols
}()

// What the symbol of a distance stands for (section 4):
//
//	bits 5 to 9    number of bits that, shifted by NPOSTFIX, add to the distance
//	bit 10         brotliRecent: the distance is near one of the last four
//	bits 32 to 63  the distance; of a recent one, in its lowest three bits how many
//	               distances back it is, and above what adds to that, plus 3
const (
	brotliDistanceExtra = 5
	brotliRecent        = 1 << 10
	brotliDistance      = 32
)

// prepareDistances makes the symbols for these parameters.
func (d *brotliDecoder) prepareDistances(postfix, direct uint) {
	if d.prepared && d.postfix == postfix && d.direct == direct {
		return
	}
	d.postfix, d.direct, d.prepared = postfix, direct, true
	for s := range uint64(16) {
		back, more := s+1, uint64(3)
		if s >= 4 { // minus and plus 1, 2 and 3 for the last one, then for the one before
			back = 1 + (s-4)/6
			if more += 1 + (s-4)/2%3; s%2 == 0 {
				more = 6 - more
			}
		}
		d.symbols[s] = brotliRecent | (back|more<<3)<<brotliDistance
	}
	for s := range direct {
		d.symbols[16+s] = uint64(1+s) << brotliDistance
	}
	for s := range uint64(48) << postfix {
		high, low := s>>postfix, s&(1<<postfix-1)
		extra := 1 + high/2
		base := ((2+high&1)<<extra-4)<<postfix + low + uint64(direct) + 1
		d.symbols[16+direct+uint(s)] = extra<<brotliDistanceExtra | base<<brotliDistance
	}
}
