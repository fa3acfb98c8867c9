package reader

import (
	"math"
	"testing"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/vector"
)

// TestFactsOf: a file is counted by what a log says of it only where that can be.
func TestFactsOf(t *testing.T) {
	for _, x := range []struct {
		rows, deleted int64
		counts        bool
	}{{10, 0, true}, {10, 10, true}, {10, 11, false}, {10, -1, false}, {-1, 0, false}} {
		if _, ok := (&Scan{}).factsOf(&files.File{Rows: x.rows, Deletes: &files.Deletes{Rows: x.deleted}}, nil); ok != x.counts {
			t.Errorf("%d rows, of which %d are deleted: %v", x.rows, x.deleted, ok)
		}
	}
}

// TestFoldedSum: numbers of rows whose sum is no BIGINT are not added.
func TestFoldedSum(t *testing.T) {
	f := folded{aggs: []scan.MetaAggregate{{Kind: scan.CountStar}}, values: []vector.Scalar{vector.IntScalar(0)}, most: math.MaxInt64}
	for _, x := range []struct {
		rows int64
		fits bool
	}{{math.MaxInt64 - 1, true}, {2, false}, {1, true}, {1, false}} {
		if f.add(facts{rows: x.rows, all: true}) != x.fits {
			t.Errorf("after %d, %d rows fit: %v", f.values[0].I64, x.rows, !x.fits)
		}
	}
}

// TestFoldedMerge: what is folded of parts is what is folded of the whole, also where parts have only NULLs.
func TestFoldedMerge(t *testing.T) {
	aggs := []scan.MetaAggregate{{Kind: scan.CountStar}, {Kind: scan.Count}, {Kind: scan.Min}, {Kind: scan.Max}}
	s := &Scan{table: &files.Set{Table: scan.Table{Columns: []scan.Column{{Type: vector.Of(vector.BigInt)}}}}}
	of := func(lo, hi, nulls int64) facts {
		sum := &probe.Summary{Rows: 10, Nulls: nulls, MinExact: true, MaxExact: true}
		if nulls < 10 {
			a, b := vector.IntScalar(lo), vector.IntScalar(hi)
			sum.Min, sum.Max = &a, &b
		}
		return facts{rows: 10, all: true, get: func(int) *probe.Summary { return sum }}
	}
	all := s.folded(aggs, math.MaxInt64)
	for _, part := range [][]facts{{of(3, 9, 0), of(0, 0, 10)}, {of(0, 0, 10)}, {}, {of(-7, 4, 2)}} {
		f := s.folded(aggs, 1000)
		for _, x := range part {
			if !f.add(x) {
				t.Fatal("not added")
			}
		}
		all.merge(f)
	}
	for i, want := range []int64{40, 18, -7, 9} {
		if got := all.values[i]; got.Null || got.I64 != want {
			t.Errorf("aggregate %d: %v, want %d", i, got, want)
		}
	}
	none := s.folded(aggs, 1000)
	none.merge(s.folded(aggs, 1000))
	if none.values[0].I64 != 0 || !none.values[2].Null || !none.values[3].Null {
		t.Errorf("of no rows: %v", none.values)
	}
}
