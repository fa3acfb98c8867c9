package aggregate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// approximate is APPROX_COUNT_DISTINCT of a column of a type.
func approximate(t *testing.T, typ vector.Type) *aggregate.Call {
	t.Helper()
	a, err := aggregate.New("APPROX_COUNT_DISTINCT", []expr.Expr{expr.NewColumn(0, "x", typ)}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// numbersFrom is the vector of n different values of a type, which the numbers from one on make.
func numbersFrom(typ vector.Type, from, n int) *vector.Vector {
	v := vector.New(typ, n)
	for i := range n {
		switch k := from + i; typ.Kind {
		case vector.Double:
			v.F64[i] = float64(k) / 4
		case vector.Varchar:
			v.Str[i] = fmt.Sprint("value ", k)
		default:
			v.I64[i] = int64(k)
		}
	}
	return v
}

// addNumbers adds the values of the numbers from one on to group 0.
func addNumbers(t *testing.T, s aggregate.State, typ vector.Type, from, n int) {
	t.Helper()
	for n > 0 {
		size := min(n, vector.BatchSize)
		if err := s.Update(nil, []*vector.Vector{numbersFrom(typ, from, size)}, &vector.Batch{Len: size}); err != nil {
			t.Fatal(err)
		}
		from, n = from+size, n-size
	}
}

// counted is the result of group 0.
func counted(t *testing.T, a *aggregate.Call, s aggregate.State) int64 {
	t.Helper()
	out := &vector.Vector{}
	if err := a.ResultOf(s, 0, 1, out); err != nil {
		t.Fatal(err)
	}
	return out.I64[0]
}

// TestSketchError measures what documents say of the estimates: exact up to MostCounted, then a standard
// error of 1.6 %.
func TestSketchError(t *testing.T) {
	for _, typ := range []vector.Type{vector.Of(vector.BigInt), vector.Of(vector.Double), vector.Of(vector.Varchar)} {
		a := approximate(t, typ)
		for _, n := range []int{0, 1, 2, 3, 16, 17, 96, 97, aggregate.MostCounted - 1, aggregate.MostCounted, aggregate.MostCounted + 1, 1000, 4096, 12000, 50000} {
			squares, rounds := 0.0, 60
			for round := range rounds {
				s := a.NewState()
				s.Resize(1)
				addNumbers(t, s, typ, round*1_000_003, n)
				addNumbers(t, s, typ, round*1_000_003, min(n, 100)) // again
				got := counted(t, a, s)
				if n <= aggregate.MostCounted && got != int64(n) {
					t.Fatalf("%s: %d of %d", typ, got, n)
				}
				e := float64(got)/float64(max(n, 1)) - 1
				if squares += e * e; n > 0 && math.Abs(e) > 6*0.016 {
					t.Errorf("%s: %d of %d", typ, got, n)
				}
			}
			if e := math.Sqrt(squares / float64(rounds)); n > 0 && e > 0.021 {
				t.Errorf("%s: %d values have a standard error of %.4f", typ, n, e)
			}
		}
	}
}

// TestSketchParts checks that an estimate is the same in whatever parts and order its values come, in
// workers and on machines.
func TestSketchParts(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	typ := vector.Of(vector.BigInt)
	a := approximate(t, typ)
	partial, ok := a.Exchanged()
	if !ok || len(partial.Calls) != 1 {
		t.Fatal("it is not exchanged")
	}
	first := partial.Calls[0]
	whole := partial.Whole([]expr.Expr{expr.NewColumn(0, "state", first.Type())})
	for range 100 {
		n := 1 + rng.IntN([]int{10, 300, 5000, 100000}[rng.IntN(4)])
		one := a.NewState()
		one.Resize(1)
		addNumbers(t, one, typ, 0, n)
		want := counted(t, a, one)

		merged, exchanged := a.NewState(), whole.NewState()
		merged.Resize(3)
		exchanged.Resize(1)
		at := rng.Perm(4)
		for _, p := range at {
			from, to := p*n/4, min(n, (p+1)*n/4+rng.IntN(50))
			other, packed := a.NewState(), first.NewState()
			other.Resize(2)
			packed.Resize(1)
			groups := []uint32{1}
			for i := from; i < to; i++ {
				if err := other.Update(groups, []*vector.Vector{numbersFrom(typ, i, 1)}, &vector.Batch{Len: 1}); err != nil {
					t.Fatal(err)
				}
			}
			if err := merged.Merge(other, []uint32{1}, []uint32{0}); err != nil {
				t.Fatal(err)
			}
			addNumbers(t, packed, typ, from, to-from)
			state := &vector.Vector{}
			if err := first.ResultOf(packed, 0, 1, state); err != nil {
				t.Fatal(err)
			}
			if err := exchanged.Update(nil, []*vector.Vector{state}, &vector.Batch{Len: 1}); err != nil {
				t.Fatal(err)
			}
		}
		if got := counted(t, a, merged); got != want {
			t.Errorf("seed %d: %d values are %d, of workers %d", seed, n, want, got)
		}
		if got := counted(t, whole, exchanged); got != want {
			t.Errorf("seed %d: %d values are %d, of machines %d", seed, n, want, got)
		}
	}
}

// TestSketchDamaged checks that a state which no sketch can have is an error.
func TestSketchDamaged(t *testing.T) {
	partial, _ := approximate(t, vector.Of(vector.BigInt)).Exchanged()
	whole := partial.Whole([]expr.Expr{expr.NewColumn(0, "state", partial.Calls[0].Type())})
	high := make([]byte, 4096)
	high[7] = 54
	for _, state := range []string{"1234567", string(make([]byte, 8*aggregate.MostCounted+8)), string(high)} {
		v := vector.New(vector.Of(vector.Blob), 1)
		v.Str[0] = state
		s := whole.NewState()
		s.Resize(1)
		if err := s.Update(nil, []*vector.Vector{v}, &vector.Batch{Len: 1}); err == nil {
			t.Errorf("a state of %d bytes is none", len(state))
		}
	}
}
