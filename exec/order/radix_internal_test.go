package order

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// TestRadixSort sorts words of many shapes as comparisons do: few and many values, bytes that do not differ between those
// that do, equal keys, and keys that differ at the end alone.
func TestRadixSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	shapes := map[string]func() (hi, lo uint64){
		"random":        func() (uint64, uint64) { return rng.Uint64(), rng.Uint64() },
		"few":           func() (uint64, uint64) { return rng.Uint64N(3) << 40, rng.Uint64N(3) },
		"equal":         func() (uint64, uint64) { return 7, 7 },
		"last byte":     func() (uint64, uint64) { return 1 << 63, rng.Uint64N(256) },
		"first or last": func() (uint64, uint64) { return rng.Uint64N(2) << 63, rng.Uint64N(2) },
		"marks between": func() (uint64, uint64) { return 2<<56 | rng.Uint64N(50)<<16, 2<<56 | rng.Uint64N(1e9)<<8 },
		"skewed":        func() (uint64, uint64) { return (1 << rng.Uint64N(64)) - 1, rng.Uint64() & (1<<rng.Uint64N(64) - 1) },
	}
	for name, word := range shapes {
		for _, n := range []int{0, 1, 2, fewRefs - 1, fewRefs, 300, 5000} {
			t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) {
				refs := make([]sortRef, n)
				for i := range refs {
					refs[i].hi, refs[i].lo = word()
					refs[i].row = int32(i)
				}
				want := slices.Clone(refs)
				slices.SortStableFunc(want, compareRefs)
				radixSort(refs, make([]sortRef, n))
				if !slices.Equal(refs, want) {
					t.Fatal("not in order")
				}
				radixSort(refs, make([]sortRef, n)) // what is in order stays
				if !slices.Equal(refs, want) {
					t.Fatal("not in order the second time")
				}
			})
		}
	}
}

// TestNarrowKeys writes the least and greatest values of the types that have 4 bytes in a key, and NULL, in both directions.
func TestNarrowKeys(t *testing.T) {
	for kind, ends := range map[vector.Kind][2]int64{
		vector.TinyInt: {-128, 127}, vector.SmallInt: {-1 << 15, 1<<15 - 1}, vector.Integer: {-1 << 31, 1<<31 - 1},
		vector.UTinyInt: {0, 255}, vector.USmallInt: {0, 1<<16 - 1}, vector.Date: {-1<<31 + 1, 1<<31 - 1},
	} {
		for _, desc := range []bool{false, true} {
			typ := vector.Of(kind)
			enc, err := newKeyEncoder(exec.Env{}, []expr.SortKey{{Expr: expr.NewColumn(0, "x", typ), Desc: desc}})
			if err != nil {
				t.Fatal(err)
			}
			v := vector.New(typ, 5)
			copy(v.I64, []int64{ends[0], min(0, ends[0]+1), ends[1] - 1, ends[1], 0})
			v.Valid = vector.Validity{0b01111}
			var k keyBuf
			if err := enc.encode([]*vector.Vector{v}, &vector.Batch{Len: 5, Cols: []*vector.Vector{v}}, &k); err != nil {
				t.Fatal(err)
			}
			if len(k.data) != 5*5 {
				t.Fatalf("%s: %d bytes for 5 keys", typ.Name(), len(k.data))
			}
			for i := 1; i < 4; i++ {
				a, b := k.key(i-1), k.key(i)
				if desc {
					a, b = b, a
				}
				if v.I64[i] != v.I64[i-1] && string(a) >= string(b) {
					t.Errorf("%s, desc %t: values %d and %d", typ.Name(), desc, i-1, i)
				}
			}
			if string(k.key(4)) <= string(k.key(0)) || string(k.key(4)) <= string(k.key(3)) {
				t.Errorf("%s, desc %t: NULL is not last", typ.Name(), desc)
			}
		}
	}
}
