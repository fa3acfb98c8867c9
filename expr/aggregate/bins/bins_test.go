package bins

import (
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

func bounds(values ...int64) *vector.Vector {
	v := vector.New(vector.Of(vector.SmallInt), len(values))
	copy(v.I64, values)
	return v
}

// TestFind: a bin ends with its bound, which belongs to it.
func TestFind(t *testing.T) {
	b, err := New(bounds(5, 2), false)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := New(bounds(5, 2), true)
	if err != nil {
		t.Fatal(err)
	}
	values := bounds(1, 2, 3, 5, 6)
	for i, want := range [][2]int{{0, -1}, {0, 0}, {1, -1}, {1, 1}, {-1, -1}} {
		if got := [2]int{b.Find(values, i), exact.Find(values, i)}; got != want {
			t.Errorf("%d is in %v, want %v", values.I64[i], got, want)
		}
	}
	if keys, err := b.Keys(true); err != nil || keys.Len != 3 || keys.I64[2] != 32767 {
		t.Errorf("keys %v, %v, want 2, 5 and the greatest SMALLINT", keys, err)
	}
}

// TestErrors: bounds that are NULL or equal make no bins.
func TestErrors(t *testing.T) {
	null := bounds(1, 2)
	null.SetNull(1)
	for _, v := range []*vector.Vector{null, bounds(1, 1)} {
		if _, err := New(v, false); err == nil {
			t.Errorf("no error for %v", v.I64)
		}
	}
	dates, err := New(vector.New(vector.Of(vector.Date), 1), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dates.Keys(true); err == nil {
		t.Error("no error for dates in no bin, for which there is no greatest date")
	}
}
