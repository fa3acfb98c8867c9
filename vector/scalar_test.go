package vector

import "testing"

// TestScalarsDoNotAllocate: single values are taken, set and compared in loops
// over dictionaries and bounds.
func TestScalarsDoNotAllocate(t *testing.T) {
	for _, typ := range []Type{Of(Boolean), Of(BigInt), Of(UBigInt), Of(Double), Of(Varchar), Of(Interval)} {
		v, order := New(typ, 8), 0
		n := testing.AllocsPerRun(100, func() {
			a, b := v.Get(3), v.Get(4)
			v.Set(5, a)
			order += a.Compare(&b)
		})
		if n != 0 || order != 0 {
			t.Errorf("%s: %v allocations per pair of values, order %d", typ, n, order)
		}
	}
}
