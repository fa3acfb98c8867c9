package interleave

import "github.com/parquetsql/parquetsql/fileformat/internal/le"

// pair is four bytes each of two streams.
func pair(low, high []byte, at int) uint64 {
	return uint64(le.Uint32(low, at)) | uint64(le.Uint32(high, at))<<32
}

const (
	evenBytes = 0x00FF00FF00FF00FF
	evenPairs = 0x0000FFFF0000FFFF
)

// exchange swaps the bits of a at mask<<shift with those of c at mask, and those
// of b with those of d. Twice transposes two matrices of 4 x 4 bytes, whose rows
// are the lower halves of a, b, c and d and the upper ones: blocks of 2 x 2 are
// exchanged across the diagonal, then bytes within the blocks,
//
//	a, b, c, d = exchange(a, b, c, d, evenPairs, 16)
//	a, c, b, d = exchange(a, c, b, d, evenBytes, 8)
//
// With eight bytes of each of four streams as rows the columns are the values 0
// and 4, 1 and 5, 2 and 6, 3 and 7. With four bytes each of streams 0 and 4, 1 and
// 5 and so on they are four values of eight bytes. Both steps in one function
// would be too much for the compiler to inline.
func exchange(a, b, c, d, mask uint64, shift uint) (uint64, uint64, uint64, uint64) {
	t, u := (a>>shift^c)&mask, (b>>shift^d)&mask
	return a ^ t<<shift, b ^ u<<shift, c ^ t, d ^ u
}
