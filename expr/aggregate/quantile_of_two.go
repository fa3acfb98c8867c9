package aggregate

import (
	"sort"

	"github.com/parquetsql/parquetsql/vector"
)

// kthOfTwo is the k-th smallest value of two ascending lists of n and m values. It looks at
// a few of them only: it searches how many of the first list are among the k smallest.
func kthOfTwo(k, n, m int, a, b func(i int) vector.Scalar) vector.Scalar {
	least := max(0, k-m)
	i := least + sort.Search(min(k, n)-least, func(i int) bool {
		x, y := a(least+i), b(k-1-least-i)
		return x.Compare(&y) >= 0
	})
	switch {
	case i == n:
		return b(k - i)
	case k-i == m:
		return a(i)
	}
	x, y := a(i), b(k-i)
	if x.Compare(&y) <= 0 {
		return x
	}
	return y
}
