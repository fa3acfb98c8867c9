package kernel

import (
	"math/big"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

func (c caster) toDecimal() (Operation, bool) {
	precision, scale := c.to.Precision, c.to.Scale
	switch c.to.Storage() {
	case vector.StoreInt64:
		return toDecimalOf(c, func(v vector.Int128) (int64, bool) { return v.Int64(), scalar.FitsPrecision(v, precision) },
			func(v *big.Int) (int64, bool) { return v.Int64(), scalar.FitsBig(v, precision) })
	case vector.StoreInt128:
		return toDecimalOf(c, func(v vector.Int128) (vector.Int128, bool) { return v, scalar.FitsPrecision(v, precision) },
			func(v *big.Int) (vector.Int128, bool) {
				w, ok := vector.Int128FromBig(v)
				return w, ok && scalar.FitsPrecision(w, precision)
			})
	}
	encode := func(v *big.Int) (string, bool) { return vector.EncodeBigDecimal(v), scalar.FitsBig(v, precision) }
	if c.from.IsText() {
		return convert(c, func(s string) (string, bool) {
			n, ok := scalar.ParseNumeral(s)
			if !ok {
				return "", false
			}
			v, ok := n.Big(precision, scale)
			if !ok {
				return "", false
			}
			return encode(v)
		}), true
	}
	return toDecimalOf(c, nil, encode)
}

// toDecimalOf converts to a decimal of storage D. If by128 is nil, it computes with
// math/big.
func toDecimalOf[D vector.Value](c caster, by128 func(vector.Int128) (D, bool), byBig func(*big.Int) (D, bool)) (Operation, bool) {
	precision, scale := c.to.Precision, c.to.Scale
	widened := func(v vector.Int128, from int) (D, bool) {
		if by128 == nil {
			return rescaled(v.Big(), scale-from, byBig)
		}
		w, ok := scalar.Rescale(v, scale-from)
		if !ok {
			var zero D
			return zero, false
		}
		return by128(w)
	}
	fromFloat := func(f float64) (D, bool) {
		v, ok := scalar.FloatDecimal(f, precision, scale)
		if !ok || by128 == nil {
			var zero D
			return zero, false
		}
		return by128(v)
	}
	switch {
	case c.from.IsText():
		return convert(c, func(s string) (D, bool) {
			var v vector.Int128
			n, ok := scalar.ParseNumeral(s)
			if ok {
				v, ok = n.Scaled(precision, scale)
			}
			if !ok {
				var zero D
				return zero, false
			}
			return by128(v)
		}), true
	case c.from.Kind == vector.Boolean:
		return convert(c, func(v bool) (D, bool) { return widened(vector.Int128From(int64(scalar.BoolRank(v))), 0) }), true
	case c.from.Kind == vector.UBigInt:
		return convert(c, func(v uint64) (D, bool) { return widened(vector.Int128FromUint(v), 0) }), true
	case c.from.Kind == vector.Double:
		return convert(c, fromFloat), true
	case c.from.IsFloat():
		return convert(c, func(v float32) (D, bool) { return fromFloat(float64(v)) }), true
	case c.from.IsInteger(), c.from.Kind == vector.Decimal:
		return fromUnscaled(c, widened, byBig), true
	}
	return Operation{}, false
}

// fromUnscaled converts from integers, which are decimals of scale 0, and
// decimals.
func fromUnscaled[D vector.Value](c caster, widened func(vector.Int128, int) (D, bool), byBig func(*big.Int) (D, bool)) Operation {
	from := scalar.DecimalOfType(c.from)
	switch c.from.Storage() {
	case vector.StoreInt64:
		wider := from.Precision-from.Scale <= c.to.Precision-c.to.Scale && from.Scale <= c.to.Scale
		if by := c.to.Scale - from.Scale; wider && by < len(scalar.Powers64) {
			switch c.to.Storage() {
			case vector.StoreInt64:
				return scaleUp64(by)
			case vector.StoreInt128:
				return scaleUp128(by)
			}
		}
		if by := c.to.Scale - from.Scale; c.to.Storage() == vector.StoreInt64 && by < len(scalar.Powers64) && -by < len(scalar.Powers64) {
			return scale64(c, by)
		}
		if by := from.Scale - c.to.Scale; by > 0 && by < len(scalar.Powers64) {
			down := vector.NewDivider(scalar.Powers64[by])
			return convert(c, func(v int64) (D, bool) { return widened(vector.Int128From(down.Nearest(v)), c.to.Scale) })
		}
		return convert(c, func(v int64) (D, bool) { return widened(vector.Int128From(v), from.Scale) })
	case vector.StoreInt128:
		if c.to.Storage() == vector.StoreInt128 && from.Scale == c.to.Scale && from.Precision <= c.to.Precision {
			return Operation{}
		}
		return convert(c, func(v vector.Int128) (D, bool) { return widened(v, from.Scale) })
	}
	return convert(c, func(v string) (D, bool) {
		return rescaled(vector.DecodeBigDecimal(v), c.to.Scale-from.Scale, byBig)
	})
}

func rescaled[D any](v *big.Int, by int, then func(*big.Int) (D, bool)) (D, bool) {
	w, ok := scalar.RescaleBig(v, by)
	if !ok {
		var zero D
		return zero, false
	}
	return then(w)
}

// scaleUp64 multiplies by a power of ten if the target can hold every value. This is
// the cast that arithmetic inserts.
func scaleUp64(by int) Operation {
	if by == 0 {
		return Operation{}
	}
	p := scalar.Powers64[by]
	return Operation{Make: func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, r := args[0].I64, out.I64
			for _, i := range Listed(rows, n) {
				r[i] = a[i] * p
			}
			return nil
		}
	}}
}

// scale64 multiplies by a power of ten, or divides and rounds half away from zero, and checks the
// result.
func scale64(c caster, by int) Operation {
	most, p := scalar.Powers64[c.to.Precision], int64(1)
	least := -most // exclusive, of what is multiplied or was divided
	if by > 0 {
		p = scalar.Powers64[by]
		most = scalar.Powers64[max(c.to.Precision-by, 0)]
		least = -most
	}
	return Operation{Careful: true, Make: func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, r, down := OperandOf[int64](args[0]), out.I64, vector.NewDivider(scalar.Powers64[max(-by, 0)])
			for _, i := range Listed(rows, n) {
				v := a.At(i)
				if by < 0 {
					v = down.Nearest(v)
				}
				if v >= most || v <= least {
					if !c.try {
						return c.fail(args[0], int(i))
					}
					out.Null(int(i))
				}
				r[i] = v * p
			}
			return nil
		}
	}}
}

func scaleUp128(by int) Operation {
	p := scalar.Powers64[by]
	return Operation{Make: func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, r := args[0].I64, out.I128
			for _, i := range Listed(rows, n) {
				r[i] = vector.MulInt64(a[i], p)
			}
			return nil
		}
	}}
}

// Clamped converts integers and decimals to a DECIMAL in math/big of a far larger scale, to be
// compared with values of columns of that type. What is too long to be computed becomes a number
// that is longer than all of these, with the same sign.
func Clamped(from, to vector.Type) Operation {
	by := to.Scale - scalar.DecimalOfType(from).Scale
	most := scalar.TenToBig(vector.MaxDecimalDigits)
	above, below := vector.EncodeBigDecimal(most), vector.EncodeBigDecimal(new(big.Int).Neg(most))
	clamp := func(v *big.Int) string {
		w, ok := scalar.RescaleBig(v, by)
		switch {
		case ok:
			return vector.EncodeBigDecimal(w)
		case v.Sign() < 0:
			return below
		}
		return above
	}
	switch from.Storage() {
	case vector.StoreInt64:
		return sure(func(v int64) string { return clamp(big.NewInt(v)) })
	case vector.StoreUint64:
		return sure(func(v uint64) string { return clamp(new(big.Int).SetUint64(v)) })
	case vector.StoreInt128:
		return sure(func(v vector.Int128) string { return clamp(v.Big()) })
	}
	return sure(func(v string) string { return clamp(vector.DecodeBigDecimal(v)) })
}
