package bins

import (
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// Finder finds the bins of the rows of vectors.
type Finder struct {
	bins    *Bins
	found   []int32 // of the batch
	dict    *vector.Vector
	entries []int32 // by entry of dict
}

// NewFinder is a finder of bins.
func NewFinder(b *Bins) *Finder { return &Finder{bins: b} }

// Find returns the bin of each selected row of v: Len of the bins for one in none of them, -1 for NULL. It is valid until the
// next call.
func (f *Finder) Find(v *vector.Vector, b *vector.Batch) []int32 {
	n := b.Rows()
	f.found = vector.Resize(f.found, n)
	switch {
	case v.Type.Kind == vector.Null || v.Form == vector.Constant:
		bin := [1]int32{-1}
		if !v.IsNull(0) {
			f.values(v, nil, bin[:])
		}
		for i := range f.found {
			f.found[i] = bin[0]
		}
		return f.found
	case v.Form == vector.Dictionary && v.Dict != f.dict:
		f.dict, f.entries = v.Dict, vector.Resize(f.entries, v.Dict.Len)
		f.values(v.Dict, nil, f.entries)
	}
	if v.Form == vector.Dictionary {
		for i := range f.found {
			f.found[i] = f.entries[v.Codes[b.Row(i)]]
		}
	} else {
		f.values(v, b.Sel, f.found)
	}
	if v.Valid != nil {
		for i := range f.found {
			if !v.Valid.Get(b.Row(i)) {
				f.found[i] = -1
			}
		}
	}
	return f.found
}

// values finds the bins of the rows in sel of a flat vector, or of the first ones if it is nil.
func (f *Finder) values(v *vector.Vector, sel, found []int32) {
	switch bounds := f.bins.bounds; bounds.Type.Storage() {
	case vector.StoreInt64:
		find(bounds.I64[:bounds.Len], v.I64, sel, found, f.bins.exact)
	case vector.StoreUint64:
		find(bounds.U64[:bounds.Len], v.U64, sel, found, f.bins.exact)
	case vector.StoreString:
		find(bounds.Str[:bounds.Len], v.Str, sel, found, f.bins.exact)
	case vector.StoreFloat64:
		if n := bounds.Len; n > 0 && math.IsNaN(bounds.F64[n-1]) { // the greatest
			f.each(v, sel, found)
			return
		}
		find(bounds.F64[:bounds.Len], v.F64, sel, found, f.bins.exact)
		for i := range found {
			if row := at(sel, i); math.IsNaN(v.F64[row]) {
				found[i] = int32(bounds.Len)
			}
		}
	default:
		f.each(v, sel, found)
	}
}

func at(sel []int32, i int) int {
	if sel != nil {
		return int(sel[i])
	}
	return i
}

// each is values with a comparison of any type.
func (f *Finder) each(v *vector.Vector, sel, found []int32) {
	for i := range found {
		if found[i] = int32(f.bins.Find(v, at(sel, i))); found[i] < 0 {
			found[i] = int32(f.bins.bounds.Len)
		}
	}
}

// find is values of an ordered Go type. It halves the bounds without a branch that is hard to foretell.
func find[T int64 | uint64 | float64 | string](bounds, values []T, sel, found []int32, exact bool) {
	for i := range found {
		x, from, n := values[at(sel, i)], 0, len(bounds)
		for n > 0 {
			half := (n + 1) / 2
			if bounds[from+half-1] < x {
				from += half
				n -= half
			} else {
				n = half - 1
			}
		}
		if exact && from < len(bounds) && bounds[from] != x {
			from = len(bounds)
		}
		found[i] = int32(from)
	}
}
