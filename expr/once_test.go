package expr_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// TestAdd compares with a list that is searched from its beginning, over random
// expressions of which many are equal.
func TestAdd(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	var many expr.Unique
	var list []expr.Expr
	for range 2000 {
		e := random(t, r, 3)
		want := -1
		for i, old := range list {
			if expr.Equal(old, e) {
				want = i
				break
			}
		}
		at, added := many.Add(e)
		if added != (want < 0) || !added && at != want {
			t.Fatalf("seed %d: %v is at %d, added %v, want %d", seed, e, at, added, want)
		}
		if added {
			list = append(list, e)
		}
	}
	if len(list) != len(many.List) || len(list) < 100 || len(list) > 1900 {
		t.Errorf("seed %d: %d expressions, want %d", seed, len(many.List), len(list))
	}
}

func random(t *testing.T, r *rand.Rand, depth int) expr.Expr {
	t.Helper()
	if depth == 0 || r.IntN(3) == 0 {
		switch r.IntN(4) {
		case 0:
			return expr.NewColumn(r.IntN(4), "c", vector.Of(vector.BigInt))
		case 1:
			return expr.NewConst(vector.FloatScalar([]float64{0, 1, 2.5}[r.IntN(3)]))
		case 2:
			return expr.NewConst(vector.NullOf(vector.Of(vector.BigInt)))
		}
		return expr.NewConst(vector.IntScalar(int64(r.IntN(4))))
	}
	op := []expr.Op{expr.OpAdd, expr.OpMul}[r.IntN(2)]
	e, err := expr.NewArith(op, random(t, r, depth-1), random(t, r, depth-1))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestFewComparisons: of many different expressions hardly any are compared.
func TestFewComparisons(t *testing.T) {
	const n = 20_000
	var x expr.Index
	compared := 0
	for i := range n {
		e, err := expr.NewArith(expr.OpAdd, expr.NewColumn(7, "c", vector.Of(vector.BigInt)), expr.NewConst(vector.IntScalar(int64(i))))
		if err != nil {
			t.Fatal(err)
		}
		if at := x.First(e, func(int) bool { compared++; return false }); at >= 0 {
			t.Fatal(fmt.Sprint(e, " is found at ", at))
		}
		x.Add(e, i)
	}
	if compared > n {
		t.Errorf("%d comparisons of %d expressions", compared, n)
	}
}
