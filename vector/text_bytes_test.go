package vector

import (
	"math/rand/v2"
	"testing"
)

// texts is the length of all texts of a value of a model.
func texts(x any) (n int64) {
	switch x := x.(type) {
	case string:
		return int64(len(x))
	case []any:
		for _, part := range x {
			n += texts(part)
		}
	}
	return n
}

func TestTextBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, ty := range modelTypes() {
		for range 20 {
			m := randomModel(r, ty, 30)
			flat := column(ty, m)
			codes := make([]int32, 40)
			for i := range codes {
				codes[i] = int32(r.IntN(len(m)))
			}
			coded := &Vector{Type: ty, Len: len(codes), Form: Dictionary, Dict: flat, Codes: codes}
			from := r.IntN(30)
			to := from + r.IntN(31-from)
			var want, wantCoded int64
			for i := from; i < to; i++ {
				n := texts(m[i])
				if got := flat.TextBytes(i); got != n {
					t.Errorf("%v: row %v: %d, want %d", ty, m[i], got, n)
				}
				want, wantCoded = want+n, wantCoded+texts(m[codes[i]])
			}
			if got := flat.TextBytesOf(from, to); got != want {
				t.Errorf("%v: rows %v: %d, want %d", ty, m[from:to], got, want)
			}
			if got := coded.TextBytesOf(from, to); got != wantCoded {
				t.Errorf("%v in a dictionary: %d, want %d", ty, got, wantCoded)
			}
			sel := []int32{}
			var wantBoth int64
			for i := range flat.Len {
				if r.IntN(2) == 0 {
					sel = append(sel, int32(i))
					wantBoth += texts(m[i]) + texts(m[codes[i]])
				}
			}
			if got := (&Batch{Len: flat.Len, Cols: []*Vector{flat, coded}, Sel: sel}).TextBytes(); got != wantBoth {
				t.Errorf("%v, flat and in a dictionary, rows %v: %d, want %d", ty, sel, got, wantBoth)
			}
			first := column(ty, m[:1])
			first.Form, first.Len = Constant, 9
			if got := first.TextBytesOf(2, 5); got != 3*texts(m[0]) {
				t.Errorf("%v: three times %v: %d", ty, m[0], got)
			}
			if got := (&Batch{Len: 9, Cols: []*Vector{first}, Sel: []int32{1, 4, 5, 8}}).TextBytes(); got != 4*texts(m[0]) {
				t.Errorf("%v: four of nine times %v: %d", ty, m[0], got)
			}
			nulls := *coded
			nulls.Valid = NewValidity(nulls.Len)
			for i, row := range sel {
				if i%2 == 0 {
					nulls.Valid.Clear(int(row))
					wantBoth -= texts(m[codes[row]])
				}
			}
			if got := (&Batch{Len: flat.Len, Cols: []*Vector{flat, &nulls}, Sel: sel}).TextBytes(); got != wantBoth {
				t.Errorf("%v, flat and in a dictionary with NULLs, rows %v: %d, want %d", ty, sel, got, wantBoth)
			}
		}
	}
}
