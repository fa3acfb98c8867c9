package aggregate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// anyValue is a value of a type out of few, of which some are equal without being the same.
func anyValue(r *rand.Rand, t vector.Type) vector.Scalar {
	x := r.Int64N(9) - 4
	s := vector.Scalar{Type: t}
	switch t.Storage() {
	case vector.StoreBool:
		s.Bool = x > 0
	case vector.StoreInt64:
		s.I64 = x
	case vector.StoreUint64:
		s.U64 = uint64(x)
	case vector.StoreInt128:
		s.I128 = vector.Int128{Hi: x % 2, Lo: uint64(x)}
	case vector.StoreFloat32:
		s.F32 = []float32{float32(x), 0, float32(math.Copysign(0, -1)), float32(math.NaN())}[r.IntN(4)]
	case vector.StoreFloat64:
		s.F64 = []float64{float64(x), 0, math.Copysign(0, -1), math.NaN(), math.Inf(1)}[r.IntN(5)]
	case vector.StoreString:
		s.Str = string("abcdefghi"[x+4])
	case vector.StoreInterval: // 30 days and a month are equal
		s.Interval = []vector.IntervalValue{{Months: x}, {Days: 30 * x}, {Micros: x}}[r.IntN(3)]
	case vector.StoreNested:
		s = nestedScalar(t, 1, &vector.Vector{Type: t.Fields[0].Type, Len: 1, I64: []int64{x}})
	}
	return s
}

// anyVector is n values with NULLs in any form.
func anyVector(t *testing.T, r *rand.Rand, typ vector.Type, n int) *vector.Vector {
	t.Helper()
	entries := make([]vector.Scalar, n)
	nulls := r.IntN(3) == 0
	for i := range entries {
		if entries[i] = anyValue(r, typ); nulls && r.IntN(3) == 0 {
			entries[i] = vector.NullOf(typ)
		}
	}
	switch r.IntN(3) {
	case 0:
		return vector.NewConstant(entries[0], n)
	case 1:
		d := &vector.Vector{}
		if err := d.FromScalars(typ, []vector.Scalar{anyValue(r, typ), anyValue(r, typ), anyValue(r, typ)}); err != nil {
			t.Fatal(err)
		}
		v := &vector.Vector{Type: typ, Form: vector.Dictionary, Len: n, Dict: d, Codes: make([]int32, n)}
		for i := range v.Codes {
			if v.Codes[i] = r.Int32N(int32(d.Len)); nulls && r.IntN(3) == 0 {
				v.SetNull(i)
			}
		}
		return v
	}
	v := &vector.Vector{}
	if err := v.FromScalars(typ, entries); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestArguments compares the aggregates that take the value of one row, by groups, out of several states
// that are merged, with a search of the rows one after the other.
func TestArguments(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	types := []vector.Type{vector.Of(vector.Boolean), vector.Of(vector.BigInt), vector.Of(vector.UBigInt), vector.Of(vector.Float), vector.Of(vector.Double),
		vector.Of(vector.Varchar), vector.DecimalType(38, 2), vector.Of(vector.Interval), expr.ListType(vector.Of(vector.BigInt))}
	names := []struct {
		name        string
		order       bool // the key is an ORDER BY
		sign        int
		nulls, last bool // NULL counts as a value; rows whose key is NULL count after the others
		arrival     int  // without a key: the first row, or the last one
	}{
		{"ARG_MIN", false, -1, false, false, 0}, {"ARG_MAX", false, 1, false, false, 0}, {"ARG_MIN_NULL", false, -1, true, false, 0}, {"ARG_MAX_NULL", false, 1, true, false, 0},
		{"ARG_MIN_NULLS_LAST", false, -1, true, true, 0}, {"ARG_MAX_NULLS_LAST", false, 1, true, true, 0},
		{"FIRST", true, -1, true, true, 0}, {"FIRST", true, 1, true, true, 0}, {"ANY_VALUE", true, -1, false, true, 0}, {"ANY_VALUE", true, 1, false, true, 0},
		{"FIRST", false, 0, true, true, 1}, {"LAST", false, 0, true, true, -1}, {"ANY_VALUE", false, 0, false, true, 1},
	}
	for range 3000 {
		kind := names[r.IntN(len(names))]
		vt, kt := types[r.IntN(len(types))], types[r.IntN(len(types)-1)]
		value, key := expr.NewColumn(0, "x", vt), expr.NewColumn(1, "y", kt)
		args := []expr.Expr{value, key}
		if kind.order || kind.arrival != 0 {
			args = args[:1]
		}
		call, err := New(kind.name, args, false, nil)
		if err != nil {
			t.Fatal(kind.name, vt, kt, err)
		}
		if kind.order {
			call = call.WithOrder([]expr.SortKey{{Expr: key, Desc: kind.sign > 0}})
		}
		groups := 1 + r.IntN(3)
		type row struct{ value, key vector.Scalar }
		best := make([]*row, groups)
		offer := func(g uint32, n row) {
			old := best[g]
			switch {
			case n.value.Null && !kind.nulls, n.key.Null && !kind.last:
				return
			case kind.arrival != 0:
				if old != nil && kind.arrival > 0 {
					return
				}
			case old == nil:
			case n.key.Null, !old.key.Null && n.key.Compare(&old.key)*kind.sign <= 0:
				return
			}
			best[g] = &n
		}
		states := make([]State, 1+r.IntN(3))
		for w := range states {
			states[w] = call.NewState()
			states[w].Resize(groups)
			for range r.IntN(4) {
				n := 1 + r.IntN(40)
				v, k := anyVector(t, r, vt, n), anyVector(t, r, kt, n)
				b := &vector.Batch{Len: n}
				if r.IntN(2) == 0 {
					b.Sel = []int32{}
					for i := range n {
						if r.IntN(2) == 0 {
							b.Sel = append(b.Sel, int32(i))
						}
					}
				}
				of := make([]uint32, b.Rows())
				for i := range of {
					of[i] = uint32(r.IntN(groups))
				}
				if groups == 1 && r.IntN(2) == 0 {
					of = nil
				}
				for i := range b.Rows() {
					g := uint32(0)
					if of != nil {
						g = of[i]
					}
					offer(g, row{v.Get(b.Row(i)), k.Get(b.Row(i))})
				}
				given := []*vector.Vector{v, k}[:len(call.Args())]
				if err := states[w].Update(of, given, b); err != nil {
					t.Fatal(err)
				}
			}
		}
		all := make([]uint32, groups)
		for g := range all {
			all[g] = uint32(g)
		}
		for _, from := range states[1:] {
			if err := states[0].Merge(from, all, all); err != nil {
				t.Fatal(err)
			}
		}
		out := &vector.Vector{}
		if err := call.ResultOf(states[0], 0, groups, out); err != nil {
			t.Fatal(err)
		}
		for g := range groups {
			got, want := out.Get(g), vector.NullOf(vt)
			if best[g] != nil {
				want = best[g].value
			}
			if got.Null != want.Null || !got.Null && got.Compare(&want) != 0 {
				t.Fatalf("%s %+v of %v by %v: group %d has %v, want %v", kind.name, kind, vt, kt, g, got, want)
			}
		}
	}
}
