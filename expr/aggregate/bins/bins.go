// Package bins counts values by bins: the upper bounds of HISTOGRAM, or the values
// themselves of HISTOGRAM_EXACT.
package bins

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// Bins are bounds in ascending order. A bin has the values above the bound before it up to
// its own bound, or with exact only those that are equal to its bound.
type Bins struct {
	bounds *vector.Vector
	exact  bool
}

// KeyOf is the type of the bounds for values of a type. As in DuckDB, decimals are counted
// as DOUBLE. ok is false for types that have no bins.
func KeyOf(t vector.Type) (key vector.Type, ok bool) {
	if t.Kind == vector.Decimal {
		return vector.Of(vector.Double), true
	}
	_, ok = Other(t)
	return t, ok || t.Kind == vector.Null || t.Kind == vector.Date || t.IsTimestamp()
}

// New makes bins of bounds in any order. NULLs among them are errors.
func New(bounds *vector.Vector, exact bool) (*Bins, error) {
	rows := make([]int32, 0, bounds.Len)
	for i := range bounds.Len {
		if bounds.IsNull(i) {
			return nil, fmt.Errorf("a bin is NULL")
		}
		rows = append(rows, int32(i))
	}
	slices.SortFunc(rows, func(a, b int32) int { return vector.Compare(bounds, int(a), bounds, int(b)) })
	for i := 1; i < len(rows); i++ {
		if vector.Compare(bounds, int(rows[i-1]), bounds, int(rows[i])) == 0 {
			return nil, errs.Unsupported("a bin that comes twice")
		}
	}
	b := &Bins{vector.New(bounds.Type, 0), exact}
	return b, b.bounds.Append(bounds, rows)
}

// Find is the bin of row i of v, or -1 if it is in none.
func (b *Bins) Find(v *vector.Vector, i int) int {
	k := sort.Search(b.bounds.Len, func(k int) bool { return vector.Compare(b.bounds, k, v, i) >= 0 })
	if k == b.bounds.Len || b.exact && vector.Compare(b.bounds, k, v, i) != 0 {
		return -1
	}
	return k
}

// Len is the number of bins.
func (b *Bins) Len() int { return b.bounds.Len }

// Keys are the bounds, and a key for the values in no bin if there are any.
func (b *Bins) Keys(others bool) (*vector.Vector, error) {
	keys := vector.New(b.bounds.Type, 0)
	if err := keys.Append(b.bounds, nil); err != nil || !others {
		return keys, err
	}
	other, ok := Other(keys.Type)
	if !ok {
		return nil, errs.Unsupported("bins of %s where a value is in none of them; add a greater one", keys.Type)
	}
	return keys, keys.Append(vector.NewConstant(other, 1), nil)
}

// Other is the key of the values that are in no bin: the greatest value of the type, and
// of texts the empty one. ok is false for types that have none.
func Other(t vector.Type) (s vector.Scalar, ok bool) {
	s.Type = t
	switch {
	case t.Kind == vector.UBigInt:
		s.U64 = math.MaxUint64
	case t.IsUnsigned():
		s.I64 = 1<<t.Bits() - 1
	case t.IsInteger():
		s.I64 = math.MaxInt64 >> (64 - t.Bits())
	case t.Kind == vector.Float:
		s.F32 = float32(math.Inf(1))
	case t.Kind == vector.Double:
		s.F64 = math.Inf(1)
	default:
		return s, t.Kind == vector.Varchar
	}
	return s, true
}
