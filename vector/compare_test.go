package vector

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// order is the order of two values of a model: NULL, within nested values, is
// above all others.
func order(t Type, a, b any) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	switch t.Storage() {
	case StoreBool:
		rank := map[any]int{false: 0, true: 1}
		return rank[a] - rank[b]
	case StoreInt64:
		return cmp.Compare(a.(int64), b.(int64))
	case StoreUint64:
		return cmp.Compare(a.(uint64), b.(uint64))
	case StoreInt128:
		x, y := a.(Int128), b.(Int128)
		return x.Big().Cmp(y.Big())
	case StoreFloat32:
		return cmp.Compare(a.(float32), b.(float32))
	case StoreFloat64:
		return cmp.Compare(a.(float64), b.(float64))
	case StoreString:
		return cmp.Compare(a.(string), b.(string))
	case StoreInterval:
		x, y := a.(IntervalValue), b.(IntervalValue)
		return cmp.Compare(x.Months*30*86400e6+x.Micros, y.Months*30*86400e6+y.Micros)
	}
	x, y := a.([]any), b.([]any)
	for i := range min(len(x), len(y)) {
		if c := order(t.Fields[i%len(t.Fields)].Type, x[i], y[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(x), len(y))
}

func TestCompare(t *testing.T) {
	eachType(t, func(r *rand.Rand, typ Type, n int) {
		v, m := randomForm(r, typ, n+1)
		w, o := randomForm(r, typ, n+1)
		i, j := r.IntN(n+1), r.IntN(n+1)
		if r.IntN(2) == 0 {
			w, o, j = v, m, i
		}
		if m[i] == nil || o[j] == nil {
			return
		}
		want := order(typ, m[i], o[j])
		if got := Compare(v, i, w, j); cmp.Compare(got, 0) != want {
			t.Fatalf("%v: %v and %v compare as %d", typ, m[i], o[j], got)
		}
		x, y := v.Get(i), w.Get(j)
		if got := x.Compare(&y); cmp.Compare(got, 0) != want {
			t.Fatalf("%v: scalars %v and %v compare as %d", typ, m[i], o[j], got)
		}
	})
}

func TestCompareFloats(t *testing.T) {
	ascending := []float64{math.Inf(-1), -1, 0, math.SmallestNonzeroFloat64, math.Inf(1), math.NaN()}
	for i, a := range ascending {
		for j, b := range ascending {
			if got := CompareFloats(a, b); got != cmp.Compare(i, j) {
				t.Errorf("%v and %v compare as %d", a, b, got)
			}
		}
	}
	if CompareFloats(math.Copysign(0, -1), 0) != 0 {
		t.Error("the zeros differ")
	}
}

// TestTooLong: elements and rows beyond 2^31-1 are an error before any memory is
// taken for them. Bare NULLs need none.
func TestTooLong(t *testing.T) {
	const half = 1 << 30
	list := &Vector{Type: ListOf(Field{Name: "element", Type: Of(Null)}), Len: 1, Offsets: []int32{0, half},
		Children: []*Vector{{Type: Of(Null), Len: half}}}
	var out Vector
	if err := out.Gather(list, []int32{0}); err != nil || out.Children[0].Len != half {
		t.Errorf("one row: %v", err)
	}
	for _, rows := range [][]int32{{0, 0}, {0, 0, 0, 0, 0}} {
		if err := out.Gather(list, rows); !errors.Is(err, ErrTooLong) {
			t.Errorf("%d rows: %v", len(rows), err)
		}
	}
	constant := *list
	constant.Form, constant.Len = Constant, 2
	if err := out.Pick(list.Type, []*Vector{&constant}, []Pick{{0, 0}, {0, 1}}); !errors.Is(err, ErrTooLong) {
		t.Errorf("pick: %v", err)
	}
	if _, err := constant.Flatten(nil); !errors.Is(err, ErrTooLong) {
		t.Errorf("flatten: %v", err)
	}
	rows := &Vector{Type: Of(Null), Len: math.MaxInt32}
	if err := rows.Append(rows, nil); !errors.Is(err, ErrTooLong) {
		t.Errorf("rows: %v", err)
	}
}
