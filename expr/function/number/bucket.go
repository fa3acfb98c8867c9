package number

import (
	"fmt"
	"math"
	"math/big"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// BucketFunctions divide a range.
var BucketFunctions = []expr.Function{
	{Name: "WIDTH_BUCKET", Help: "the number of the one of n equal buckets between two bounds that has the value; 0 and n + 1 outside; the first bound may be the greater", Example: "WIDTH_BUCKET(5.35, 0, 10, 5) → 3",
		Binding: define.Custom(widthBucket, "number, number, number, BIGINT → BIGINT")},
}

// widthBucket computes with decimals where there is no float among the arguments, as PostgreSQL does.
func widthBucket(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	n, err := define.WantInt.Bind(call.Name, args[3])
	if err != nil {
		return nil, err
	}
	to, scale, whole := vector.Of(vector.Double), 0, 1
	for _, x := range args[:3] {
		t := x.Type()
		if t.IsInteger() {
			t = vector.DecimalType(20, 0)
		}
		if t.Kind == vector.Decimal {
			scale, whole = max(scale, t.Scale), max(whole, t.Precision-t.Scale)
			continue
		}
		whole = math.MaxInt32 // as doubles
	}
	if whole <= 38-scale {
		to = vector.DecimalType(38, scale)
	}
	list := make([]expr.Expr, 3, 4)
	for i, x := range args[:3] {
		if list[i], err = define.WantDouble.Bind(call.Name, x); err != nil {
			return nil, err
		}
		if to.Kind == vector.Decimal {
			if list[i], err = expr.NewCast(x, to, false); err != nil {
				return nil, err
			}
		}
	}
	list = append(list, n)
	if to.Kind == vector.Decimal {
		return define.Strict(call, list, define.TypeInt, kernel.Try4(decimalBucket), true)
	}
	return define.Strict(call, list, define.TypeInt, kernel.Try4(doubleBucket), true)
}

// checkedBuckets are the errors of bounds and of the number of buckets.
func checkedBuckets(n int64, equal bool) error {
	switch {
	case n <= 0 || n >= math.MaxInt32:
		return fmt.Errorf("WIDTH_BUCKET: %w: %d buckets, there have to be between 1 and 2147483646", kernel.ErrOutOfRange, n)
	case equal:
		return fmt.Errorf("WIDTH_BUCKET: %w: the bounds are equal", kernel.ErrOutOfRange)
	}
	return nil
}

func doubleBucket(x, from, to float64, n int64) (int64, kernel.Outcome) {
	if err := checkedBuckets(n, from == to); err != nil {
		return 0, kernel.Outcome{Err: err}
	}
	if x != x || from != from || to != to || math.IsInf(from, 0) || math.IsInf(to, 0) {
		return 0, kernel.Outcome{Err: fmt.Errorf("WIDTH_BUCKET: %w: a value is NaN, or a bound is no finite number", kernel.ErrOutOfRange)}
	}
	if from > to {
		x, from, to = -x, -from, -to
	}
	switch {
	case x < from:
		return 0, kernel.Outcome{}
	case x >= to:
		return n + 1, kernel.Outcome{}
	}
	part := (x - from) / (to - from)
	if math.IsInf(to-from, 0) {
		part = (x/2 - from/2) / (to/2 - from/2)
	}
	return min(int64(float64(n)*part), n-1) + 1, kernel.Outcome{}
}

func decimalBucket(x, from, to vector.Int128, n int64) (int64, kernel.Outcome) {
	if err := checkedBuckets(n, from == to); err != nil {
		return 0, kernel.Outcome{Err: err}
	}
	if to.Less(from) {
		x, from, to = x.Neg(), from.Neg(), to.Neg()
	}
	switch {
	case x.Less(from):
		return 0, kernel.Outcome{}
	case !x.Less(to):
		return n + 1, kernel.Outcome{}
	}
	// 38 digits and those of n are more than 128 bits.
	over := new(big.Int).Sub(x.Big(), from.Big())
	width := new(big.Int).Sub(to.Big(), from.Big())
	over.Mul(over, big.NewInt(n))
	return over.Quo(over, width).Int64() + 1, kernel.Outcome{}
}
