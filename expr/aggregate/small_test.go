package aggregate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// TestSmallState adds wide numbers and intervals, some of which are no integers in order, with NULLs and selections, to
// several states that are merged, and compares each place with that of the sorted values of the group.
func TestSmallState(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 300 {
		typ, large := vector.DecimalType(38, 2), []float64{0, 0.0005, 0.5}[r.IntN(3)]
		if round%2 == 1 {
			typ = vector.Of(vector.Interval)
		}
		call, err := New("QUANTILE_DISC", []expr.Expr{expr.NewColumn(0, "x", typ), expr.NewConst(vector.Scalar{Type: vector.Of(vector.Double), F64: 0.3})}, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		groups := 1 + r.IntN(5)
		want := make([][]vector.Scalar, groups)
		states := make([]State, 1+r.IntN(3))
		for w := range states {
			states[w] = call.NewState()
			states[w].Resize(groups)
			for range r.IntN(20) {
				n := 1 + r.IntN(300)
				v := vector.New(typ, n)
				b := &vector.Batch{Len: n}
				if r.IntN(2) == 0 {
					b.Sel = []int32{}
				}
				for i := range n {
					small := r.Int64N(2000) - 1000
					if round%2 == 1 {
						v.Interval[i] = vector.IntervalValue{Days: small / 100, Micros: small % 100 * 1e9 / 100}
						if r.Float64() < large {
							v.Interval[i] = vector.IntervalValue{Months: small % 3, Days: small, Micros: -small}
						}
					} else {
						v.I128[i] = vector.Int128From(small)
						if r.Float64() < large {
							v.I128[i].Hi = small
						}
					}
					if r.IntN(10) == 0 {
						v.SetNull(i)
					}
					if b.Sel != nil && r.IntN(3) > 0 {
						b.Sel = append(b.Sel, int32(i))
					}
				}
				of := make([]uint32, b.Rows())
				for i := range of {
					of[i] = uint32(r.IntN(groups))
					if row := b.Row(i); !v.IsNull(row) {
						want[of[i]] = append(want[of[i]], v.Get(row))
					}
				}
				if groups == 1 && r.IntN(2) == 0 {
					of = nil
				}
				state := states[w].(*smallState)
				had, wide := len(state.parts) > 0, state.wide != nil
				before := state.Bytes()
				if err := state.Update(of, []*vector.Vector{v}, b); err != nil {
					t.Fatal(err)
				}
				if had && !wide && state.wide != nil && state.Bytes() > 2*before+128*int64(n) {
					t.Fatalf("%d bytes became %d", before, state.Bytes())
				}
			}
		}
		for g := range groups {
			slices.SortFunc(want[g], func(a, b vector.Scalar) int { return a.Compare(&b) })
		}
		out := mergedHalves(t, states, groups)
		for g, values := range want {
			if len(values) == 0 != out.IsNull(g) {
				t.Fatalf("group %d of %d values: NULL is %v", g, len(values), out.IsNull(g))
			}
			if len(values) == 0 {
				continue
			}
			n := float64(len(values))
			w := values[max(0, int(n-float64(int(n-0.3*n)))-1)]
			if got := out.Get(g); got.Compare(&w) != 0 {
				t.Fatalf("group %d is %v, want %v", g, got, w)
			}
		}
	}
}

// mergedHalves is the results of groups of which states have parts, merged every other group first.
func mergedHalves(t *testing.T, states []State, groups int) *vector.Vector {
	t.Helper()
	var halves [2][]uint32
	for g := range groups {
		halves[g%2] = append(halves[g%2], uint32(g))
	}
	for _, from := range states[1:] {
		for _, half := range halves {
			if err := states[0].Merge(from, half, half); err != nil {
				t.Fatal(err)
			}
		}
	}
	out := &vector.Vector{}
	if err := states[0].Result(0, groups, out); err != nil {
		t.Fatal(err)
	}
	return out
}
