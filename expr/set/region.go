package set

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/geometry/extent"
	"github.com/parquetsql/parquetsql/vector"
)

// Region is the geometries whose boxes meet one of a set: GEOMETRY if that is in the plane,
// else GEOGRAPHY. Bytes that are no WKB are in all regions.
type Region struct{ *extent.Set }

// Select implements Set.
func (r Region) Select(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
	a, k := kernel.OperandOf[string](args[0]), 0
	for _, i := range kernel.Listed(rows, n) {
		if into[k] = i; r.Meets(a.At(i)) {
			k++
		}
	}
	return into[:k], nil
}

// String is the condition that a geometry is in the region, without the geometry.
func (r Region) String() string { return fmt.Sprintf("&& (… %d boxes)", r.Len()) }
