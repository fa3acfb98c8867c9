package group

import (
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TestPieces groups by keys that are nearly sorted, in stretches that several workers read. The
// result is in their tables unless they have too much in common or memory is short.
func TestPieces(t *testing.T) {
	const workers, stretch, stretches = 3, max(6*vector.BatchSize, 64), 24
	stretched := func(worker, i int) int64 { // the last keys of a stretch are the first ones of the next
		return int64((i/stretch*workers+worker)*(stretch-2) + i%stretch)
	}
	for _, c := range []struct {
		name   string
		key    func(worker, i int) int64
		limit  int64
		pieces bool
	}{
		{"stretches", stretched, 0, true},
		{"stretches, downwards", func(worker, i int) int64 { return -3 * stretched(worker, i) }, 0, true},
		{"all in common", func(_, i int) int64 { return int64(i) }, 0, false},
		{"a worker without order", func(worker, i int) int64 {
			if worker == 1 {
				return int64(i) * 7919 % (stretch * stretches)
			}
			return stretched(worker, i)
		}, 0, false},
		{"too large", stretched, 64 * stretch, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := map[int64]int64{}
			var in []exec.Operator
			for w := range workers {
				var batches []*vector.Batch
				for from := 0; from < stretch*stretches; from += vector.BatchSize {
					v := vector.New(vector.Of(vector.BigInt), vector.BatchSize)
					for k := range v.I64 {
						v.I64[k] = c.key(w, from+k)
						want[v.I64[k]]++
					}
					batches = append(batches, &vector.Batch{Len: v.Len, Cols: []*vector.Vector{v}})
				}
				in = append(in, exec.NewValues(exectest.OneColumn, batches))
			}
			count, err := aggregate.New("COUNT", nil, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			env := exec.Env{Budget: quota.New(c.limit), TempDir: t.TempDir()}
			key := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
			streams := New(env, in, []expr.Expr{key}, []*aggregate.Call{count}, make(vector.Schema, 2))
			pieces := 0
			for _, s := range streams {
				for b := range exectest.Batches(t, s) {
					pieces = max(pieces, len(s.(*stream).separated))
					for i := range b.Rows() {
						k := b.Cols[0].I64[b.Row(i)]
						if n := b.Cols[1].I64[b.Row(i)]; want[k] != n {
							t.Fatalf("%d has %d rows, want %d", k, n, want[k])
						}
						delete(want, k)
					}
				}
			}
			// With tiny batches tables are full before their keys can be clustered.
			if len(want) > 0 || pieces > 0 != (c.pieces && vector.BatchSize >= 100) {
				t.Errorf("%d groups are missing, %d pieces", len(want), pieces)
			}
			if err := exec.CloseAll(streams); err != nil || env.Budget.Used() != 0 {
				t.Errorf("Close: %v, %d bytes are still reserved", err, env.Budget.Used())
			}
		})
	}
}
