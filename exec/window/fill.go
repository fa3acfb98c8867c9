package window

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/vector"
)

// fill is FILL. A NULL lies on the line through the values next to it, one before and one
// behind it if there are both, else the two nearest ones. With one value in the partition
// it is that value. Values and keys that are NULL, infinite or NaN are on no line.
type fill struct {
	value, key int // columns
	before     []int32
	behind     []int32 // by row: the nearest rows that are on a line; -1: none in the partition
}

func (m *maker) newFill(c *window.Call) (evaluator, error) {
	if len(m.plan.peers) != 1 || !window.Linear(m.plan.types[m.plan.peers[0]]) {
		return nil, fmt.Errorf("%s needs one key of ORDER BY that is a number, a date or a time", c)
	}
	key := m.plan.peers[0]
	m.plan.resident[key] = true
	return &fill{value: m.column(c.Args()[0]), key: key}, nil
}

func (f *fill) bytes() int64 { return int64(cap(f.before)+cap(f.behind)) * 4 }

func (f *fill) prepare(ctx context.Context, s *section) error {
	f.before, f.behind = vector.Resize(f.before, s.n), vector.Resize(f.behind, s.n)
	values, keys := s.vec(f.value), s.vec(f.key)
	for p := range len(s.parts) - 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		from, to := s.parts[p], s.parts[p+1]
		near := int32(-1)
		for i := from; i < to; i++ {
			f.before[i] = near
			if finite(values, int(i)) && finite(keys, int(i)) {
				near = i
			}
		}
		near = -1
		for i := to - 1; i >= from; i-- {
			f.behind[i] = near
			if finite(values, int(i)) && finite(keys, int(i)) {
				near = i
			}
		}
	}
	return nil
}

// finite reports whether a value is one of a line.
func finite(v *vector.Vector, i int) bool {
	if v.IsNull(i) {
		return false
	}
	switch v.Type.Storage() {
	case vector.StoreFloat32:
		return !math.IsInf(float64(v.F32[i]), 0) && v.F32[i] == v.F32[i]
	case vector.StoreFloat64:
		return !math.IsInf(v.F64[i], 0) && v.F64[i] == v.F64[i]
	}
	return true
}

func (f *fill) eval(_ context.Context, s *section, from, n int, out *vector.Vector) error {
	values, keys := s.vec(f.value), s.vec(f.key)
	results := make([]vector.Scalar, n)
	for i := range results {
		row := from + i
		if results[i] = values.Get(row); !values.IsNull(row) || !finite(keys, row) {
			continue
		}
		a, b := f.before[row], f.behind[row]
		switch {
		case a >= 0 && b < 0:
			a, b = f.before[a], a
		case a < 0 && b >= 0:
			a, b = b, f.behind[b]
		}
		if a < 0 || b < 0 {
			if one := max(a, b); one >= 0 {
				results[i] = values.Get(int(one))
			}
			continue
		}
		results[i] = between(values, keys, int(a), int(b), row)
	}
	return out.FromScalars(values.Type, results)
}

// between is the value of a row on the line through those of the rows a and b.
func between(values, keys *vector.Vector, a, b, row int) vector.Scalar {
	part := 0.0
	if gap := distance(keys, a, b); gap != 0 {
		part = distance(keys, a, row) / gap
	}
	return onLine(values, a, b, part)
}

// distance is how far a value is above another one.
func distance(v *vector.Vector, from, to int) float64 {
	switch v.Type.Storage() {
	case vector.StoreFloat32:
		return float64(v.F32[to]) - float64(v.F32[from])
	case vector.StoreFloat64:
		return v.F64[to] - v.F64[from]
	}
	return wide(v, to).Sub(wide(v, from)).Float64()
}

// wide is a value that is stored as an integer.
func wide(v *vector.Vector, i int) vector.Int128 {
	switch v.Type.Storage() {
	case vector.StoreUint64:
		return vector.Int128FromUint(v.U64[i])
	case vector.StoreInt128:
		return v.I128[i]
	}
	return vector.Int128From(v.I64[i])
}

// onLine is the value at a part of the way from one value to another; NULL if its type
// does not have it. As in DuckDB, the way of what is not a float is cut to a whole number
// between the two, and beyond them rounded, half to even.
func onLine(v *vector.Vector, from, to int, part float64) vector.Scalar {
	out, way := v.Get(from), distance(v, from, to)*part
	storage := v.Type.Storage()
	switch storage {
	case vector.StoreFloat32:
		out.F32 += float32(way)
		return out
	case vector.StoreFloat64:
		out.F64 += way
		return out
	}
	const most = 1 << 126
	if !(math.Abs(way) < most) {
		return vector.NullOf(v.Type)
	}
	if part < 0 || part > 1 {
		way = math.RoundToEven(way)
	}
	whole, _ := big.NewFloat(way).Int(nil)
	step, _ := vector.Int128FromBig(whole)
	at, ok := wide(v, from).AddChecked(step)
	if !ok || !has(v.Type, at) {
		return vector.NullOf(v.Type)
	}
	switch storage {
	case vector.StoreUint64:
		out.U64 = at.Lo
	case vector.StoreInt128:
		out.I128 = at
	default:
		out.I64 = at.Int64()
	}
	return out
}

// has reports whether a type has a value that is stored as an integer.
func has(t vector.Type, at vector.Int128) bool {
	size := new(big.Int).Abs(at.Big())
	switch {
	case t.Kind == vector.Decimal:
		return size.Cmp(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Precision)), nil)) < 0
	case t.IsUnsigned():
		return at.Sign() >= 0 && size.BitLen() <= t.Bits()
	case t.IsInteger():
		return size.BitLen() < t.Bits()
	case t.Kind == vector.Date:
		return size.BitLen() < 32
	case t.Kind == vector.Time:
		return at.Sign() >= 0 && size.Cmp(big.NewInt(86400*t.Unit.PerSecond())) <= 0
	}
	return at.IsInt64()
}
