package list

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// TestJoin compares with the LISTs of Go: NULL LISTs, constants, elements, chosen rows.
func TestJoin(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	big := vector.Of(vector.BigInt)
	for range 2000 {
		n := 1 + r.IntN(20)
		var rows []int32
		for i := range int32(n) {
			if r.IntN(3) > 0 {
				rows = append(rows, i)
			}
		}
		if r.IntN(2) == 0 {
			rows = nil
		}
		want := make([][]int64, n)
		var parts []part
		for range 1 + r.IntN(3) {
			p := part{element: r.IntN(2) == 0}
			constant := r.IntN(3) == 0
			at := func(i int) int {
				if constant {
					return 0
				}
				return i
			}
			count := at(n-1) + 1
			if p.element {
				v := vector.New(big, count)
				for i := range v.I64 {
					v.I64[i] = r.Int64()
				}
				p.v = v
				for i := range want {
					want[i] = append(want[i], v.I64[at(i)])
				}
			} else {
				v := vector.New(vector.Type{Kind: vector.List, Fields: []vector.Field{{Name: "element", Type: big}}}, count)
				v.Children[0] = vector.New(big, 0)
				lists := make([][]int64, count)
				for i := range count {
					if r.IntN(5) == 0 {
						v.SetNull(i)
					} else {
						for range r.IntN(4) {
							lists[i] = append(lists[i], r.Int64())
						}
					}
					v.Children[0].I64 = append(v.Children[0].I64, lists[i]...)
					v.Children[0].Len = len(v.Children[0].I64)
					v.Offsets[i+1] = int32(v.Children[0].Len)
				}
				p.v = v
				for i := range want {
					want[i] = append(want[i], lists[at(i)]...)
				}
			}
			if constant {
				p.v.Form, p.v.Len = vector.Constant, n
			}
			parts = append(parts, p)
		}
		var out kernel.Result
		out.Reset(vector.Type{Kind: vector.List, Fields: []vector.Field{{Name: "element", Type: big}}}, n)
		done, err := join(parts, rows, n, &out)
		if err != nil || !done {
			t.Fatal(done, err)
		}
		for _, i := range kernel.Listed(rows, n) {
			if got := out.Children[0].I64[out.Offsets[i]:out.Offsets[i+1]]; !slices.Equal(got, want[i]) {
				t.Fatalf("row %d is %v, want %v", i, got, want[i])
			}
		}
	}
}
