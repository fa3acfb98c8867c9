package aggregate

import (
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// TestSubtractFolded: sums of integers that were folded are undone too.
func TestSubtractFolded(t *testing.T) {
	a, err := New("SUM", []expr.Expr{expr.NewColumn(0, "x", vector.Of(vector.BigInt))}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	one := func(v int64) *vector.Vector {
		x := vector.New(vector.Of(vector.BigInt), 1)
		x.I64[0] = v
		return x
	}
	part := func(v int64) *intSumState {
		s := a.NewState().(*intSumState)
		s.Resize(1)
		if err := s.Update(nil, []*vector.Vector{one(v)}, &vector.Batch{Len: 1}); err != nil {
			t.Fatal(err)
		}
		return s
	}
	only := []uint32{0}
	s := part(-1)
	s.rows = foldRows
	for _, v := range []int64{1 << 40, 3} {
		if err := s.Merge(part(v), only, only); err != nil {
			t.Fatal(err)
		}
	}
	s.Subtract(part(-1), only, only)
	out := &vector.Vector{}
	if err := s.Result(0, 1, out); err != nil || out.I64[0] != 1<<40+3 {
		t.Errorf("%d, %v", out.I64[0], err)
	}
}
