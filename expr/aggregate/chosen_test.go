package aggregate

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// randomValues is a vector of n values of a type, of which many are equal where few is set.
func randomValues(t *testing.T, r *rand.Rand, typ vector.Type, n int, few bool) *vector.Vector {
	t.Helper()
	values := make([]vector.Scalar, n)
	for i := range values {
		x := r.Int64()
		if few {
			x = r.Int64N(10) - 5
		}
		switch typ.Kind {
		case vector.BigInt:
			values[i] = vector.IntScalar(x)
		case vector.Double:
			values[i] = vector.FloatScalar([]float64{float64(x), -float64(x), math.NaN(), math.Inf(1), math.Copysign(0, -1), 0}[r.IntN(6)])
		case vector.Varchar:
			values[i] = vector.StringScalar(strings.Repeat("same", r.IntN(4)) + string(rune('a'+x&15)))
		case vector.Decimal:
			values[i] = vector.Scalar{I128: vector.Int128{Hi: x % 3, Lo: uint64(x)}}
		}
		values[i].Type = typ
	}
	v := &vector.Vector{}
	if err := v.FromScalars(typ, values); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestChosen compares places, asked for in random order, with a stable sort.
func TestChosen(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	types := []vector.Type{vector.Of(vector.BigInt), vector.Of(vector.Double), vector.Of(vector.Varchar), vector.DecimalType(38, 2)}
	for range 200 {
		n := 1 + r.IntN([]int{3, 40, 2000}[r.IntN(3)])
		v := randomValues(t, r, types[r.IntN(len(types))], n, r.IntN(2) == 0)
		switch r.IntN(4) { // orders in which quicksort is often slow or wrong
		case 0:
			sortVector(t, v, 1)
		case 1:
			sortVector(t, v, -1)
		}
		rows := make([]int32, n)
		for i := range rows {
			rows[i] = int32(i)
		}
		want := slices.Clone(rows)
		slices.SortStableFunc(want, func(a, b int32) int { return vector.Compare(v, int(a), v, int(b)) })
		c := newChosen(v, rows, nil, func(int) error { return nil })
		for range 1 + r.IntN(n) {
			k := r.IntN(n)
			if got := c.at(k).row; got != want[k] {
				t.Fatalf("place %d of %d %ss: row %d, want %d", k, n, v.Type, got, want[k])
			}
		}
		if err := (&interrupted{}).sortByValue(rows, v); err != nil || !slices.Equal(rows, want) {
			t.Fatalf("%d %ss are not sorted: %v", n, v.Type, err)
		}
	}
}

func sortVector(t *testing.T, v *vector.Vector, sign int) {
	t.Helper()
	values := make([]vector.Scalar, v.Len)
	for i := range values {
		values[i] = v.Get(i)
	}
	slices.SortFunc(values, func(a, b vector.Scalar) int { return sign * a.Compare(&b) })
	if err := v.FromScalars(v.Type, values); err != nil {
		t.Fatal(err)
	}
}

// TestChosenLinear: to find one place takes work of the order of the number of rows, whatever
// their order.
func TestChosenLinear(t *testing.T) {
	const n = 100_000
	for _, value := range []func(i int) int64{
		func(i int) int64 { return int64(i) }, func(i int) int64 { return int64(n - i) }, func(int) int64 { return 7 }, func(i int) int64 { return int64(min(i, n-i)) },
	} {
		v := vector.New(vector.Of(vector.BigInt), n)
		v.Len, v.I64 = n, make([]int64, n)
		rows := make([]int32, n)
		for i := range rows {
			rows[i], v.I64[i] = int32(i), value(i)
		}
		done := 0
		c := newChosen(v, rows, nil, func(n int) error { done += n; return nil })
		if c.at(n / 3); done > 8*n*quota.CompareWork {
			t.Errorf("%d rows took the work of %d", n, done/quota.CompareWork)
		}
	}
}

// TestChosenEnds: an error of work ends the search.
func TestChosenEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	v := randomValues(t, r, vector.Of(vector.BigInt), 1000, false)
	rows := make([]int32, v.Len)
	for i := range rows {
		rows[i] = int32(i)
	}
	stop := errors.New("stop")
	c := newChosen(v, rows, nil, func(int) error { return stop })
	if c.at(500); c.err != stop {
		t.Errorf("at: %v", c.err)
	}
	if err := (&interrupted{worked: func(int) error { return stop }}).sortByValue(rows, v); err != stop {
		t.Errorf("sort: %v", err)
	}
}
