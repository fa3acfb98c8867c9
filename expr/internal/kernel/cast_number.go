package kernel

import (
	"math"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

func (c caster) toBool() (Operation, bool) {
	switch {
	case c.from.IsText():
		return convert(c, scalar.ParseBool), true
	case c.from.Kind == vector.UBigInt:
		return sure(func(v uint64) bool { return v != 0 }), true
	case c.from.IsInteger():
		return sure(func(v int64) bool { return v != 0 }), true
	case c.from.Kind == vector.Double:
		return sure(func(v float64) bool { return v != 0 }), true
	case c.from.IsFloat():
		return sure(func(v float32) bool { return v != 0 }), true
	case c.from.Kind == vector.Decimal:
		switch c.from.Storage() {
		case vector.StoreInt64:
			return sure(func(v int64) bool { return v != 0 }), true
		case vector.StoreInt128:
			return sure(func(v vector.Int128) bool { return v.Sign() != 0 }), true
		}
		return sure(func(v string) bool { return vector.DecodeBigDecimal(v).Sign() != 0 }), true
	}
	return Operation{}, false
}

// integerRange is the least and the greatest value of an integer type except UBIGINT.
func integerRange(t vector.Type) (lo, hi int64) {
	if t.IsUnsigned() {
		return 0, 1<<t.Bits() - 1
	}
	return math.MinInt64 >> (64 - t.Bits()), math.MaxInt64 >> (64 - t.Bits())
}

func (c caster) toInteger() (Operation, bool) {
	lo, hi := integerRange(c.to)
	in := func(v int64) bool { return lo <= v && v <= hi }
	least := float64(lo) // what is below it is no value of the type, even where it would be rounded to one
	in128 := func(v vector.Int128, ok bool) (int64, bool) { return v.Int64(), ok && v.IsInt64() && in(v.Int64()) }
	switch {
	case c.from.IsText() && c.to.IsUnsigned():
		return convert(c, func(s string) (int64, bool) {
			v, ok := scalar.ParseUint64(s)
			return int64(v), ok && v <= uint64(hi)
		}), true
	case c.from.IsText():
		return convert(c, func(s string) (int64, bool) { v, ok := scalar.ParseInt64(s); return v, ok && in(v) }), true
	case c.from.Kind == vector.Boolean:
		return sure(func(v bool) int64 { return int64(scalar.BoolRank(v)) }), true
	case c.from.Kind == vector.UBigInt:
		return convert(c, func(v uint64) (int64, bool) { return int64(v), v <= math.MaxInt64 && in(int64(v)) }), true
	case c.from.IsInteger():
		if least, most := integerRange(c.from); lo <= least && most <= hi {
			return Operation{}, true
		}
		return convert(c, func(v int64) (int64, bool) { return v, in(v) }), true
	case c.from.Kind == vector.Double:
		return convert(c, func(v float64) (int64, bool) { w, ok := roundEven(v); return w, ok && v >= least && w <= hi }), true
	case c.from.IsFloat():
		return convert(c, func(v float32) (int64, bool) {
			w, ok := roundEven(float64(v))
			return w, ok && float64(v) >= least && w <= hi
		}), true
	case c.from.Kind == vector.Decimal:
		scale := c.from.Scale
		switch c.from.Storage() {
		case vector.StoreInt64:
			by := vector.NewDivider(scalar.Powers64[scale])
			return convert(c, func(v int64) (int64, bool) { w := by.Nearest(v); return w, in(w) }), true
		case vector.StoreInt128:
			return convert(c, func(v vector.Int128) (int64, bool) { return in128(scalar.Rescale(v, -scale)) }), true
		}
		return convert(c, func(v string) (int64, bool) { return in128(bigInteger(v, scale)) }), true
	}
	return Operation{}, false
}

// bigInteger rounds a big decimal to an integer.
func bigInteger(v string, scale int) (vector.Int128, bool) {
	w, ok := scalar.RescaleBig(vector.DecodeBigDecimal(v), -scale)
	if !ok {
		return vector.Int128{}, false
	}
	return vector.Int128FromBig(w)
}

// roundEven rounds half to even; ok is false outside 64 bits.
func roundEven(v float64) (int64, bool) {
	r := math.RoundToEven(v)
	return int64(r), r >= -1<<63 && r < 1<<63
}

func (c caster) toUnsigned() (Operation, bool) {
	from128 := func(v vector.Int128, ok bool) (uint64, bool) { return v.Lo, ok && v.Hi == 0 }
	fromFloat := func(v float64) (uint64, bool) {
		r := math.RoundToEven(v)
		return uint64(r), v >= 0 && r < 1<<64
	}
	switch {
	case c.from.IsText():
		return convert(c, scalar.ParseUint64), true
	case c.from.Kind == vector.Boolean:
		return sure(func(v bool) uint64 { return uint64(scalar.BoolRank(v)) }), true
	case c.from.IsInteger():
		return convert(c, func(v int64) (uint64, bool) { return uint64(v), v >= 0 }), true
	case c.from.Kind == vector.Double:
		return convert(c, fromFloat), true
	case c.from.IsFloat():
		return convert(c, func(v float32) (uint64, bool) { return fromFloat(float64(v)) }), true
	case c.from.Kind == vector.Decimal:
		scale := c.from.Scale
		switch c.from.Storage() {
		case vector.StoreInt64:
			down := vector.NewDivider(scalar.Powers64[scale])
			return convert(c, func(v int64) (uint64, bool) { v = down.Nearest(v); return uint64(v), v >= 0 }), true
		case vector.StoreInt128:
			return convert(c, func(v vector.Int128) (uint64, bool) { return from128(scalar.Rescale(v, -scale)) }), true
		}
		return convert(c, func(v string) (uint64, bool) { return from128(bigInteger(v, scale)) }), true
	}
	return Operation{}, false
}

func (c caster) toFloat() (Operation, bool) {
	if c.to.Kind == vector.Double {
		return toFloatOf[float64](c, 64)
	}
	return toFloatOf[float32](c, 32)
}

// toFloatOf has special loops for the casts that comparison and arithmetic insert.
func toFloatOf[F float32 | float64](c caster, bits int) (Operation, bool) {
	switch {
	case c.from.IsText():
		return convert(c, func(s string) (F, bool) { v, ok := scalar.ParseFloat(s, bits); return F(v), ok }), true
	case c.from.Kind == vector.Boolean:
		return sure(func(v bool) F { return F(scalar.BoolRank(v)) }), true
	case c.from.Kind == vector.UBigInt:
		return loop[uint64, F](), true
	case c.from.IsInteger():
		return loop[int64, F](), true
	case c.from.Kind == vector.Double && bits == 32:
		return convert(c, func(v float64) (F, bool) { f := F(v); return f, !math.IsInf(float64(f), 0) || math.IsInf(v, 0) }), true
	case c.from.Kind == vector.Double:
		return loop[float64, F](), true
	case c.from.IsFloat() && bits == 32:
		return Operation{}, true
	case c.from.IsFloat():
		return loop[float32, F](), true
	case c.from.Kind == vector.Decimal:
		scale := c.from.Scale
		switch c.from.Storage() {
		case vector.StoreInt64:
			return decimalLoop[F](scale), true
		case vector.StoreInt128:
			return sure(func(v vector.Int128) F { return F(scalar.DecimalFloat(v, scale)) }), true
		}
		return sure(func(v string) F { return F(scalar.BigFloat(vector.DecodeBigDecimal(v), scale)) }), true
	}
	return Operation{}, false
}

// loop converts numbers as Go does.
func loop[S, D int64 | uint64 | float32 | float64]() Operation {
	return Operation{Make: func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, r := *vector.Slice[S](args[0]), *vector.Slice[D](&out.Vector)
			if rows == nil {
				r = r[:len(a)]
				for i, v := range a {
					r[i] = D(v)
				}
				return nil
			}
			for _, i := range rows {
				r[i] = D(a[i])
			}
			return nil
		}
	}}
}

// decimalLoop divides if numerator and power are exact as doubles, which is nearly
// always the case.
func decimalLoop[F float32 | float64](scale int) Operation {
	power := math.Pow10(scale)
	return Operation{Make: func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, r := args[0].I64, *vector.Slice[F](&out.Vector)
			for _, i := range Listed(rows, n) {
				v := a[i]
				if v < -1<<53 || v > 1<<53 {
					r[i] = F(scalar.DecimalFloat(vector.Int128From(v), scale))
					continue
				}
				r[i] = F(float64(v) / power)
			}
			return nil
		}
	}}
}
