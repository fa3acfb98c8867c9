package encoding

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

// Indices reads the codes of dictionary-encoded values (Encodings.md,
// "Dictionary Encoding"):
//
//	values section = width in bits, one byte, 0..32; then the RLE/bit-packing hybrid
//
// A wider width, a code that is not in the dictionary, and runs that end before the
// last requested code are errors. Skip does not check codes.
type Indices struct {
	runs  hybrid
	limit int32 // the highest code; -1 for an empty dictionary
	exact bool  // a code of this width cannot be above limit
}

var errIndex = errors.New("dictionary index out of range")

// Reset starts a page: data begins with the bit width; codes are below dictLen.
func (x *Indices) Reset(data []byte, dictLen, n int) error {
	*x = Indices{limit: int32(min(max(dictLen, 0), 1<<31-1)) - 1}
	if len(data) == 0 {
		x.runs.reset(nil, 0, n)
		return nil
	}
	width := uint(data[0])
	if width > 32 {
		return fmt.Errorf("dictionary indices of %d bits", width)
	}
	x.runs.reset(data[1:], width, n)
	x.exact = int64(1)<<width-1 <= int64(x.limit)
	if width == 0 && len(data) == 1 { // some writers leave out the runs if every code is 0
		x.runs.left = x.runs.n
	}
	return nil
}

// Continue is called after Reset where more follows its data.
func (x *Indices) Continue(more More) { x.runs.more = more }

// Decode fills dst with codes, or its beginning if fewer are left.
func (x *Indices) Decode(dst []int32) (int, error) {
	h := &x.runs
	dst = dst[:min(len(dst), h.n)]
	if x.limit < 0 && len(dst) > 0 {
		return 0, errIndex
	}
	from, to := len(dst), 0 // the range that holds all bit-packed codes
	for done := 0; done < len(dst); {
		if h.left == 0 {
			if err := h.next(); err != nil {
				return 0, err
			}
		}
		k := min(len(dst)-done, h.left)
		if h.packed {
			h.unpackInt32(dst[done : done+k])
			from, to = min(from, done), done+k
		} else if int64(h.value) > int64(x.limit) {
			return 0, errIndex
		} else {
			fillRun(dst[done:], k, int32(h.value))
			h.take(k)
		}
		done += k
	}
	// One check of all codes costs less than one check per run.
	if !x.exact && from < to && !allAtMost(dst[from:to], x.limit, h.width) {
		return 0, errIndex
	}
	return len(dst), nil
}

// Skip passes n codes, or fewer if fewer are left, and returns how many.
func (x *Indices) Skip(n int) (int, error) { return x.runs.skip(n) }

// allAtMost reports whether no code is above limit, which is not negative.
func allAtMost(codes []int32, limit int32, width uint) bool {
	over := int32(0) // negative after a negative code
	i := 0
	if width < 32 { // no code can be negative
		for ; len(codes)-i >= 32; i += 32 {
			if !le.AllAtMost((*[32]int32)(codes[i:]), limit) {
				return false
			}
		}
	}
	for _, c := range codes[i:] {
		over |= c | (limit - c)
	}
	return over >= 0
}
