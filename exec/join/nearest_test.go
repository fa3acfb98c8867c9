package join_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/join"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/rows/hashtable"
)

// TestNearest compares ASOF joins with a search of all build rows. The values that are
// compared with are different, so that there is one nearest.
func TestNearest(t *testing.T) {
	leaktest.Check(t)
	defer join.SetFreeBytes(500)()
	seed := rand.Uint64()
	id := expr.NewColumn(colID, "id", sides[colID].Type)
	for round := range 300 {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		env, limit := environment(t, r)
		x := trial{spec: join.Spec{KeepProbe: r.IntN(2) == 0}}
		var keys []condition
		if r.IntN(2) == 0 {
			keys = append(keys, equality(t, colS, hashtable.Equals))
			x.spec.Keys = []join.Key{*keys[0].key}
		}
		from := []int{colK, colID}[r.IntN(2)]
		op := []expr.Op{expr.OpLt, expr.OpLe, expr.OpGt, expr.OpGe}[r.IntN(4)]
		x.spec.Order = &join.Order{Build: id, Nearest: true, Bounds: []join.Bound{{Op: op, Probe: expr.NewColumn(from, "x", sides[from].Type)}}}
		x.spec.Schema = schemaOf(x.spec)
		probe, build := randomRows(r, r.IntN(60), 20), randomRows(r, r.IntN(60), 20)
		_, same := and(t, keys)
		fulfils := func(p, b exectest.Row) bool {
			return same(p, b) == yes && !p[from].Null && ordered(op, exectest.CompareScalars(p[from], b[colID]))
		}
		x.on = func(p, b exectest.Row) truth {
			if !fulfils(p, b) {
				return no
			}
			for _, o := range build {
				distance := exectest.CompareScalars(o[colID], b[colID])
				if op == expr.OpLt || op == expr.OpLe {
					distance = -distance
				}
				if distance > 0 && fulfils(p, o) {
					return no
				}
			}
			return yes
		}
		t.Log("seed", seed, "round", round, "memory", limit)
		joined := exec.NewGather(join.New(env, x.spec, sources(r, probe, 2, 10), sources(r, build, 2, 10)))
		got, err := exectest.Drain(context.Background(), joined)
		if err != nil {
			t.Fatal(err)
		}
		if err := joined.Close(); err != nil {
			t.Error(err)
		}
		exectest.Compare(t, x.want(probe, build), got, false)
	}
}
