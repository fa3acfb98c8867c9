package text

import (
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
		Binding: distance(levenshtein)},
	{Name: "DAMERAU_LEVENSHTEIN", Help: "as LEVENSHTEIN, but exchanging two neighbours counts once", Example: "DAMERAU_LEVENSHTEIN('abc', 'acb') → 1",
		Binding: distance(damerau)},
	{Name: "HAMMING", Aliases: []string{"MISMATCHES"}, Help: "the number of places at which two texts of the same length differ", Example: "HAMMING('duck', 'luck') → 1",
		Binding: define.Fixed(define.TypeInt, kernel.Try2(hamming), true, define.WantText, define.WantText)},
	{Name: "JACCARD", Help: "the number of characters that both texts have, divided by the number that one of them has", Example: "JACCARD('duck', 'luck') → 0.6",
		Binding: define.Fixed(define.TypeDouble, kernel.Try2(jaccard), true, define.WantText, define.WantText)},
	{Name: "JARO_SIMILARITY", Help: "the Jaro similarity from 0 to 1; 0 if it is below the third argument", Example: "JARO_SIMILARITY('martha', 'marhta') → 0.9444444444444445",
		Binding: similarity(jaro)},
	{Name: "JARO_WINKLER_SIMILARITY", Help: "as JARO_SIMILARITY, but a common beginning counts more", Example: "JARO_WINKLER_SIMILARITY('martha', 'marhta') → 0.9611111111111111",
		Binding: similarity(jaroWinkler)},
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

// distance is a function whose time grows with the product of the lengths; it tells work
// of each byte.
func distance(f func(a, b string, work work) (int64, error)) expr.Binding {
	makeKernel := func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) (err error) {
			a, b := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1])
			for _, i := range kernel.Listed(rows, n) {
				if out.I64[i], err = f(a.At(i), b.At(i), out.Meter.Teller()); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return define.Fixed(define.TypeInt, makeKernel, true, define.WantText, define.WantText)
}

// similarity has a form with the least similarity that is not taken for 0.
func similarity(f func(a, b string, work work) (float64, error)) expr.Binding {
	makeKernel := func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			a, b := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1])
			least := kernel.Operand[float64]{V: []float64{0}}
			if len(args) > 2 {
				least = kernel.OperandOf[float64](args[2])
			}
			for _, i := range kernel.Listed(rows, n) {
				s, err := f(a.At(i), b.At(i), out.Meter.Teller())
				if err != nil {
					return err
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

func levenshtein(a, b string, work work) (int64, error) {
	if int64(len(a))*int64(len(b)) > maxProduct {
		return 0, tooLong(a, b)
	}
	if len(b) > len(a) {
		a, b = b, a // it is symmetric, and of the shorter one a row is kept
	}
	row := make([]int32, len(b)+1) // the distances of a[:i] to each b[:j]
	for j := range row {
		row[j] = int32(j)
	}
	for i := range len(a) {
		if err := work(len(b)); err != nil {
			return 0, err
		}
		diagonal := row[0]
		row[0] = int32(i + 1)
		for j := range len(b) {
			next := diagonal
			if a[i] != b[j] {
				next = min(diagonal, row[j], row[j+1]) + 1
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return int64(row[len(b)]), nil
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
	x, y := bytesOf(a), bytesOf(b)
	common, all := 0, 0
	for i := range x {
		common += bits.OnesCount64(x[i] & y[i])
		all += bits.OnesCount64(x[i] | y[i])
	}
	return float64(common) / float64(all), kernel.Outcome{}
}

// bytesOf has a bit for each byte that is in a text.
func bytesOf(s string) (set [4]uint64) {
	for i := range len(s) {
		set[s[i]>>6] |= 1 << (s[i] & 63)
	}
	return set
}

// jaro is (m/|a| + m/|b| + (m-t)/m) / 3, where m bytes match within half the length and t
// is half the number of matches in another order.
func jaro(a, b string, work work) (float64, error) {
	switch {
	case a == "" || b == "":
		return 0, nil
	case int64(len(a))*int64(len(b)) > maxProduct:
		return 0, tooLong(a, b)
	}
	window := max(max(len(a), len(b))/2-1, 0)
	used := make([]bool, len(b))
	var matched []byte
	ticker := quota.Telling(work, quota.BytesPerTell)
	for i := range len(a) {
		end := min(len(b), i+window+1)
		for j := max(0, i-window); j < end; j++ {
			if !used[j] && a[i] == b[j] {
				used[j] = true
				matched = append(matched, a[i])
				break
			}
			if err := ticker.Work(1); err != nil {
				return 0, err
			}
		}
	}
	if len(matched) == 0 {
		return 0, nil
	}
	k, moved := 0, 0
	for j := range len(b) {
		if used[j] {
			if matched[k] != b[j] {
				moved++
			}
			k++
		}
	}
	m := float64(len(matched))
	return (m/float64(len(a)) + m/float64(len(b)) + (m-float64(moved/2))/m) / 3, nil
}

// jaroWinkler adds a tenth of what is missing to 1 for each of the first four bytes that
// agree, if the similarity is more than 0.7.
func jaroWinkler(a, b string, work work) (float64, error) {
	s, err := jaro(a, b, work)
	prefix := 0
	for prefix < min(len(a), len(b), 4) && a[prefix] == b[prefix] {
		prefix++
	}
	if s > 0.7 {
		s += float64(prefix) * 0.1 * (1 - s)
	}
	return min(s, 1), err
}
