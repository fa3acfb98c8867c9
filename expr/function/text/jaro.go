package text

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// similarity has a form with the least similarity that is not taken for 0.
func similarity(winkler bool) expr.Binding {
	makeKernel := func() kernel.Func {
		var j jaro
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			a, b := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1])
			least := kernel.Operand[float64]{V: []float64{0}}
			if len(args) > 2 {
				least = kernel.OperandOf[float64](args[2])
			}
			ticker := quota.Telling(out.Meter.Teller(), quota.BytesPerTell)
			for _, i := range kernel.Listed(rows, n) {
				s, err := j.of(a.At(i), b.At(i), &ticker)
				if err != nil {
					return err
				}
				if winkler {
					s = forPrefix(s, a.At(i), b.At(i))
				}
				if out.F64[i] = s; !(s >= least.At(i)) {
					out.F64[i] = 0
				}
			}
			return nil
		}
	}
	return define.Overloaded(
		define.Fixed(define.TypeDouble, makeKernel, true, define.WantText, define.WantText),
		define.Fixed(define.TypeDouble, makeKernel, true, define.WantText, define.WantText, define.WantDouble))
}

// jaro computes similarities, one after another, in the same memory.
type jaro struct {
	next    [256]int // where the search for a byte in the longer text goes on
	used    []uint64 // a bit for each byte of the longer text that has a match
	matched []byte   // the bytes of the shorter one that have

	known  []byte      // a text of up to 64 bytes, often the same for all rows
	places [256]uint64 // where each byte is in known
}

// of is (m/|a| + m/|b| + (m-t)/m) / 3, where m bytes match within half the length and t
// is half the number of matches in another order.
//
// The first place where a byte is found that has no match yet is its match. Which text is searched for the bytes
// of the other makes no difference: of equal bytes, the first of one text that can have a match always gets the first one of the other.
func (j *jaro) of(a, b string, ticker *quota.Ticker) (float64, error) {
	switch {
	case a == "" || b == "":
		return 0, nil
	case int64(len(a))*int64(len(b)) > maxProduct:
		return 0, tooLong(a, b)
	}
	if len(a) <= 64 && len(b) <= 64 {
		return j.ofWords(a, b), nil
	}
	short, long := a, b
	if len(short) > len(long) {
		short, long = b, a
	}
	window := max(len(long)/2-1, 0)
	words := (len(long) + 63) / 64
	used, matched := slices.Grow(j.used[:0], words)[:words], slices.Grow(j.matched[:0], len(short))
	clear(used)
	for i := range len(short) {
		j.next[short[i]] = 0
	}
	for i := range len(short) {
		c := short[i]
		from, end := max(i-window, j.next[c]), min(len(long), i+window+1)
		if from >= end {
			continue
		}
		at := strings.IndexByte(long[from:end], c)
		if err := ticker.Work(end - from); err != nil {
			return 0, err
		}
		if at < 0 {
			j.next[c] = end
			continue
		}
		at += from
		j.next[c] = at + 1
		used[at/64] |= 1 << (at % 64)
		matched = append(matched, c)
	}
	if 8*cap(used)+cap(matched) <= quota.KeptBuffer {
		j.used, j.matched = used, matched
	}
	if len(matched) == 0 {
		return 0, nil
	}
	return share(a, b, len(matched), moved(long, used, matched)), nil
}

// share is the similarity of texts with so many matches, some of them in another order.
func share(a, b string, matches, moved int) float64 {
	m := float64(matches)
	return (m/float64(len(a)) + m/float64(len(b)) + (m-float64(moved/2))/m) / 3
}

// ofWords is of where a word has a bit for each byte of a text.
func (j *jaro) ofWords(a, b string) float64 {
	if string(j.known) != b {
		for _, c := range j.known {
			j.places[c] = 0
		}
		j.known = append(j.known[:0], b...)
		for i, c := range j.known {
			j.places[c] |= 1 << i
		}
	}
	window := max(max(len(a), len(b))/2-1, 0)
	near := uint64(1)<<(window+1) - 1 // the places within the window
	used, matches := uint64(0), 0
	var matched [64]byte
	for i := range len(a) {
		if found := j.places[a[i]] & near &^ used; found != 0 {
			used |= found & -found
			matched[matches&63] = a[i]
			matches++
		}
		near <<= 1
		if i < window {
			near |= 1
		}
	}
	if matches == 0 {
		return 0
	}
	return share(a, b, matches, moved(b, []uint64{used}, matched[:matches]))
}

// moved is how many of the bytes of a text that have a match are others than those of the other text in their order.
func moved(text string, used []uint64, matched []byte) (n int) {
	k := 0
	for w, word := range used {
		for ; word != 0; word &= word - 1 {
			if text[64*w+bits.TrailingZeros64(word)] != matched[k] {
				n++
			}
			k++
		}
	}
	return n
}

// forPrefix is the similarity of Winkler: it adds a tenth of what is missing to 1 for each of the first four bytes that
// agree, if the similarity is more than 0.7.
func forPrefix(s float64, a, b string) float64 {
	if s <= 0.7 {
		return min(s, 1)
	}
	prefix := 0
	for prefix < min(len(a), len(b), 4) && a[prefix] == b[prefix] {
		prefix++
	}
	return min(s+float64(prefix)*0.1*(1-s), 1)
}
