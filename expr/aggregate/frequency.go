package aggregate

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// bindMode finds the most frequent value; of several that which came first.
func bindMode(a *Call) error {
	t := a.args[0].Type()
	return a.counts(t, Counted{Empty: vector.NullOf(t), results: modes, Result: func(v *vector.Vector, c Counts) (vector.Scalar, error) {
		return v.Get(int(c.Top(1)[0].First)), nil
	}})
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

// bindTopK is APPROX_TOP_K, which is exact here: a LIST of the k most frequent values.
func bindTopK(a *Call) error {
	k, err := a.smallNumber(1)
	if err != nil {
		return err
	}
	t := expr.ListType(a.args[0].Type())
	a.args, a.params = a.args[:1], a.args[1:]
	return a.counts(t, Counted{Empty: vector.NullOf(t), results: tops(k), Result: func(v *vector.Vector, c Counts) (vector.Scalar, error) {
		var top []int32
		for _, value := range c.Top(k) {
			top = append(top, value.First)
		}
		return listScalar(t, v, top)
	}})
}

// maxNumber bounds the number of values that a call may ask for, as DuckDB does.
const maxNumber = 1_000_000

// smallNumber is argument i, a constant number of values.
func (a *Call) smallNumber(i int) (int, error) {
	s, ok := expr.Literal(a.args[i])
	if !ok || s.Type.Kind != vector.BigInt || s.I64 < 1 || s.I64 >= maxNumber {
		return 0, fmt.Errorf("%s: the number of values is not a constant from 1 to %d; GREATEST and LEAST compare columns", a.name, maxNumber-1)
	}
	return int(s.I64), nil
}

// bindEntropy is the entropy of the values in bits.
func bindEntropy(a *Call) error {
	return a.counts(vector.Of(vector.Double), Counted{Empty: vector.FloatScalar(0), results: entropies, Result: func(_ *vector.Vector, c Counts) (vector.Scalar, error) {
		rows := make([]int64, 0, c.Len())
		for value := range c.All() {
			rows = append(rows, value.Rows)
		}
		return vector.FloatScalar(entropyOf(rows)), nil
	}})
}
