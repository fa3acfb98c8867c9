package kernel

import (
	"math/bits"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// product64 multiplies decimals of 64 bits; the product has 128.
func product64() Func {
	return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
		a, b, r := argumentOf[int64](args[0]), argumentOf[int64](args[1]), out.I128
		if b.flat() { // the order does not matter
			a, b = b, a
		}
		switch {
		case rows != nil || !a.flat() || b.mask == 0:
			for _, i := range Listed(rows, n) {
				r[i] = vector.MulInt64(*a.at(i), *b.at(i))
			}
		case b.codes != nil:
			x, codes := a.v[:n], b.codes[:n]
			r = r[:n]
			for i, code := range codes {
				r[i] = vector.MulInt64(x[i], b.v[code])
			}
		default:
			x, y := a.v[:n], b.v[:n]
			r = r[:n]
			for i := range x {
				r[i] = vector.MulInt64(x[i], y[i])
			}
		}
		return nil
	}
}

// product38 multiplies decimals of 128 bits whose product may have more than 38 digits.
// Nearly all values of nearly all files fit 64 bits, though their types are wider. The
// product of two such values is below 2^126, which has 38 digits. Most batches have but
// values whose products fit 64 bits, too: they are multiplied so before it is known.
func product38(e Arithmetic) func() Func {
	return func() Func {
		wide := false // the batch before had others
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, b, r := argumentOf[vector.Int128](args[0]), argumentOf[vector.Int128](args[1]), out.I128
			list := Listed(rows, n)
			if wide && mostBits(a, list)+mostBits(b, list) > 62 || !shortProducts(a, b, list, r) {
				wide = true
				return longProducts(e, a, b, list, r)
			}
			wide = false
			return nil
		}
	}
}

// shortProducts multiplies the lower words. It returns false if that is not enough.
func shortProducts(a, b argument[vector.Int128], list []int32, r []vector.Int128) bool {
	left, right, wide := uint64(0), uint64(0), uint64(0)
	for _, i := range list {
		x, y := a.at(i), b.at(i)
		signX, signY := uint64(x.Hi>>63), uint64(y.Hi>>63)
		left |= x.Lo ^ signX
		right |= y.Lo ^ signY
		wide |= (uint64(x.Hi) ^ signX) | (uint64(y.Hi) ^ signY)
		r[i] = vector.Int128From(int64(x.Lo) * int64(y.Lo))
	}
	return wide == 0 && bits.Len64(left)+bits.Len64(right) <= 62
}

func longProducts(e Arithmetic, a, b argument[vector.Int128], list []int32, r []vector.Int128) error {
	for _, i := range list {
		x, y := a.at(i), b.at(i)
		if x.IsInt64() && y.IsInt64() {
			r[i] = vector.MulInt64(x.Int64(), y.Int64())
			continue
		}
		v, ok := x.MulChecked(*y)
		if !ok || !scalar.FitsPrecision(v, scalar.MaxPrecision) {
			return overflow(e.Op, DecimalText128(*x, e.L), DecimalText128(*y, e.R), e.T).Err
		}
		r[i] = v
	}
	return nil
}

// mostBits is k such that all values are at least -2^k and below 2^k; 128 where one does not fit 64 bits.
func mostBits(v argument[vector.Int128], rows []int32) int {
	all, wide := uint64(0), uint64(0)
	for _, i := range rows {
		x := v.at(i)
		sign := uint64(x.Hi >> 63)
		all |= x.Lo ^ sign
		wide |= uint64(x.Hi) ^ sign
	}
	if wide != 0 || all>>63 != 0 {
		return 128
	}
	return bits.Len64(all)
}
