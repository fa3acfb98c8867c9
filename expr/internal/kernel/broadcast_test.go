package kernel

import (
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestBroadcast: a constant has as many values as there are rows, and takes the memory of a
// batch only where there are that many.
func TestBroadcast(t *testing.T) {
	var c broadcast[int64]
	few, many := min(2, vector.BatchSize), vector.BatchSize
	for _, x := range []struct {
		constant int64
		rows     int
	}{{7, few}, {7, many}, {8, few}, {8, many}, {9, many}, {9, few}} {
		values := c.values(vector.NewConstant(vector.IntScalar(x.constant), x.rows), x.rows)
		if len(values) != x.rows {
			t.Fatalf("%d values for %d rows", len(values), x.rows)
		}
		for i, v := range values {
			if v != x.constant {
				t.Fatalf("%+v: value %d is %d", x, i, v)
			}
		}
	}
	var small broadcast[int64]
	if small.values(vector.NewConstant(vector.IntScalar(1), few), few); cap(small.memory) > 16 {
		t.Errorf("%d rows take the memory of %d", few, cap(small.memory))
	}
}
