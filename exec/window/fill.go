package window

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/vector"
)

// fill is FILL. A NULL lies on the line through the values next to it, one before and one
// behind it if there are both, else the two nearest ones. With one value in the partition
// it is that value. Values and keys that are NULL, infinite or NaN are on no line.
//
// It goes ahead of the rows to the values behind them.
type fill struct {
	value, key int // columns
	places     []spot
	points     []point // the last two values before the row, and up to two behind it
	next, end  int     // the row to look at for the next value, and the end of its partition
}

// point is a row on the line.
type point struct {
	row          int
	values, keys *vector.Vector // which do not change
	at           int            // the row's place in them
}

func (m *maker) newFill(c *window.Call) (evaluator, error) {
	if len(m.plan.peers) != 1 || !window.Linear(m.plan.types[m.plan.peers[0]]) {
		return nil, fmt.Errorf("%s needs one key of ORDER BY that is a number, a date or a time", c)
	}
	key := m.plan.peers[0]
	m.plan.resident[key] = true
	return inSection{&fill{value: m.column(c.Args()[0]), key: key}}, nil
}

func (f *fill) bytes() int64              { return 0 }
func (f *fill) reads() (*values, *framer) { return nil, nil }

func (f *fill) begin(context.Context, *area) error {
	f.points, f.next, f.end = nil, 0, 0
	return nil
}

func (f *fill) results(ctx context.Context, a *area, out *vector.Vector) error {
	values, first, err := a.column(f.value)
	if err != nil {
		return err
	}
	keys, _, err := a.column(f.key)
	if err != nil {
		return err
	}
	if f.places, err = a.spots(f.places, false); err != nil {
		return err
	}
	results := make([]vector.Scalar, a.n)
	for i := range results {
		at, place := first+i, &f.places[i]
		if results[i] = values.Get(at); !values.IsNull(at) || !finite(keys, at) {
			continue
		}
		if f.end != place.end {
			f.points, f.next, f.end = f.points[:0], place.first, place.end
		}
		before, err := f.move(ctx, a, a.from+i)
		if err != nil {
			return err
		}
		line := f.points
		switch {
		case before > 0 && before < len(line): // one before the row and one behind it
			line = line[before-1 : before+1]
		case before > 0: // the last two
			line = line[max(0, before-2):]
		}
		switch line = line[:min(2, len(line))]; len(line) {
		case 1:
			results[i] = line[0].values.Get(line[0].at)
		case 2:
			results[i] = between(line[0], line[1], keys, at)
		}
	}
	return out.FromScalars(values.Type, results)
}

// move finds the points around a row, and says how many of them are before it.
func (f *fill) move(ctx context.Context, a *area, row int) (before int, err error) {
	for before < len(f.points) && f.points[before].row < row {
		before++
	}
	if gone := before - 2; gone > 0 {
		f.points, before = slices.Delete(f.points, 0, gone), 2
	}
	for len(f.points)-before < 2 && f.next < f.end {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		values, first, behind, err := a.around(f.next, f.value)
		if err != nil {
			return 0, err
		}
		keys, _, _, err := a.around(f.next, f.key)
		if err != nil {
			return 0, err
		}
		for behind = min(behind, f.end); f.next < behind && len(f.points)-before < 2; f.next++ {
			p := point{f.next, values, keys, f.next - first}
			switch {
			case !finite(values, p.at) || !finite(keys, p.at):
			case f.next > row:
				f.points = append(f.points, p)
			case before < 2:
				f.points, before = append(f.points, p), before+1
			default:
				f.points[0], f.points[1] = f.points[1], p
			}
		}
	}
	return before, nil
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

// between is the value of a row, whose key is at a place of keys, on the line through two others.
func between(a, b point, keys *vector.Vector, at int) vector.Scalar {
	part := 0.0
	if gap := distance(a.keys, a.at, b.keys, b.at); gap != 0 {
		part = distance(a.keys, a.at, keys, at) / gap
	}
	return onLine(a, b, part)
}

// distance is how far the value at a place of a vector is above one of another, of the same type.
func distance(from *vector.Vector, i int, to *vector.Vector, j int) float64 {
	switch from.Type.Storage() {
	case vector.StoreFloat32:
		return float64(to.F32[j]) - float64(from.F32[i])
	case vector.StoreFloat64:
		return to.F64[j] - from.F64[i]
	}
	return wide(to, j).Sub(wide(from, i)).Float64()
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
func onLine(from, to point, part float64) vector.Scalar {
	v := from.values
	out, way := v.Get(from.at), distance(v, from.at, to.values, to.at)*part
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
	at, ok := wide(v, from.at).AddChecked(step)
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
