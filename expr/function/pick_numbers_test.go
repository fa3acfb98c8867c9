package function

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// TestPickNumbers compares GREATEST and LEAST with what their definition says, over columns with
// and without NULLs, constants, and selected rows.
func TestPickNumbers(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	values := []float64{0, 1, -1, 2.5, math.Inf(1), math.Inf(-1), math.NaN(), 7}
	double := vector.Of(vector.Double)
	for range 300 {
		n, count := 1+r.IntN(200), 1+r.IntN(4)
		b := &vector.Batch{Len: n}
		args := make([]expr.Expr, count)
		for c := range count {
			args[c] = expr.NewColumn(c, "c", double)
			v := vector.New(double, n)
			if r.IntN(4) == 0 {
				s := vector.FloatScalar(values[r.IntN(len(values))])
				s.Null = r.IntN(4) == 0
				b.Cols = append(b.Cols, vector.NewConstant(s, n))
				continue
			}
			nulls := r.IntN(2) == 0
			for i := range n {
				v.F64[i] = values[r.IntN(len(values))]
				if nulls && r.IntN(3) == 0 {
					v.SetNull(i)
				}
			}
			b.Cols = append(b.Cols, v)
		}
		if r.IntN(2) == 0 {
			for i := range n {
				if r.IntN(3) > 0 {
					b.Sel = append(b.Sel, int32(i))
				}
			}
		}
		if b.Sel != nil && len(b.Sel) == 0 {
			continue
		}
		for _, name := range []string{"GREATEST", "LEAST"} {
			e, err := New(name, args)
			if err != nil {
				t.Fatal(err)
			}
			got, err := expr.NewEvaluator(e).Eval(b)
			if err != nil {
				t.Fatal(err)
			}
			for k := range b.Rows() {
				i := b.Row(k)
				want := vector.NullOf(double)
				for _, v := range b.Cols {
					x := v.Get(i)
					if x.Null {
						continue
					}
					above := want.Null || x.F64 > want.F64 || x.F64 != x.F64
					if name == "LEAST" {
						above = want.Null || x.F64 < want.F64 || want.F64 != want.F64
					}
					if above {
						want = x
					}
				}
				g := got.Get(i)
				if same := g.F64 == want.F64 || g.F64 != g.F64 && want.F64 != want.F64; g.Null != want.Null || !g.Null && !same {
					t.Fatalf("%s, row %d: %v, want %v", name, i, g, want)
				}
			}
		}
	}
}
