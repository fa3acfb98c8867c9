package aggregate

import (
	"fmt"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/expr"

	"github.com/parquetsql/parquetsql/vector"
)

// fractions are the fractions of a quantile: one, or several for a LIST of results. A
// negative one, also -0.0, counts from the greatest value; beside one 0 does so, too.
type fractions struct {
	of   []float64
	list bool
}

// takeFractions makes argument 1 a parameter.
func (a *Call) takeFractions() (fractions, error) {
	f := fractions{list: a.args[1].Type().Kind == vector.List}
	items := []vector.Scalar{}
	c, ok := expr.Literal(a.args[1])
	switch {
	case ok && f.list && !c.Null:
		for i := c.Nested.Offsets[0]; i < c.Nested.Offsets[1]; i++ {
			items = append(items, c.Nested.Children[0].Get(int(i)))
		}
	case ok:
		items = append(items, c)
	}
	ok = ok && (f.list || len(items) > 0) && !c.Null
	for _, item := range items {
		v, err := expr.CastScalar(item, vector.Of(vector.Double))
		ok = ok && err == nil && !v.Null && v.F64 >= -1 && v.F64 <= 1
		f.of = append(f.of, v.F64)
	}
	if !ok {
		return f, fmt.Errorf("the second argument of %s is not a constant from -1 to 1, or a list of these", a.name)
	}
	if slices.ContainsFunc(f.of, math.Signbit) {
		for i, v := range f.of {
			if v > 0 {
				return f, fmt.Errorf("the second argument of %s has fractions of both signs", a.name)
			}
			f.of[i] = math.Copysign(v, -1)
		}
	}
	a.args, a.params = a.args[:1], a.args[1:]
	return f, nil
}

// quantiles makes the result of each fraction by at, from the values in order.
func (a *Call) quantiles(f fractions, t vector.Type, at func(v inOrder, fraction float64) vector.Scalar) error {
	result := t
	if f.list {
		result = expr.ListType(t)
	}
	a.collectsByValue(result, func(args []*vector.Vector, n int, row func(k int) int) (vector.Scalar, error) {
		v := inOrder{args[0], n, row}
		if !f.list {
			return at(v, f.of[0]), nil
		}
		values := make([]vector.Scalar, len(f.of))
		for i, fraction := range f.of {
			values[i] = at(v, fraction)
		}
		child := &vector.Vector{}
		if err := child.FromScalars(t, values); err != nil {
			return vector.Scalar{}, err
		}
		return nestedScalar(result, len(values), child), nil
	})
	return a.comparable(a.args[0].Type())
}

// inOrder is n values in order, at least one.
type inOrder struct {
	from *vector.Vector
	n    int
	row  func(k int) int // the row of from that has the k-th value
}

// at is the k-th value from the side that the sign of the fraction says.
func (v inOrder) at(fraction float64, k int) vector.Scalar {
	k = min(max(k, 0), v.n-1)
	if math.Signbit(fraction) {
		k = v.n - 1 - k
	}
	return v.from.Get(v.row(k))
}

// bindDiscrete is QUANTILE_DISC: the first value that at least the fraction of the values
// do not exceed.
func bindDiscrete(a *Call) error {
	f, err := a.takeFractions()
	if err != nil {
		return err
	}
	return a.discrete(f)
}

func (a *Call) discrete(f fractions) error {
	return a.quantiles(f, a.args[0].Type(), func(v inOrder, fraction float64) vector.Scalar {
		n := float64(v.n)
		return v.at(fraction, int(n-math.Floor(n-math.Abs(fraction)*n))-1)
	})
}

// bindContinuous is QUANTILE_CONT, which interpolates between two values.
func bindContinuous(a *Call) error {
	f, err := a.takeFractions()
	if err != nil {
		return err
	}
	return a.continuous(f)
}

func (a *Call) continuous(f fractions) error {
	t, err := a.castToInterpolate()
	if err != nil {
		return err
	}
	if err := a.quantiles(f, t, func(v inOrder, fraction float64) vector.Scalar {
		return v.between(fraction, math.Abs(fraction)*float64(v.n-1))
	}); err != nil || t.Kind != vector.Double || f.list {
		return err
	}
	a.state = func() State { return &sortableState{value: t, typ: t, fraction: &f.of[0]} }
	return nil
}

// castToInterpolate casts the argument to a type whose values can be interpolated: whole
// numbers to DOUBLE, a DATE to TIMESTAMP. A FLOAT stays one, as in DuckDB.
func (a *Call) castToInterpolate() (vector.Type, error) {
	t := a.args[0].Type()
	switch {
	case t.IsInteger(), t.Kind == vector.Null:
		t = vector.Of(vector.Double)
	case t.IsFloat():
	case t.Kind == vector.Decimal && t.Precision <= 38:
	case t.Kind == vector.Date:
		t = vector.TimestampType(vector.Micros, false)
	case t.IsTimestamp():
		if t.Unit == vector.Wide {
			t.Unit = vector.Nanos
		}
		t.Unit = max(t.Unit, vector.Micros)
	case t.Kind == vector.Time:
		t.Unit = max(t.Unit, vector.Micros)
	default:
		return t, a.reject(t, "it needs numbers, dates or times; CAST the argument")
	}
	return t, a.cast(0, t)
}

// between is the value at a place, which may be between two values.
func (v inOrder) between(fraction, place float64) vector.Scalar {
	place = min(max(place, 0), float64(v.n-1))
	low := v.at(fraction, int(math.Floor(place)))
	if place == math.Floor(place) {
		return low
	}
	return betweenScalars(low, v.at(fraction, int(math.Ceil(place))), place-math.Floor(place))
}

// bindMedian is QUANTILE_CONT(x, 0.5), or QUANTILE_DISC where values have no mean.
func bindMedian(a *Call) error {
	f := fractions{of: []float64{0.5}}
	switch t := a.args[0].Type(); {
	case t.IsNumeric() && !(t.Kind == vector.Decimal && t.Precision > 38), t.Kind == vector.Null, t.Kind == vector.Date, t.IsTimestamp(), t.Kind == vector.Time:
		return a.continuous(f)
	}
	return a.discrete(f)
}

// bindApproximate is APPROX_QUANTILE: each value stands for the middle of its part of the
// values, as in a digest. The result has the type of the values.
func bindApproximate(a *Call) error {
	f, err := a.takeFractions()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(f.of, func(v float64) bool { return v < 0 }) {
		return fmt.Errorf("the second argument of %s is not from 0 to 1", a.name)
	}
	t := a.args[0].Type()
	switch k := t.Kind; {
	case k == vector.Float:
		t = vector.Of(vector.Double)
		if err := a.cast(0, t); err != nil {
			return err
		}
	case !t.IsInteger() && k != vector.Date:
		if t, err = a.castToInterpolate(); err != nil {
			return err
		}
	}
	return a.quantiles(f, t, func(v inOrder, fraction float64) vector.Scalar {
		return v.between(0, math.Abs(fraction)*float64(v.n)-0.5)
	})
}
