package files

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/vector"
)

// TestBlocks: a block is ruled out only if no file of it has a row that satisfies the condition, and
// where few files have one, most blocks are.
func TestBlocks(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	type file struct {
		low, high int64
		nulls     int64 // of 10 rows; -1: unknown
		known     bool
	}
	const rows = 10
	list, numbers := make([]file, 5000), make([]int64, 5000)
	for i := range list {
		low := r.Int64N(1000)
		list[i] = file{low, low + r.Int64N(3), []int64{0, 3, rows, -1}[r.IntN(4)], r.IntN(500) > 0}
		numbers[i] = rows
	}
	b := NewBounds(vector.Of(vector.BigInt), numbers)
	for i, f := range list {
		low, high := vector.IntScalar(f.low), vector.IntScalar(f.high)
		switch {
		case f.nulls == rows:
			b.Set(i, nil, nil, rows, false)
		case f.known:
			b.Set(i, &low, &high, f.nulls, r.IntN(2) == 0)
		}
	}
	blocks := b.Blocks()
	column, limit := expr.NewColumn(0, "a", vector.Of(vector.BigInt)), int64(500)
	compare := func(op expr.Op, with int64) expr.Expr {
		e, err := expr.NewCompare(op, column, expr.NewConst(vector.IntScalar(with)))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	conditions := map[string]struct {
		e    expr.Expr
		some func(f file) bool // a row may satisfy it
	}{
		"=":           {compare(expr.OpEq, limit), func(f file) bool { return f.nulls < rows && (!f.known || f.low <= limit && limit <= f.high) }},
		">":           {compare(expr.OpGt, 990), func(f file) bool { return f.nulls < rows && (!f.known || f.high > 990) }},
		"IS NULL":     {&expr.IsNull{X: column}, func(f file) bool { return !f.known && f.nulls != rows || f.nulls != 0 }},
		"IS NOT NULL": {&expr.IsNull{X: column, Not: true}, func(f file) bool { return f.nulls != rows }},
	}
	for name, c := range conditions {
		p := probe.New(t.Context(), c.e)
		var seen []int32
		out := 0
		for _, block := range blocks {
			seen = append(seen, block.Files...)
			if p.Test(func(int) *probe.Summary { return &block.Summary }) != probe.None {
				continue
			}
			out++
			for _, i := range block.Files {
				if c.some(list[i]) {
					t.Errorf("seed %d, %s: a block is ruled out that has file %d: %+v", seed, name, i, list[i])
				}
				if p.Test(func(int) *probe.Summary { return b.Summary(int(i)) }) != probe.None {
					t.Errorf("seed %d, %s: file %d is not ruled out as its block is", seed, name, i)
				}
			}
		}
		if slices.Sort(seen); len(seen) != len(list) || seen[0] != 0 || int(seen[len(seen)-1]) != len(list)-1 {
			t.Errorf("the blocks have %d files", len(seen))
		}
		if (name == "=" || name == ">") && out < len(blocks)/2 {
			t.Errorf("seed %d, %s: %d of %d blocks are ruled out", seed, name, out, len(blocks))
		}
	}
}

// TestBoundsThatMakeNoSense: a least value above the greatest one says nothing.
func TestBoundsThatMakeNoSense(t *testing.T) {
	b := NewBounds(vector.Of(vector.BigInt), []int64{1, -1})
	low, high := vector.IntScalar(5), vector.IntScalar(3)
	b.Set(0, &low, &high, 0, true)
	if s := b.Summary(0); s.Min != nil || s.Max != nil || s.MinExact || s.Nulls != 0 || s.Rows != 1 {
		t.Errorf("%+v", s)
	}
	if s := b.Summary(1); s.Min != nil || s.Nulls != -1 || s.Rows != 1 {
		t.Errorf("%+v", s)
	}
}
