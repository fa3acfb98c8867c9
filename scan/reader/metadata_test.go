package reader

import (
	"math"
	"testing"

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
	f := folded{aggs: []scan.MetaAggregate{{Kind: scan.CountStar}}, values: []vector.Scalar{vector.IntScalar(0)}}
	for _, x := range []struct {
		rows int64
		fits bool
	}{{math.MaxInt64 - 1, true}, {2, false}, {1, true}, {1, false}} {
		if f.add(facts{rows: x.rows, all: true}) != x.fits {
			t.Errorf("after %d, %d rows fit: %v", f.values[0].I64, x.rows, !x.fits)
		}
	}
}
