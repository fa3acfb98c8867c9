package join

import "github.com/parquetsql/parquetsql/vector"

// KeyRange is what is known about the values of a key on the build side.
type KeyRange struct {
	// Min and Max are bounds of the values that are not NULL; nil if they are not known.
	// NaN is above all numbers.
	Min, Max *vector.Scalar
}
