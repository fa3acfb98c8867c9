package bind

import "github.com/parquetsql/parquetsql/internal/errs"

// The grouping sets of ROLLUP, CUBE and lists of them.

// mostSets is that of CUBE with 12 keys.
const mostSets = 1 << 12

// groupingSet is the keys of a grouping set: bit i is set if key i is in it.
type groupingSet uint64

// tooManySets is the error of more sets than mostSets.
func tooManySets() error {
	return errs.Unsupported("GROUP BY with more than %d grouping sets", mostSets)
}

// crossedSets is every set of a with every set of b.
func crossedSets(a, b []groupingSet) []groupingSet {
	out := make([]groupingSet, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, x|y)
		}
	}
	return out
}

// rollupSets is all parts, all but the last, and so on, down to none.
func rollupSets(parts []groupingSet) []groupingSet {
	out := make([]groupingSet, len(parts)+1)
	for i, p := range parts {
		for n := range len(parts) - i {
			out[n] |= p
		}
	}
	return out
}

// cubeSets is every choice of parts.
func cubeSets(parts []groupingSet) ([]groupingSet, error) {
	if 1<<min(len(parts), 32) > mostSets {
		return nil, tooManySets()
	}
	out := []groupingSet{0}
	for _, p := range parts {
		out = crossedSets(out, []groupingSet{p, 0})
	}
	return out, nil
}
