package aggregate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// bindMode finds the most frequent value; of several that which came first.
func bindMode(a *Call) error {
	t := a.args[0].Type()
	a.collects(t, func(rows []int32, cols []*vector.Vector) (vector.Scalar, error) {
		return cols[0].Get(int(byFrequency(runsOf(rows, cols[0]))[0].first)), nil
	})
	return a.comparable(t)
}

// comparable is an error for types whose values have no order.
func (a *Call) comparable(t vector.Type) error {
	switch t.Shown().Kind {
	case vector.Variant, vector.BSON, vector.Geometry, vector.Geography:
		return a.reject(t, "its values have no order")
	}
	if expr.HasVariant(t) {
		return a.reject(t, "its values have no order")
	}
	return nil
}

// byFrequency sorts the most frequent values to the front, equally frequent ones by their
// arrival.
func byFrequency(runs []run) []run {
	slices.SortFunc(runs, func(a, b run) int {
		if c := cmp.Compare(b.count, a.count); c != 0 {
			return c
		}
		return cmp.Compare(a.first, b.first)
	})
	return runs
}

// bindTopK is APPROX_TOP_K, which is exact here: a LIST of the k most frequent values.
func bindTopK(a *Call) error {
	k, err := a.smallNumber(1)
	if err != nil {
		return err
	}
	t := expr.ListType(a.args[0].Type())
	a.args, a.params = a.args[:1], a.args[1:]
	a.collects(t, func(rows []int32, cols []*vector.Vector) (vector.Scalar, error) {
		var top []int32
		for _, r := range byFrequency(runsOf(rows, cols[0])) {
			if top = append(top, r.first); len(top) == k {
				break
			}
		}
		return listScalar(t, cols[0], top)
	})
	return a.comparable(a.args[0].Type())
}

// maxNumber bounds the number of values that a call may ask for, as DuckDB does.
const maxNumber = 1_000_000

// smallNumber is argument i, a constant number of values.
func (a *Call) smallNumber(i int) (int, error) {
	s, ok := expr.Literal(a.args[i])
	if !ok || s.Type.Kind != vector.BigInt || s.I64 < 1 || s.I64 >= maxNumber {
		return 0, fmt.Errorf("%s: the number of values is not a constant from 1 to %d", a.name, maxNumber-1)
	}
	return int(s.I64), nil
}

// bindHistogram counts each value: a MAP from values to numbers.
func bindHistogram(a *Call) error {
	key := a.args[0].Type()
	t := expr.MapType(key, vector.Of(vector.UBigInt))
	a.collects(t, func(rows []int32, cols []*vector.Vector) (vector.Scalar, error) {
		runs := runsOf(rows, cols[0])
		first, counts := make([]int32, len(runs)), vector.New(vector.Of(vector.UBigInt), len(runs))
		for i, r := range runs {
			first[i], counts.U64[i] = r.first, uint64(r.count)
		}
		keys := vector.New(key, 0)
		if err := keys.Append(cols[0], first); err != nil {
			return vector.Scalar{}, err
		}
		return nestedScalar(t, len(runs), keys, counts), nil
	})
	return a.comparable(key)
}

// bindEntropy is the entropy of the values in bits.
func bindEntropy(a *Call) error {
	t := vector.Of(vector.Double)
	a.collects(t, func(rows []int32, cols []*vector.Vector) (vector.Scalar, error) {
		sum, n := 0.0, float64(len(rows))
		for _, r := range runsOf(rows, cols[0]) {
			p := float64(r.count) / n
			sum += p * math.Log2(1/p)
		}
		return vector.FloatScalar(sum), nil
	})
	inner := a.state
	a.state = func() State {
		s := inner().(*collectState)
		s.empty = vector.FloatScalar(0)
		return s
	}
	return a.comparable(a.args[0].Type())
}
