package sample_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/sample"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// among fails the test unless got are rows, in their order.
func among(t *testing.T, rows, got []exectest.Row) {
	t.Helper()
	at := 0
	for i, g := range got {
		for at < len(rows) && fmt.Sprint(rows[at]) != fmt.Sprint(g) {
			at++
		}
		if at++; at > len(rows) {
			t.Fatalf("row %d of the sample, %v, is none of the input's behind the one before", i, g)
		}
	}
}

func TestRows(t *testing.T) {
	for _, of := range []sample.Rows{{Size: 0}, {Size: 1}, {Size: 50}, {Size: 400}, {Size: 1, Of: 10}, {Size: 33, Of: 100}, {Size: 99, Of: 100}, {Size: 20, Of: 1000}} {
		t.Run(fmt.Sprint(of), func(t *testing.T) {
			exectest.Run(t, exectest.Case{
				Schema: exectest.Wide, Rows: exectest.WideRows, OneInput: true,
				Build: func(in []exec.Operator) exec.Operator { return sample.New(exec.Env{}, in[0], of) },
				Check: func(t *testing.T, rows, got []exectest.Row) {
					want := min(of.Size, len(rows))
					if of.Of > 0 {
						want = int(float64(len(rows)*of.Size)/float64(of.Of) + 0.5)
					}
					if len(got) != want {
						t.Errorf("%d rows of %d, want %d", len(got), len(rows), want)
					}
					among(t, rows, got)
				},
			})
		})
	}
}

func TestChance(t *testing.T) {
	for _, share := range []float64{0, 0.01, 0.5, 0.99, 1} {
		t.Run(fmt.Sprint(share), func(t *testing.T) {
			exectest.Run(t, exectest.Case{
				Schema: exectest.Wide, Rows: exectest.WideRows, OneInput: true,
				Build: func(in []exec.Operator) exec.Operator { return sample.NewChance(in[0], share, 3) },
				Check: func(t *testing.T, rows, got []exectest.Row) {
					if share == 0 && len(got) > 0 || share == 1 && len(got) != len(rows) {
						t.Errorf("%d rows of %d", len(got), len(rows))
					}
					among(t, rows, got)
				},
			})
		})
	}
}

var numbers = vector.Schema{{Name: "n", Type: vector.Of(vector.BigInt)}}

func numbered(n, size int) exec.Operator {
	rows := make([]exectest.Row, n)
	for i := range rows {
		rows[i] = exectest.Row{vector.IntScalar(int64(i))}
	}
	return exectest.NewSource(numbers, rows, size, rand.New(rand.NewPCG(1, 2)))
}

func drawn(t *testing.T, op exec.Operator) (out []int) {
	t.Helper()
	rows, err := exectest.Drain(context.Background(), op)
	if err != nil {
		t.Fatal(err)
	}
	if err := op.Close(); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		out = append(out, int(r[0].I64))
	}
	return out
}

// TestBatches: the rows of a seed do not depend on the batches that they come in.
func TestBatches(t *testing.T) {
	for name, build := range map[string]func(in exec.Operator) exec.Operator{
		"rows": func(in exec.Operator) exec.Operator {
			return sample.New(exec.Env{}, in, sample.Rows{Size: 20, Seed: 5})
		},
		"parts": func(in exec.Operator) exec.Operator {
			return sample.New(exec.Env{}, in, sample.Rows{Size: 30, Of: 40, Seed: 5})
		},
		"rare":  func(in exec.Operator) exec.Operator { return sample.NewChance(in, 0.03, 5) },
		"often": func(in exec.Operator) exec.Operator { return sample.NewChance(in, 0.3, 5) },
	} {
		want := drawn(t, build(numbered(10_000, vector.BatchSize)))
		if name == "parts" && len(want) != 7500 {
			t.Errorf("%d rows", len(want))
		}
		for _, size := range []int{1, 7, 100} {
			if got := drawn(t, build(numbered(10_000, size))); !slices.Equal(got, want) {
				t.Errorf("%s: batches of %d rows have other rows in the sample", name, size)
			}
		}
	}
}

// TestEqualChances: each row is drawn as often as any other. The statistic is chi-square with as
// many degrees of freedom as there are rows, but one; it is above the bound for one seed of millions.
func TestEqualChances(t *testing.T) {
	const rows, rounds = 60, 4000
	for name, c := range map[string]struct {
		build func(in exec.Operator, seed uint64) exec.Operator
		share float64
	}{
		"one": {func(in exec.Operator, s uint64) exec.Operator {
			return sample.New(exec.Env{}, in, sample.Rows{Size: 1, Seed: s})
		}, 1.0 / rows},
		"seven": {func(in exec.Operator, s uint64) exec.Operator {
			return sample.New(exec.Env{}, in, sample.Rows{Size: 7, Seed: s})
		}, 7.0 / rows},
		"nearly": {func(in exec.Operator, s uint64) exec.Operator {
			return sample.New(exec.Env{}, in, sample.Rows{Size: 55, Seed: s})
		}, 55.0 / rows},
		"parts": {func(in exec.Operator, s uint64) exec.Operator {
			return sample.New(exec.Env{}, in, sample.Rows{Size: 3, Of: 20, Seed: s})
		}, 3.0 / 20},
		"half part": {func(in exec.Operator, s uint64) exec.Operator {
			return sample.New(exec.Env{}, in, sample.Rows{Size: 8, Of: 40, Seed: s})
		}, 0.2},
		"rare":  {func(in exec.Operator, s uint64) exec.Operator { return sample.NewChance(in, 0.04, s) }, 0.04},
		"often": {func(in exec.Operator, s uint64) exec.Operator { return sample.NewChance(in, 0.4, s) }, 0.4},
	} {
		var times [rows]int
		for seed := range uint64(rounds) {
			for _, n := range drawn(t, c.build(numbered(rows, 16), seed*seed+1)) {
				times[n]++
			}
		}
		chi, want := 0.0, rounds*c.share
		for _, n := range times {
			chi += (float64(n) - want) * (float64(n) - want) / (want * (1 - c.share))
		}
		if chi > 59+5.5*10.9 || chi < 59-4.5*10.9 {
			t.Errorf("%s: chi-square %.1f of %d rows: %v", name, chi, rows, times)
		}
	}
}

// TestMemory: what is kept is charged, and given back.
func TestMemory(t *testing.T) {
	schema := vector.Schema{{Name: "s", Type: vector.Of(vector.Varchar)}}
	var rows []exectest.Row
	for i := range 4000 {
		rows = append(rows, exectest.Row{vector.StringScalar(strings.Repeat(fmt.Sprint(i%10), 1000))})
	}
	source := func() exec.Operator {
		return exectest.NewSource(schema, rows, 100, rand.New(rand.NewPCG(1, 2)))
	}
	for _, c := range []struct {
		of   sample.Rows
		fits bool
	}{{sample.Rows{Size: 100}, true}, {sample.Rows{Size: 2000}, false}, {sample.Rows{Size: 50, Of: 100}, true}} {
		budget := quota.New(1 << 20)
		op := sample.New(exec.Env{Budget: budget}, source(), c.of)
		got, err := exectest.Drain(context.Background(), op)
		if c.fits && (err != nil || budget.Peak() == 0) || !c.fits && !errors.Is(err, errs.ErrMemoryLimit) {
			t.Errorf("%v: %d rows, %v, %d bytes at most", c.of, len(got), err, budget.Peak())
		}
		if err := op.Close(); err != nil || budget.Used() != 0 {
			t.Errorf("%v: %v, %d bytes are still held", c.of, err, budget.Used())
		}
	}
}
