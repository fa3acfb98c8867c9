package aggregate

import (
	"math"
	"math/big"

	"github.com/parquetsql/parquetsql/vector"
)

// between is the value at a part of the way from low to high, to DuckDB's last digit.
func between(low, high, part float64) float64 {
	if low == high { // as infinities may be
		return low
	}
	return low*(1-part) + high*part
}

// exactBits are enough for the product of 128 bits and a float, and a sum with it.
const exactBits = 256

// betweenScalars is the value at a part of the way from low to high, which have the same type: a
// number, a date or a time. low is the greater one where values descend. As in DuckDB, the way
// between decimals is cut to their scale, or the result if they have more than 18 digits, and
// times are rounded.
func betweenScalars(low, high vector.Scalar, part float64) vector.Scalar {
	switch low.Type.Storage() {
	case vector.StoreFloat32:
		low.F32 = float32(between(float64(low.F32), float64(high.F32), part))
	case vector.StoreFloat64:
		low.F64 = between(low.F64, high.F64, part)
	case vector.StoreInt64:
		if low.Type.Kind == vector.Decimal {
			low.I64 += int64(float64(high.I64-low.I64) * part)
			return low
		}
		round := math.RoundToEven
		if low.Type.IsTimestamp() || low.Type.Kind == vector.Time {
			round = math.Round
		}
		const exact = 1 << 53
		if from, to := float64(low.I64), float64(high.I64); math.Abs(from) < exact && math.Abs(to) < exact {
			low.I64 = int64(round(from + (to-from)*part))
		} else {
			low.I64 = betweenInts(low.I64, high.I64, part)
		}
	case vector.StoreInt128:
		from := low.I128.Big()
		at := new(big.Float).SetPrec(exactBits).SetInt(new(big.Int).Sub(high.I128.Big(), from))
		at.Mul(at, big.NewFloat(part)).Add(at, new(big.Float).SetInt(from))
		if whole, _ := at.Int(nil); whole != nil {
			if v, ok := vector.Int128FromBig(whole); ok {
				low.I128 = v
			}
		}
	}
	return low
}

// betweenInts is the integer at a part of the way between two that doubles do not hold, rounded half
// away from zero.
func betweenInts(low, high int64, part float64) int64 {
	from := big.NewInt(low)
	at := new(big.Float).SetPrec(exactBits).SetInt(new(big.Int).Sub(big.NewInt(high), from))
	at.Mul(at, big.NewFloat(part)).Add(at, new(big.Float).SetInt(from))
	half := big.NewFloat(math.Copysign(0.5, float64(at.Sign())))
	rounded, _ := at.Add(at, half).Int64()
	return rounded
}

// distance is the absolute value of a difference. One that the type cannot hold is its greatest
// value, which is more than half of all values have to their median.
func distance(a, b vector.Scalar) vector.Scalar {
	if a.Compare(&b) < 0 {
		a, b = b, a
	}
	a.F32, a.F64, a.I64, a.I128 = a.F32-b.F32, a.F64-b.F64, a.I64-b.I64, a.I128.Sub(b.I128)
	if a.I64 < 0 {
		a.I64 = math.MaxInt64
	}
	if a.I128.Sign() < 0 {
		a.I128 = vector.Int128{Hi: math.MaxInt64, Lo: math.MaxUint64}
	}
	return a
}
