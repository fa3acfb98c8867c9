package kernel

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// TestConstants compares the division of a column by a constant, and what is added to a column or multiplied with it, with Go's operators, at the
// ends of 32 and 64 bits and at random.
func TestConstants(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	edges := []int64{0, 1, 2, 3, 7, 10, 64, 1 << 31, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<62 + 1, math.MaxInt64}
	number := func() int64 {
		if r.IntN(2) == 0 {
			return (edges[r.IntN(len(edges))] + r.Int64N(3) - 1) * (1 - 2*r.Int64N(2))
		}
		return int64(r.Uint64() >> r.UintN(64))
	}
	bigint := vector.Of(vector.BigInt)
	for range 3000 {
		n := 1 + r.IntN(20)
		x := vector.New(bigint, n)
		for i := range n {
			x.I64[i] = number()
		}
		y := number()
		var rows []int32
		if r.IntN(2) == 0 {
			for i := range n {
				if r.IntN(2) == 0 {
					rows = append(rows, int32(i))
				}
			}
		}
		args := []*vector.Vector{x, vector.NewConstant(vector.IntScalar(y), n)}
		for _, op := range []scalar.Op{scalar.OpMod, scalar.OpIntDiv, scalar.OpAdd, scalar.OpSub, scalar.OpMul} {
			var out Result
			out.Reset(bigint, n)
			failed := integerOperation(op, bigint, bigint, bigint).Make()(args, rows, n, &out) != nil
			fails := false
			for _, i := range Listed(rows, n) {
				want, ok, null := goResult(op, x.I64[i], y)
				if fails = fails || !ok; !ok || failed {
					continue
				}
				if got := out.Get(int(i)); got.Null != null || !null && got.I64 != want {
					t.Fatalf("seed %d: %d %v %d is %v, want %d", seed, x.I64[i], op, y, got, want)
				}
			}
			if failed != fails {
				t.Fatalf("seed %d: %v %v %d fails: %v, want %v", seed, x.I64[:n], op, y, failed, fails)
			}
		}
	}
}

// goResult is what Go computes, whether that fits 64 bits, and whether it is NULL.
func goResult(op scalar.Op, x, y int64) (v int64, fits, null bool) {
	switch op {
	case scalar.OpAdd:
		return x + y, (x+y > x) == (y > 0), false
	case scalar.OpSub:
		return x - y, (x-y < x) == (y > 0), false
	case scalar.OpMul:
		high, low := bits.Mul64(uint64(x), uint64(y))
		high -= uint64(x>>63&y) + uint64(y>>63&x) // of signed numbers
		return int64(low), int64(high) == int64(low)>>63, false
	}
	switch {
	case y == 0:
		return 0, true, true
	case op == scalar.OpMod:
		return x % y, true, false
	}
	return x / y, x != math.MinInt64 || y != -1, false
}
