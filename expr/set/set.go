// Package set has sets of values that a condition tests rows for: long lists of integers, and
// what the build side of a join knows about the other side.
package set

import "github.com/parquetsql/parquetsql/vector"

// Set is a set of values. Any number of goroutines may use it.
type Set interface {
	// Select puts those of rows (nil: the first n) into into whose value, args[0], is in the
	// set, and returns them. No value is NULL.
	Select(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error)
	// String is the condition without the value.
	String() string
}
