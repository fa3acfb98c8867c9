package text

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// SimilarityFunctions say how like two strings are. As in DuckDB they compare bytes, so a
// character beyond ASCII counts as several.
var SimilarityFunctions = []expr.Function{
	{Name: "LEVENSHTEIN", Aliases: []string{"EDITDIST3"}, Help: "the least number of bytes to insert, delete or replace that makes one text the other", Example: "LEVENSHTEIN('duck', 'db') → 3",
		Binding: distance(func() distanceFunc { return (&levenshtein{}).of })},
	{Name: "DAMERAU_LEVENSHTEIN", Help: "as LEVENSHTEIN, but exchanging two neighbours counts once", Example: "DAMERAU_LEVENSHTEIN('abc', 'acb') → 1",
		Binding: distance(func() distanceFunc { return damerau })},
	{Name: "HAMMING", Aliases: []string{"MISMATCHES"}, Help: "the number of places at which two texts of the same length differ", Example: "HAMMING('duck', 'luck') → 1",
		Binding: define.Fixed(define.TypeInt, kernel.Try2(hamming), true, define.WantText, define.WantText)},
	{Name: "JACCARD", Help: "the number of characters that both texts have, divided by the number that one of them has", Example: "JACCARD('duck', 'luck') → 0.6",
		Binding: define.Fixed(define.TypeDouble, kernel.Try2(jaccard), true, define.WantText, define.WantText)},
	{Name: "JARO_SIMILARITY", Help: "the Jaro similarity from 0 to 1; 0 if it is below the third argument", Example: "JARO_SIMILARITY('martha', 'marhta') → 0.9444444444444445",
		Binding: similarity(false)},
	{Name: "JARO_WINKLER_SIMILARITY", Help: "as JARO_SIMILARITY, but a common beginning counts more", Example: "JARO_WINKLER_SIMILARITY('martha', 'marhta') → 0.9611111111111111",
		Binding: similarity(true)},
}

// The greatest product of two lengths for which a similarity is computed: its time grows
// with the product, and so does the memory of damerau.
const (
	maxProduct = 1 << 32
	maxMatrix  = 1 << 24
)

func tooLong(a, b string) error {
	return fmt.Errorf("comparing texts of %d and %d bytes: %w", len(a), len(b), quota.ErrTooLong)
}

// A distanceFunc tells work of each byte.
type distanceFunc func(a, b string, work work) (int64, error)

// distance is a function whose time grows with the product of the lengths.
func distance(of func() distanceFunc) expr.Binding {
	makeKernel := func() kernel.Func {
		f := of()
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) (err error) {
			a, b := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1])
			work := out.Meter.Teller()
			for _, i := range kernel.Listed(rows, n) {
				if out.I64[i], err = f(a.At(i), b.At(i), work); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return define.Fixed(define.TypeInt, makeKernel, true, define.WantText, define.WantText)
}

// damerau is the distance where the two that are exchanged may be edited further.
func damerau(a, b string, work work) (int64, error) {
	if int64(len(a)+2)*int64(len(b)+2) > maxMatrix {
		return 0, tooLong(a, b)
	}
	width := len(b) + 2
	d := make([]int32, (len(a)+2)*width) // element (i+1, j+1) is of a[:i] and b[:j]
	far := int32(len(a) + len(b))
	for i := range len(a) + 2 {
		d[i*width], d[i*width+1] = far, int32(i-1)
	}
	for j := range len(b) + 2 {
		d[j], d[width+j] = far, int32(j-1)
	}
	d[0], d[width] = far, far
	var seen [256]int // where a byte was last in a, from 1
	for i := 1; i <= len(a); i++ {
		if err := work(len(b)); err != nil {
			return 0, err
		}
		last := 0 // where a[i-1] was last in b, from 1
		for j := 1; j <= len(b); j++ {
			before, at := seen[b[j-1]], last
			cost := int32(1)
			if a[i-1] == b[j-1] {
				cost, last = 0, j
			}
			exchanged := d[before*width+at] + int32(i-before-1) + 1 + int32(j-at-1)
			d[(i+1)*width+j+1] = min(d[i*width+j]+cost, d[(i+1)*width+j]+1, d[i*width+j+1]+1, exchanged)
		}
		seen[a[i-1]] = i
	}
	return int64(d[len(d)-1]), nil
}

func hamming(a, b string) (int64, kernel.Outcome) {
	if len(a) != len(b) || a == "" {
		return 0, kernel.Outcome{Err: errors.New("HAMMING: the texts must have the same length and not be empty")}
	}
	n := int64(0)
	for i := range len(a) {
		if a[i] != b[i] {
			n++
		}
	}
	return n, kernel.Outcome{}
}

func jaccard(a, b string) (float64, kernel.Outcome) {
	if a == "" || b == "" {
		return 0, kernel.Outcome{Err: errors.New("JACCARD: the texts must not be empty")}
	}
	// Stores alone: a set of bits would have to be read for each byte, right behind the store before.
	var x, y [256]byte
	for i := range len(a) {
		x[a[i]] = 1
	}
	for i := range len(b) {
		y[b[i]] = 1
	}
	common, all := 0, 0
	for i := range 256 / 8 {
		v, w := binary.LittleEndian.Uint64(x[8*i:]), binary.LittleEndian.Uint64(y[8*i:])
		common += bits.OnesCount64(v & w)
		all += bits.OnesCount64(v | w)
	}
	return float64(common) / float64(all), kernel.Outcome{}
}
