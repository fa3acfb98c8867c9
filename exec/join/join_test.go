package join_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/join"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// environment is without a limit, or one in which some joins spill.
func environment(t *testing.T, r *rand.Rand) (exec.Env, int64) {
	limit := []int64{0, 0, 1, 3000, 20000}[r.IntN(5)]
	return exec.Env{Budget: quota.New(limit), TempDir: t.TempDir()}, limit
}

// TestRandom compares random joins with the reference.
func TestRandom(t *testing.T) {
	seed := rand.Uint64()
	rounds := 3000
	if testing.Short() {
		rounds = 600
	}
	var trying string
	defer func() {
		if t.Failed() {
			t.Log(trying)
		}
	}()
	leaktest.Check(t)
	defer join.SetFreeBytes(500)()
	for round := range rounds {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		x := newTrial(t, r)
		sizes := []int{0, 1, 5, 20, 70}
		distinct := []int{1, 4, 50}[r.IntN(3)]
		probe, build := randomRows(r, sizes[r.IntN(5)], distinct), randomRows(r, sizes[r.IntN(5)], distinct)
		size := []int{1, 10, vector.BatchSize}[r.IntN(3)]
		env, limit := environment(t, r)
		trying = fmt.Sprintf("seed %d round %d, %s, memory %d, %d probe rows, %d build rows, batches of %d", seed, round, x.name, limit, len(probe), len(build), size)
		if x.spec.Result == join.Pairs && r.IntN(3) == 0 {
			x.spec.Unread = make([]bool, len(x.spec.Schema))
			for c := range x.spec.Unread {
				x.spec.Unread[c] = r.IntN(2) == 0
			}
		}
		ops := join.New(env, x.spec, sources(r, probe, 1+r.IntN(3), size), sources(r, build, 1+r.IntN(3), size))
		op := exec.NewGather(ops)
		got, err := exectest.Drain(context.Background(), op)
		if err != nil {
			t.Fatal(err)
		}
		if err := op.Close(); err != nil {
			t.Error(err)
		}
		if env.Budget.Used() != 0 {
			t.Errorf("%d bytes of memory are still reserved", env.Budget.Used())
		}
		exectest.Compare(t, without(x.want(probe, build), x.spec.Unread), without(got, x.spec.Unread), false)
	}
}

// without is the rows with NULL in the columns that nobody reads.
func without(rows []exectest.Row, unread []bool) []exectest.Row {
	for i := range rows {
		rows[i] = slices.Clone(rows[i])
		for c, no := range unread {
			if no {
				rows[i][c] = vector.NullOf(rows[i][c].Type)
			}
		}
	}
	return rows
}

// TestSingle: the second match of a row is an error.
func TestSingle(t *testing.T) {
	k := equality(t, colK, hashtable.Equals)
	less := residuals(t)[3]
	spec := join.Spec{Keys: []join.Key{*k.key}, KeepProbe: true, Single: true}
	spec.Schema = schemaOf(spec)
	r := rand.New(rand.NewPCG(1, 2))
	probe, build := randomRows(r, 3, 1), randomRows(r, 2, 1)
	for _, row := range append(probe[:2:2], build...) {
		row[colK] = vector.IntScalar(7)
	}
	probe[2][colK] = vector.IntScalar(8)
	run := func(spec join.Spec, build []exectest.Row) ([]exectest.Row, error) {
		op := exec.NewGather(join.New(exec.Env{}, spec, sources(r, probe, 1, 10), sources(r, build, 1, 10)))
		defer op.Close()
		return exectest.Drain(context.Background(), op)
	}
	if got, err := run(spec, build[:1]); err != nil || len(got) != 3 {
		t.Errorf("one match: %d rows, %v", len(got), err)
	}
	if _, err := run(spec, build); err == nil || !strings.Contains(err.Error(), "more than one row") {
		t.Errorf("two matches: %v", err)
	}
	spec.On = less.e // probe.id < build.id: only row 0 has a match, row 1 of build
	if got, err := run(spec, build); err != nil || len(got) != 3 {
		t.Errorf("one match after On: %d rows, %v", len(got), err)
	}
}

// TestBuilt: what is told about the keys of the build side.
func TestBuilt(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rows := randomRows(r, 500, 1)
	for i, row := range rows {
		row[colK], row[colF], row[colS] = vector.IntScalar(int64(i%7)-3), vector.FloatScalar(float64(i)), vector.StringScalar(fmt.Sprint("s", i%3))
		if i%50 == 0 {
			row[colK], row[colF] = vector.NullOf(row[colK].Type), vector.FloatScalar(math.NaN())
		}
	}
	built := func(rows []exectest.Row, keys ...condition) (got []join.KeyRange) {
		var spec join.Spec
		for _, k := range keys {
			spec.Keys = append(spec.Keys, *k.key)
		}
		spec.Schema, spec.Built = schemaOf(spec), func(keys []join.KeyRange) { got = keys }
		op := exec.NewGather(join.New(exec.Env{}, spec, sources(r, rows, 1, 10), sources(r, rows, 2, 10)))
		defer op.Close()
		if _, err := exectest.Drain(context.Background(), op); err != nil {
			t.Fatal(err)
		}
		return got
	}
	equals := func(c int) condition { return equality(t, c, hashtable.Equals) }
	texts := func(list []vector.Scalar) string {
		var all []string
		for _, s := range list {
			all = append(all, exectest.Text(s))
		}
		slices.Sort(all)
		return strings.Join(all, " ")
	}
	one := built(rows, equals(colK))[0]
	if one.Min.I64 != -3 || one.Max.I64 != 3 || one.Empty || one.Null || texts(one.Values) != "-1 -2 -3 0 1 2 3" {
		t.Errorf("%+v", one)
	}
	if !built(rows, equality(t, colK, hashtable.NotDistinct))[0].Null {
		t.Error("NULL has no match")
	}
	many := slices.Clone(rows)
	for i, row := range many {
		many[i] = slices.Clone(row)
		many[i][colK] = vector.IntScalar(int64(i) * 3)
	}
	if m := built(many, equals(colK))[0]; m.Values != nil || m.Set == nil || m.Set.Len() != len(many) || !m.Set.Has(42) || m.Set.Has(43) || m.Set.Has(-3) {
		t.Errorf("%+v", m)
	}
	for i := range many {
		many[i][colK] = vector.IntScalar(int64(i / 2))
	}
	if m := built(many, equals(colK))[0]; m.Values != nil || m.Set != nil || m.Min.I64 != 0 || m.Max.I64 != int64(len(many)-1)/2 {
		t.Errorf("integers without gaps: %+v", m)
	}
	many[7][colK] = vector.IntScalar(1 << 40)
	if m := built(many, equals(colK))[0]; m.Set != nil || m.Max.I64 != 1<<40 {
		t.Errorf("%+v", m)
	}
	all := built(rows, equals(colS), equals(colF), equals(colL))
	if s := all[0]; s.Min.Str != "s0" || s.Max.Str != "s2" || texts(s.Values) != `"s0" "s1" "s2"` {
		t.Errorf("%+v", s)
	}
	if f := all[1]; f.Min.F64 != 1 || !math.IsNaN(f.Max.F64) || f.Values != nil {
		t.Errorf("%+v", f)
	}
	if l := all[2]; l.Min != nil || l.Empty {
		t.Errorf("%+v", l)
	}
	if e := built(rows[:0], equals(colK))[0]; !e.Empty || e.Min != nil || e.Values == nil {
		t.Errorf("%+v", e)
	}
}

// TestLife: cancel, errors and panics in either input.
func TestLife(t *testing.T) {
	column := expr.NewColumn(0, "x", exectest.OneColumn[0].Type)
	spec := join.Spec{Keys: []join.Key{{Probe: column, Build: column, Null: hashtable.Equals}}, Schema: append(exectest.OneColumn, exectest.OneColumn...)}
	few := func() []exec.Operator {
		return []exec.Operator{exectest.NewSource(exectest.OneColumn, []exectest.Row{{vector.IntScalar(1)}}, 10, rand.New(rand.NewPCG(1, 1)))}
	}
	t.Run("build", func(t *testing.T) {
		exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
			return exec.NewGather(join.New(exec.Env{TempDir: t.TempDir()}, spec, few(), in))
		})
	})
	t.Run("probe", func(t *testing.T) {
		exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
			return exec.NewGather(join.New(exec.Env{TempDir: t.TempDir()}, spec, in, few()))
		})
	})
	t.Run("spilled", func(t *testing.T) {
		exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
			env := exec.Env{Budget: quota.New(1), TempDir: t.TempDir()}
			return exec.NewGather(join.New(env, spec, few(), in))
		})
	})
	t.Run("both", func(t *testing.T) {
		exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
			return exec.NewGather(join.New(exec.Env{TempDir: t.TempDir()}, spec, in[:1], in[1:]))
		})
	})
}
