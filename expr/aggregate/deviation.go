package aggregate

import (
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// bindDeviation is MAD, the median of the distances from the median. Between times it is
// an INTERVAL.
func bindDeviation(a *Call) error {
	t, err := a.castToInterpolate()
	if err != nil {
		return err
	}
	result := t
	if t.IsTimestamp() || t.Kind == vector.Time {
		result = vector.Of(vector.Interval)
	}
	a.collectsByValue(result, func(args []*vector.Vector, n int, row func(k int) int) (vector.Scalar, error) {
		d := inOrder{args[0], n, row}.deviation()
		if result.Kind == vector.Interval {
			micros := d.I64 / (t.Unit.PerSecond() / vector.Micros.PerSecond())
			const perDay = 86400 * 1_000_000
			return vector.Scalar{Type: result, Interval: vector.IntervalValue{Days: micros / perDay, Micros: micros % perDay}}, nil
		}
		return d, nil
	})
	return nil
}

// deviation is the median of the distances from the median.
func (v inOrder) deviation() vector.Scalar {
	middle := v.between(0, float64(v.n-1)/2)
	half := v.n / 2
	if v.n <= fewItems && v.from.Type.Kind == vector.Double {
		if d, ok := v.fewDeviations(middle.F64); ok {
			if v.n%2 == 1 {
				return vector.FloatScalar(d[half])
			}
			return betweenScalars(vector.FloatScalar(d[half-1]), vector.FloatScalar(d[half]), 0.5)
		}
	}
	// From the middle on the distances grow in both directions.
	below := func(i int) vector.Scalar { return distance(v.at(0, half-1-i), middle) }
	above := func(i int) vector.Scalar { return distance(v.at(0, half+i), middle) }
	kth := func(k int) vector.Scalar { return kthOfTwo(k, half, v.n-half, below, above) }
	if math.IsInf(middle.F64+float64(middle.F32), 0) { // to an infinite value there is no distance
		var all []vector.Scalar
		for i := range v.n {
			all = append(all, distance(v.at(0, i), middle))
		}
		slices.SortFunc(all, func(a, b vector.Scalar) int { return a.Compare(&b) })
		kth = func(k int) vector.Scalar { return all[k] }
	}
	low := kth((v.n - 1) / 2)
	if v.n%2 == 1 {
		return low
	}
	return betweenScalars(low, kth(half), 0.5)
}

// fewDeviations are the distances of few doubles from a value in ascending order, if all are finite.
func (v inOrder) fewDeviations(middle float64) (d [fewItems]float64, ok bool) {
	for k := range v.n {
		d[k] = math.Abs(v.from.F64[v.row(k)] - middle)
		if d[k]-d[k] != 0 {
			return d, false
		}
	}
	slices.Sort(d[:v.n])
	return d, true
}
