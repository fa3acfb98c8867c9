package order

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TestMergedVectorsAreCharged: where rows have hundreds of columns, the vectors of the runs that
// are merged take more than the blocks, and are charged as soon as both are more than is free.
func TestMergedVectorsAreCharged(t *testing.T) {
	if size := int(reflect.TypeOf(vector.Vector{}).Size()); size > vectorBytes {
		t.Errorf("a vector has %d bytes, vectorBytes is %d", size, vectorBytes)
	}
	var disk []*run
	for range fanIn {
		disk = append(disk, &run{blocks: []spill.Block{{}}})
	}
	for columns, charge := range map[int]bool{1: false, 100: false, 1000: true} {
		s := &runs{types: make([]vector.Type, columns)}
		if n := s.mergeBytes(disk); n < int64(fanIn*columns*vectorBytes) || s.charged(n) > 0 != charge {
			t.Errorf("%d columns: %d bytes, of which %d are charged", columns, n, s.charged(n))
		}
	}
}

// TestFreeBlocks: blocks that are not charged are a small part of the limit.
func TestFreeBlocks(t *testing.T) {
	for limit, want := range map[int64]int64{0: freeMerge, 1: 2 << 20, 64 << 20: 2 << 20, 256 << 20: 8 << 20, 1 << 40: freeMerge} {
		s := &runs{budget: quota.New(limit)}
		if got := s.free(); got != want {
			t.Errorf("limit %d: %d bytes are free, want %d", limit, got, want)
		}
	}
}

// TestRowsAreMergedFewTimes: each row goes to disk about as often as the number of runs can be
// divided by that of the runs that are merged at once, although blocks of some runs are a
// little longer than those of others.
func TestRowsAreMergedFewTimes(t *testing.T) {
	leaktest.Check(t)
	schema := vector.Schema{{Name: "s", Type: vector.Of(vector.Varchar)}}
	env := exec.Env{Budget: quota.New(1), TempDir: leaktest.Folder(t)}
	enc, err := newKeyEncoder(env, []expr.SortKey{{Expr: expr.NewColumn(0, "s", schema[0].Type)}})
	if err != nil {
		t.Fatal(err)
	}
	s, rows := newRuns(env, schema), newSortRows(schema, enc)
	const count = 200
	for i := range count {
		// The key has the text too. Of such blocks, what is free has room for eight.
		text := make([]byte, quota.RunBlockBytes/2-count+i)
		rand.NewChaCha8([32]byte{byte(i)}).Read(text)
		rows.clear()
		if err := rows.add(&vector.Batch{Len: 1, Cols: []*vector.Vector{vector.NewConstant(vector.StringScalar(string(text)), 1)}}); err != nil {
			t.Fatal(err)
		}
		r, err := rows.toDisk(rows.sort(), s.file)
		if err != nil {
			t.Fatal(err)
		}
		s.keep(r)
	}
	once := s.budget.Spilled()
	m, err := s.merger(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(m.cursors); n < 2 || n > 16 {
		t.Errorf("%d runs are left", n)
	}
	if n := s.budget.Spilled(); n > 4*once {
		t.Errorf("%d bytes of rows were written as %d", once, n)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
}
