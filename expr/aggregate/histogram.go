package aggregate

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate/bins"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// bindHistogram counts each value, or the values of each bin: a MAP to numbers.
func bindHistogram(a *Call) error {
	if len(a.args) == 2 {
		return bindBins(a, false)
	}
	key := a.args[0].Type()
	t := expr.MapType(key, vector.Of(vector.UBigInt))
	return a.counts(t, Counted{Empty: vector.NullOf(t), results: histograms, Result: func(v *vector.Vector, c Counts) (vector.Scalar, error) {
		first, rows := make([]int32, 0, c.Len()), make([]uint64, 0, c.Len())
		for value := range c.All() {
			first, rows = append(first, value.First), append(rows, uint64(value.Rows))
		}
		keys := vector.New(key, 0)
		if err := keys.Append(v, first); err != nil {
			return vector.Scalar{}, err
		}
		return numbered(t, keys, rows), nil
	}})
}

// bindBins is HISTOGRAM with bins, or HISTOGRAM_EXACT.
func bindBins(a *Call, exact bool) error {
	values := a.args[0].Type()
	if list := a.args[1].Type(); values.Kind == vector.Null && list.Kind == vector.List { // NULLs of any type
		values = list.Fields[0].Type
	}
	key, ok := bins.KeyOf(values)
	if !ok {
		return errs.Unsupported("%s with bins of %s", a.name, key)
	}
	if err := a.cast(0, key); err != nil {
		return err
	}
	b, err := a.bins(key, exact)
	if err != nil {
		return fmt.Errorf("the bins of %s: %w", a.name, err)
	}
	a.args, a.params = a.args[:1], a.args[1:]
	t := expr.MapType(key, vector.Of(vector.UBigInt))
	err = a.counts(t, Counted{Empty: vector.NullOf(t), Result: func(v *vector.Vector, c Counts) (vector.Scalar, error) {
		rows, others := make([]uint64, b.Len(), b.Len()+1), uint64(0)
		for value := range c.All() {
			if i := b.Find(v, int(value.First)); i >= 0 {
				rows[i] += uint64(value.Rows)
			} else {
				others += uint64(value.Rows)
			}
		}
		keys, err := b.Keys(others > 0)
		if err != nil {
			return vector.Scalar{}, err
		}
		return numbered(t, keys, append(rows, others)[:keys.Len]), nil
	}})
	if b.Len() < fewBins {
		a.state = func() State { return newBinnedState(t, b) }
	}
	return err
}

// numbered is a MAP from keys to numbers.
func numbered(t vector.Type, keys *vector.Vector, numbers []uint64) vector.Scalar {
	values := &vector.Vector{Type: vector.Of(vector.UBigInt), Len: len(numbers), U64: numbers}
	return nestedScalar(t, len(numbers), keys, values)
}

// bins are those of argument 1.
func (a *Call) bins(key vector.Type, exact bool) (*bins.Bins, error) {
	list, err := expr.NewCast(a.args[1], expr.ListType(key), false)
	if err != nil {
		return nil, err
	}
	s, ok := expr.Literal(list)
	switch {
	case !ok:
		return nil, errs.Unsupported("a list that is not constant")
	case s.Null:
		return nil, fmt.Errorf("the list is NULL")
	}
	bounds, from := &vector.Vector{}, s.Nested.Offsets
	bounds.Slice(s.Nested.Children[0], int(from[0]), int(from[1]-from[0]))
	return bins.New(bounds, exact)
}
