package bins

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestFinder: the finder finds the bins that Find does, in vectors of every form.
func TestFinder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, typ := range []vector.Type{vector.Of(vector.Integer), vector.Of(vector.UBigInt), vector.Of(vector.Double), vector.Of(vector.Float), vector.Of(vector.Varchar)} {
		value := func() vector.Scalar {
			x := r.Int64N(30)
			s := vector.Scalar{Type: typ, I64: x - 10, U64: uint64(x), F64: float64(x) - 10, F32: float32(x), Str: fmt.Sprint(x)}
			switch r.IntN(12) {
			case 0:
				s.F64, s.F32 = math.NaN(), float32(math.NaN())
			case 1:
				s.F64 = math.Copysign(0, -1)
			}
			return s
		}
		for round := range 40 {
			bounds, seen := []vector.Scalar{}, map[string]bool{}
			for range r.IntN(9) {
				s := value()
				if key := fmt.Sprint(s.I64, s.U64, s.F64+0, s.F32, s.Str); !seen[key] && (round%3 == 0 || !math.IsNaN(s.F64)) {
					bounds, seen[key] = append(bounds, s), true
				}
			}
			list := &vector.Vector{}
			if err := list.FromScalars(typ, bounds); err != nil {
				t.Fatal(err)
			}
			b, err := New(list, round%2 == 0)
			if err != nil {
				continue // a bin that comes twice
			}
			var values []vector.Scalar
			for range 60 {
				values = append(values, value())
				if r.IntN(5) == 0 && round%4 > 0 {
					values[len(values)-1] = vector.NullOf(typ)
				}
			}
			v := &vector.Vector{}
			if err := v.FromScalars(typ, values); err != nil {
				t.Fatal(err)
			}
			switch round % 5 {
			case 1:
				v = vector.NewConstant(values[0], 60)
			case 2:
				d := &vector.Vector{Type: typ, Form: vector.Dictionary, Len: 60, Dict: &vector.Vector{}, Valid: v.Valid}
				if err := d.Dict.FromScalars(typ, []vector.Scalar{value(), value(), value()}); err != nil {
					t.Fatal(err)
				}
				for range 60 {
					d.Codes = append(d.Codes, r.Int32N(3))
				}
				v = d
			}
			batch := &vector.Batch{Len: 60}
			if round%7 < 3 {
				batch.Sel = []int32{3, 4, 9, 40, 59}
			}
			for i, found := range NewFinder(b).Find(v, batch) {
				row, want := batch.Row(i), -1
				if !v.IsNull(row) {
					one := &vector.Vector{}
					if err := one.Gather(v, []int32{int32(row)}); err != nil {
						t.Fatal(err)
					}
					if want = b.Find(one, 0); want < 0 {
						want = b.Len()
					}
				}
				if int(found) != want {
					t.Fatalf("%s, round %d: row %d is in bin %d, want %d", typ, round, row, found, want)
				}
			}
		}
	}
}
