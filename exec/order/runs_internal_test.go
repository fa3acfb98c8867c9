package order

import (
	"reflect"
	"testing"

	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/internal/membudget"
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
		s := &runs{budget: membudget.New(limit)}
		if got := s.free(); got != want {
			t.Errorf("limit %d: %d bytes are free, want %d", limit, got, want)
		}
	}
}
