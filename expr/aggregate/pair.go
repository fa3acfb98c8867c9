package aggregate

import (
	"fmt"

	"github.com/parquetsql/parquetsql/vector"
)

// bindPair takes (y, x), two numbers.
func bindPair(result func(*pairs) (float64, bool), inRange func(*pairs) bool) func(*Call) error {
	return func(a *Call) error {
		if err := a.castPairs(); err != nil {
			return err
		}
		a.typ = vector.Of(vector.Double)
		a.state = func() State { return &pairState{name: a.name, result: result, inRange: inRange} }
		return nil
	}
}

// bindPairCount is REGR_COUNT, the number of rows without NULL.
func bindPairCount(a *Call) error {
	if err := a.castPairs(); err != nil {
		return err
	}
	a.typ = vector.Of(vector.BigInt)
	a.state = func() State { return &pairState{} }
	return nil
}

func (a *Call) castPairs() error {
	for i := range a.args {
		if t := a.args[i].Type(); !t.IsNumeric() && t.Kind != vector.Null {
			return a.reject(t, "it needs numbers; CAST the argument")
		}
		if err := a.cast(i, vector.Of(vector.Double)); err != nil {
			return err
		}
	}
	return nil
}

// pairState is the state of COVAR_POP, CORR, REGR_SLOPE and their kin over doubles. Without
// a result it counts.
type pairState struct {
	acc    []pairs
	name   string
	result func(*pairs) (float64, bool)
	// inRange, unless nil, reports whether there is a result.
	inRange func(*pairs) bool
}

func (s *pairState) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *pairState) Bytes() int64      { return int64(cap(s.acc)) * 48 }

func (s *pairState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	eachPair(groups, args, b, func(g uint32, y, x float64) { s.acc[g].Add(y, x) })
	return nil
}

// eachPair calls add with the group and both values of each row in which neither is NULL.
func eachPair(groups []uint32, args []*vector.Vector, b *vector.Batch, add func(g uint32, first, second float64)) {
	first, second := doublesIn(args[0]), doublesIn(args[1])
	whole := args[0].Valid == nil && args[1].Valid == nil && args[0].Type.Kind == vector.Double && args[1].Type.Kind == vector.Double
	for i := range b.Rows() {
		row := b.Row(i)
		if !whole && (args[0].IsNull(row) || args[1].IsNull(row)) {
			continue
		}
		g := uint32(0)
		if groups != nil {
			g = groups[i]
		}
		add(g, first.at(row), second.at(row))
	}
}

// doublesOf are the values of a column in any form.
type doublesOf struct {
	values   []float64
	codes    []int32 // nil: none
	constant bool
}

func doublesIn(v *vector.Vector) doublesOf {
	switch v.Form {
	case vector.Dictionary:
		return doublesOf{values: v.Dict.F64, codes: v.Codes}
	case vector.Constant:
		return doublesOf{values: v.F64, constant: true}
	}
	return doublesOf{values: v.F64}
}

func (d *doublesOf) at(row int) float64 {
	switch {
	case d.codes != nil:
		return d.values[d.codes[row]]
	case d.constant:
		return d.values[0]
	}
	return d.values[row]
}

func (s *pairState) Merge(from State, which, to []uint32) error {
	o := from.(*pairState)
	for i, w := range which {
		s.acc[to[i]].Merge(o.acc[w])
	}
	return nil
}

func (s *pairState) Result(from, n int, out *vector.Vector) error {
	if s.result == nil {
		out.Reset(vector.Of(vector.BigInt), n)
		for i := range n {
			out.I64[i] = s.acc[from+i].N
		}
		return nil
	}
	return doubles(out, n, func(i int) (float64, bool, error) {
		return result(s.name, &s.acc[from+i], s.acc[from+i].N, s.result, s.inRange)
	})
}

// result is that of the sums p over n values, which must be in range.
func result[T any](name string, p *T, n int64, of func(*T) (float64, bool), inRange func(*T) bool) (v float64, ok bool, err error) {
	if n == 0 {
		return 0, false, nil
	}
	if inRange != nil && !inRange(p) {
		return 0, false, outOfRange(name)
	}
	v, ok = of(p)
	return v, ok, nil
}

// outOfRange is the error of values that are infinite, or whose squares are too great.
func outOfRange(name string) error {
	return fmt.Errorf("%s is out of range: a value is infinite or NaN, or its powers are too great", name)
}
