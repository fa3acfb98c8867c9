package join_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/join"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// TestStop cancels or closes random joins after some batches: no goroutine, file or
// reserved memory is left.
func TestStop(t *testing.T) {
	leaktest.Check(t)
	defer join.SetFreeBytes(500)()
	seed := rand.Uint64()
	t.Log("seed", seed)
	for round := range 150 {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		x := newTrial(t, r)
		env, _ := environment(t, r)
		probe, build := randomRows(r, 100, 5), randomRows(r, 100, 5)
		joined := exec.NewGather(join.New(env, x.spec, sources(r, probe, 2, 10), sources(r, build, 2, 10)))
		ctx, cancel := context.WithCancel(context.Background())
		for range r.IntN(8) {
			b, err := joined.Next(ctx)
			if err != nil {
				t.Fatalf("round %d, %s: %v", round, x.name, err)
			}
			if b == nil {
				break
			}
		}
		if r.IntN(2) == 0 {
			cancel()
			if b, err := joined.Next(ctx); b != nil && err != nil {
				t.Error("rows and an error")
			}
		}
		if err := joined.Close(); err != nil {
			t.Error(err)
		}
		cancel()
		if used := env.Budget.Used(); used != 0 {
			t.Fatalf("round %d, %s: %d bytes are still reserved", round, x.name, used)
		}
	}
}
