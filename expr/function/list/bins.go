package list

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate/bins"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// BinFunctions make the upper bounds of the bins of a histogram.
var BinFunctions = []expr.Function{
	{Name: "EQUI_WIDTH_BINS", Help: "the upper bounds of bins of one width between two values; the last argument says whether the bounds are round numbers",
		Example: "EQUI_WIDTH_BINS(0, 10, 2, true) → [5,10]",
		Binding: define.Custom(equiWidth, "BIGINT, BIGINT, BIGINT, BOOLEAN → LIST(BIGINT)", "DOUBLE, DOUBLE, BIGINT, BOOLEAN → LIST(DOUBLE)",
			"TIMESTAMP | DATE, TIMESTAMP, BIGINT, BOOLEAN → LIST(TIMESTAMP)", "TIMESTAMP | DATE, DATE, BIGINT, BOOLEAN → LIST(DATE)")},
	{Name: "IS_HISTOGRAM_OTHER_BIN", Help: "whether the value is the key that HISTOGRAM(x, bins) gives to values in no bin: the greatest one of the type, an empty text or LIST, a STRUCT of NULLs", Example: "IS_HISTOGRAM_OTHER_BIN('') → true",
		Binding: define.Custom(isOtherBin, "any → BOOLEAN")},
}

func isOtherBin(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x := args[0]
	if other, ok := bins.Other(x.Type()); ok {
		return expr.NewCompare(scalar.OpEq, x, expr.NewConst(other))
	}
	greatest, has := "", true
	switch t := x.Type(); t.Kind {
	case vector.Decimal:
		greatest = "0" + strings.Repeat("9", t.Precision-t.Scale) + "." + strings.Repeat("9", t.Scale)
	case vector.Time:
		greatest = "24:00:00"
	case vector.Blob:
	case vector.List: // without elements, as a text
		empty := vector.Scalar{Type: t, Nested: &vector.Vector{Type: t, Len: 1, Offsets: []int32{0, 0}, Children: []*vector.Vector{vector.New(t.Fields[0].Type, 0)}}}
		return expr.NewCompare(scalar.OpEq, x, expr.NewConst(empty))
	case vector.Struct: // of NULLs alone
		names, nulls := make([]string, len(t.Fields)), make([]expr.Expr, len(t.Fields))
		for i, f := range t.Fields {
			names[i], nulls[i] = f.Name, expr.NewConst(vector.NullOf(f.Type))
		}
		other, err := expr.NewStruct(names, nulls)
		if err != nil {
			return nil, err
		}
		return expr.NewCompare(scalar.OpEq, x, other)
	default:
		has = false
	}
	if has {
		other, err := expr.NewCast(expr.NewConst(vector.StringScalar(greatest)), x.Type(), false)
		if err != nil {
			return nil, err
		}
		return expr.NewCompare(scalar.OpEq, x, other)
	}
	no := expr.NewConst(vector.BoolScalar(false))
	return expr.NewCase(nil, []expr.Expr{expr.NewIsNull(x, true)}, []expr.Expr{no}, expr.NewConst(vector.NullOf(define.TypeBoolean)))
}

// maxBins is how many bins may be asked for.
const maxBins = 1_000_000

// binMaker makes upper bounds, the greatest one first, in memory that it is given.
type binMaker[T int64 | float64] func(out []T, lo, hi T, count int64, round bool) ([]T, error)

func equiWidth(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	lo, hi := args[0].Type(), args[1].Type()
	switch {
	case scalar.IsInstant(lo) || scalar.IsInstant(hi):
		list, err := bindBins(call, args, vector.TimestampType(vector.Micros, false), timeBins)
		if err != nil || !scalar.IsInstant(hi) {
			return list, err
		}
		return expr.NewCast(list, expr.ListType(hi), false)
	case lo.IsInteger() && hi.IsInteger():
		return bindBins(call, args, define.TypeInt, intBins)
	}
	return bindBins(call, args, define.TypeDouble, floatBins)
}

func bindBins[T int64 | float64](call expr.Callee, args []expr.Expr, t vector.Type, make binMaker[T]) (expr.Expr, error) {
	bound := append([]expr.Expr(nil), args...)
	for i, want := range []vector.Type{t, t, define.TypeInt, define.TypeBoolean} {
		var err error
		if bound[i], err = expr.ImplicitCast(args[i], want); err != nil {
			return nil, err
		}
	}
	return define.Strict(call, bound, expr.ListType(t), func() kernel.Func {
		var list []T
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			b, bounds := kernel.NewListBuilder(out), vector.New(t, 0)
			values := vector.Slice[T](bounds)
			for _, i := range kernel.Listed(rows, n) {
				b.Start(i)
				count := kernel.Cell[int64](args[2], i)
				if count < 1 || count > maxBins {
					return fmt.Errorf("EQUI_WIDTH_BINS: there can be 1 to %d bins, not %d", maxBins, count)
				}
				var err error
				if list, err = make(list[:0], kernel.Cell[T](args[0], i), kernel.Cell[T](args[1], i), count, kernel.Cell[bool](args[3], i)); err != nil {
					return err
				}
				if len(list) == 0 { // the two values are the same
					list = append(list, kernel.Cell[T](args[1], i))
				}
				if err := b.Need(int64(len(list))); err != nil {
					return err
				}
				for at := len(list) - 1; at >= 0; at-- {
					*values = append(*values, list[at])
				}
				b.Made(len(list))
			}
			bounds.Len = len(*values)
			b.Whole(bounds)
			return nil
		}
	}, true)
}

// intBins computes in thousandths, so that the widths of the bins differ by one at most. A
// round width is a multiple of 2 or 5 times the power of ten below it.
func intBins(out []int64, lo, hi, count int64, round bool) ([]int64, error) {
	if lo > hi {
		return nil, errBinOrder
	}
	thousand := big.NewInt(1000)
	from, to := new(big.Int).Mul(big.NewInt(lo), thousand), new(big.Int).Mul(big.NewInt(hi), thousand)
	step := new(big.Int).Sub(to, from)
	step.Quo(step, big.NewInt(count))
	if round {
		if width := roundInt(step); width.Sign() != 0 {
			if end := multiple(to, width, new(big.Int).Sub(width, big.NewInt(1))); end.Cmp(from) != 0 {
				step, to = width, end
			}
		}
		count *= 2 // the number of round bins is not exact
	}
	if step.Sign() == 0 {
		step.SetInt64(1)
	}
	for ; to.Cmp(from) > 0 && int64(len(out)) < count; to.Sub(to, step) {
		bound, v := new(big.Int).Quo(to, thousand), int64(math.MaxInt64)
		if bound.IsInt64() { // else a round bound above the greatest one
			v = bound.Int64()
		}
		switch {
		case len(out) > 0 && v < lo:
			return out, nil
		case len(out) == 0 || v != out[len(out)-1]:
			out = append(out, v)
		}
	}
	return out, nil
}

var errBinOrder = fmt.Errorf("EQUI_WIDTH_BINS: the least value is above the greatest one")

// roundInt is a width nearby that is a round number.
func roundInt(step *big.Int) *big.Int {
	power := big.NewInt(1)
	for ten := big.NewInt(10); power.Cmp(step) < 0; power.Mul(power, ten) {
	}
	power.Quo(power, big.NewInt(10))
	if power.Sign() == 0 {
		return step
	}
	two, five := divisors(step.Cmp(new(big.Int).Mul(power, big.NewInt(3))) >= 0, step.Cmp(new(big.Int).Mul(power, big.NewInt(2))) >= 0)
	near := func(factor int64) *big.Int {
		divisor := new(big.Int).Mul(power, big.NewInt(factor))
		return multiple(step, divisor, new(big.Int).Quo(divisor, big.NewInt(2)))
	}
	byTwo, byFive := near(two), near(five)
	if distance := new(big.Int).Sub(step, byTwo); distance.CmpAbs(new(big.Int).Sub(step, byFive)) < 0 {
		return byTwo
	}
	return byFive
}

// divisors are the two factors of the power of ten by which a round width is divisible. They
// depend on whether the width is at least three times and twice that power.
func divisors(three, two bool) (byTwo, byFive int64) {
	byTwo, byFive = 2, 1
	if three {
		byTwo = 10
	}
	if two {
		byFive = 5
	}
	return byTwo, byFive
}

// multiple is the last multiple of the divisor up to v and more.
func multiple(v, divisor, more *big.Int) *big.Int {
	sum := new(big.Int).Add(v, more)
	return sum.Quo(sum, divisor).Mul(sum, divisor)
}

func floatBins(out []float64, lo, hi float64, count int64, round bool) ([]float64, error) {
	n := float64(count)
	step := (hi - lo) / n
	switch {
	case !isFinite(lo) || !isFinite(hi):
		return nil, fmt.Errorf("EQUI_WIDTH_BINS: there are no bins between %v and %v", lo, hi)
	case lo > hi:
		return nil, errBinOrder
	case !isFinite(step):
		step = hi/n - lo/n
	}
	if step == 0 {
		return out, nil
	}
	power := powerBelow(step)
	if round {
		step = roundFloat(step, power)
		if end := math.Ceil(hi/step) * step; isFinite(end) {
			hi = end
		}
		count *= 2
	}
	for at, scale := hi, 10/power; at > lo && int64(len(out)) < count; at -= step {
		bound := at
		if round { // sums are not exact
			bound = math.Round(at*scale) / scale
		}
		if bound <= lo || at-step == at {
			break
		}
		if len(out) == 0 || bound != out[len(out)-1] {
			out = append(out, bound)
		}
	}
	return out, nil
}

func isFinite(v float64) bool { return !math.IsInf(v, 0) && v == v }

// powerBelow is the power of ten below v.
func powerBelow(v float64) float64 {
	power := 1.0
	if v < 1 {
		for power > v && power > 0 {
			power /= 10
		}
		return power
	}
	for power < v {
		power *= 10
	}
	return power / 10
}

func roundFloat(step, power float64) float64 {
	two, five := divisors(power*3 <= step, power*2 <= step)
	near := func(factor int64) float64 {
		divisor := power * float64(factor)
		if v := math.Round(step/divisor) * divisor; isFinite(v) {
			return v
		}
		return step
	}
	if byTwo, byFive := near(two), near(five); math.Abs(step-byTwo) < math.Abs(step-byFive) {
		return byTwo
	} else {
		return byFive
	}
}
