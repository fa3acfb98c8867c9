package vector

import (
	"math/rand/v2"
	"testing"
)

// TestScatter: each vector has the rows of its run behind those that it had.
func TestScatter(t *testing.T) {
	eachType(t, func(r *rand.Rand, typ Type, n int) {
		form, m := randomForm(r, typ, n)
		src, err := form.Flatten(nil)
		noError(t, err)
		rows := make([]int32, r.IntN(2*n+1))
		for i := range rows {
			rows[i] = int32(r.IntN(n))
		}
		var runs []Run
		var want []model
		for from := 0; from <= len(rows); {
			had, has := randomForm(r, typ, r.IntN(70))
			to := &Vector{Type: typ}
			noError(t, to.Append(had, nil))
			k := min(r.IntN(20), len(rows)-from)
			runs = append(runs, Run{To: to, From: from, N: k})
			want = append(want, append(has, m.at(rows[from:from+k])...))
			from += k + r.IntN(2)
			if k == 0 {
				from++
			}
		}
		noError(t, src.Scatter(rows, runs))
		for i, run := range runs {
			sameRows(t, "scatter", run.To, want[i])
		}
	})
}

// TestSpread: rows are NULL but those at the places, which have the rows of the source.
func TestSpread(t *testing.T) {
	eachType(t, func(r *rand.Rand, typ Type, n int) {
		form, m := randomForm(r, typ, n)
		src, err := form.Flatten(nil)
		noError(t, err)
		all := n + r.IntN(200)
		want := make(model, all)
		var at []int32
		for row := range all {
			if left := n - len(at); left > 0 && r.IntN(all-row) < left {
				want[row] = m[len(at)]
				at = append(at, int32(row))
			}
		}
		v := New(typ, r.IntN(50))
		noError(t, v.Spread(src, at, all))
		sameRows(t, "spread", v, want)
	})
}
