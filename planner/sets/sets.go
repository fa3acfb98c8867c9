// Package sets computes the grouping sets of ROLLUP, CUBE and lists of them.
package sets

import "github.com/parquetsql/parquetsql/internal/errs"

// Most is that of CUBE with 12 keys.
const Most = 1 << 12

// Set is the keys of a grouping set: bit i is set if key i is in it.
type Set uint64

// TooMany is the error of more sets than Most.
func TooMany() error {
	return errs.Unsupported("GROUP BY with more than %d grouping sets", Most)
}

// Crossed is every set of a with every set of b.
func Crossed(a, b []Set) []Set {
	out := make([]Set, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, x|y)
		}
	}
	return out
}

// Rollup is all parts, all but the last, and so on, down to none.
func Rollup(parts []Set) []Set {
	out := make([]Set, len(parts)+1)
	for i, p := range parts {
		for n := range len(parts) - i {
			out[n] |= p
		}
	}
	return out
}

// Cube is every choice of parts.
func Cube(parts []Set) ([]Set, error) {
	if 1<<min(len(parts), 32) > Most {
		return nil, TooMany()
	}
	out := []Set{0}
	for _, p := range parts {
		out = Crossed(out, []Set{p, 0})
	}
	return out, nil
}
