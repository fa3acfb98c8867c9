package aggregate_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// TestCombines checks on random rows what Call.Combines claims: prefixes by merging a
// state with itself, groups that are merged repeatedly, and the difference of two
// prefixes.
func TestCombines(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	types := []vector.Type{vector.Of(vector.BigInt), vector.Of(vector.Double), vector.Of(vector.Boolean), vector.Of(vector.Varchar), vector.Of(vector.UBigInt), vector.Of(vector.Geometry)}
	undone := 0
	for i := range table {
		f := &table[i]
		if !f.Combines {
			continue
		}
		tried := false
		for round := range 100 {
			typ, n := types[round%len(types)], 1+round%16
			x := expr.NewColumn(0, "x", typ)
			a, err := aggregate.New(f.Name, append([]expr.Expr{x}, furtherArgs(f, x)...), false, nil)
			if err != nil {
				continue
			}
			if a, err = a.WithoutDistinct().WithoutFilter(); err != nil || !a.Combines() {
				t.Fatalf("%s does not combine: %v", f.Name, err)
			}
			tried = true
			values := randomValues(rng, typ, n)
			undone += checkCombines(t, a, values)
			if t.Failed() {
				t.Fatalf("seed %d: %s of %v", seed, f.Name, values)
			}
		}
		if !tried {
			t.Errorf("%s was not tried", f.Name)
		}
	}
	if undone == 0 {
		t.Error("no aggregate could be undone")
	}
}

func checkCombines(t *testing.T, a *aggregate.Call, values []vector.Scalar) (undone int) {
	n := len(values)
	column := &vector.Vector{}
	if err := column.FromScalars(values[0].Type, values); err != nil {
		t.Fatal(err)
	}
	var args []*vector.Vector
	for _, e := range a.Args() {
		v, err := expr.NewEvaluator(e).Eval(&vector.Batch{Len: n, Cols: []*vector.Vector{column}})
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, v)
	}
	groups, before, to := make([]uint32, n), []uint32{}, []uint32{}
	for i := range groups {
		groups[i] = uint32(i)
		if i > 0 {
			before, to = append(before, uint32(i)-1), append(to, uint32(i))
		}
	}
	state := func(groups []uint32, size int) aggregate.State {
		s := a.NewState()
		update := func() {
			s.Resize(size)
			if err := s.Update(groups, args, &vector.Batch{Len: n}); err != nil {
				t.Fatal(err)
			}
		}
		if again, ok := s.(interface{ Reset() }); ok { // it begins again
			update()
			again.Reset()
		}
		update()
		return s
	}
	results := func(s aggregate.State, n int) (out []vector.Scalar) {
		v := &vector.Vector{}
		if err := a.ResultOf(s, 0, n, v); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			out = append(out, v.Get(i))
		}
		return out
	}
	over := func(part []vector.Scalar) vector.Scalar {
		v := &vector.Vector{}
		if err := v.FromScalars(values[0].Type, part); err != nil {
			t.Fatal(err)
		}
		got, err := aggregateOver(a, v)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	prefixes := state(groups, n)
	if err := prefixes.Merge(prefixes, before, to); err != nil {
		t.Fatal(err)
	}
	for range 2 { // a state that others were made of stays as it is
		sums := a.NewState()
		sums.Resize(n)
		if err := sums.Merge(prefixes, groups, groups); err != nil {
			t.Fatal(err)
		}
		for i, got := range results(sums, n) {
			if want := over(values[:i+1]); !sameResult(got, want) {
				t.Errorf("of the first %d: %v, want %v", i+1, got, want)
			}
		}
	}
	twice := a.NewState()
	twice.Resize(1)
	if err := twice.Merge(prefixes, []uint32{uint32(n) - 1, uint32(n) - 1}, []uint32{0, 0}); err != nil {
		t.Fatal(err)
	}
	if got, want := results(twice, 1)[0], over(append(values[:n:n], values...)); !sameResult(got, want) {
		t.Errorf("of all, twice: %v, want %v", got, want)
	}
	s, ok := twice.(aggregate.Subtracter)
	if !ok {
		return 0
	}
	s.Subtract(prefixes, []uint32{uint32(n) / 2}, []uint32{0})
	s.Subtract(prefixes, []uint32{uint32(n) - 1}, []uint32{0})
	if got, want := results(s, 1)[0], over(values[n/2+1:]); !sameResult(got, want) {
		t.Errorf("of the last %d: %v, want %v", n-n/2-1, got, want)
	}
	return 1
}
