package function

import (
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// Known answers of SplitMix64: its first outputs from the state 0 are published with the generator
// (Vigna, splitmix64.c).
func TestMixed(t *testing.T) {
	const step = 0x9e3779b97f4a7c15
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		if got := mixed(uint64(i) * step); got != want {
			t.Errorf("output %d is %x, want %x", i, got, want)
		}
	}
}

func TestScattered(t *testing.T) {
	const rows = 4000
	b := &vector.Batch{Len: rows, Cols: []*vector.Vector{vector.New(vector.Of(vector.BigInt), rows)}}
	for i := range rows {
		b.Cols[0].I64[i] = int64(i + 1)
	}
	seen, low := map[int64]bool{}, 0
	for _, seed := range []uint64{0, 1, 1 << 63} {
		e, err := Scattered(expr.NewColumn(0, "n", vector.Of(vector.BigInt)), seed)
		if err != nil {
			t.Fatal(err)
		}
		all, err := expr.NewEvaluator(e).Eval(b)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range all.I64 {
			seen[v] = true
			if v < -1<<62 {
				low++
			}
		}
		some := *b
		some.Sel = []int32{7, 99}
		picked, err := expr.NewEvaluator(e).Eval(&some)
		if err != nil || picked.I64[7] != all.I64[7] || picked.I64[99] != all.I64[99] {
			t.Errorf("seed %d: rows that are picked have other numbers (%v)", seed, err)
		}
	}
	if len(seen) != 3*rows {
		t.Errorf("%d different numbers of %d", len(seen), 3*rows)
	}
	if low < rows/2 || low > rows { // a quarter of 3 × rows is expected, with a deviation of 47
		t.Errorf("%d of %d are in the lowest quarter", low, 3*rows)
	}
}
