package kernel

import (
	"math/bits"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// ordersTexts is the predicate l op r of texts for the operators < <= > >=. Most texts differ in their first bytes, which are compared
// here without a call.
func ordersTexts(op scalar.Op) Predicate {
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		a, b := OperandOf[string](args[0]), OperandOf[string](args[1])
		if op == scalar.OpGt || op == scalar.OpLe { // b < a, and its negation
			a, b = b, a
		}
		negate := op == scalar.OpGe || op == scalar.OpLe
		k := 0
		for _, i := range Listed(rows, n) {
			into[k] = i
			if TextBefore(a.At(i), b.At(i)) != negate {
				k++
			}
		}
		return into[:k], nil
	}
}

// TextBefore is x < y.
func TextBefore(x, y string) bool {
	if p, q := firstBytes(x), firstBytes(y); p != q {
		return p < q
	}
	return x < y
}

// firstBytes are the first four bytes of a text as a number: where those of two texts differ, they have the order of the texts. Shorter ones
// have zeros behind them.
func firstBytes(s string) uint32 {
	if len(s) < 4 {
		return shortBytes(s)
	}
	return bits.ReverseBytes32(uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24)
}

// shortBytes is firstBytes of a text of less than four bytes.
func shortBytes(s string) uint32 {
	x := uint32(0)
	for i := range len(s) {
		x |= uint32(s[i]) << (24 - 8*i)
	}
	return x
}
