package kernel

import (
	"slices"

	"github.com/parquetsql/parquetsql/internal/quota"
)

// SortRows sorts rows, which ascend, by compare; equal ones stay in their order. work is
// told of the work, and its error ends the sort: from then on all rows count as equal.
func SortRows(rows []int32, work func(n int) error, compare func(a, b int32) int) error {
	var err error
	slices.SortFunc(rows, func(a, b int32) int {
		if err != nil {
			return 0
		}
		if err = work(quota.CompareWork); err != nil {
			return 0
		}
		if c := compare(a, b); c != 0 {
			return c
		}
		return int(a) - int(b)
	})
	return err
}
