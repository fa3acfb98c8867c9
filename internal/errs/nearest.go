package errs

import (
	"slices"
	"strings"
)

const (
	maxNearest = 3  // names in a message
	maxCompare = 64 // bytes of a name that are compared
)

// Nearest returns up to three of names that name may be a misspelling of, the most
// similar first: those few edits away and those that contain it, without regard to
// letter case. It fills NotFoundError.Nearest for names of all kinds.
func Nearest(name string, names []string) []string {
	type scored struct {
		name string
		far  int
	}
	low := strings.ToLower(clip(name))
	var found []scored
	for _, n := range names {
		l := strings.ToLower(clip(n))
		d := max(len(low)-len(l), len(l)-len(low))
		if d <= 1+len(low)/3 {
			d = distance(low, l)
		}
		switch {
		case d <= 1+len(low)/3:
		case len(low) >= 3 && (strings.Contains(l, low) || strings.HasSuffix(l, "."+low)):
			d = len(low)/3 + 2
		default:
			continue
		}
		found = append(found, scored{n, d})
	}
	slices.SortStableFunc(found, func(a, b scored) int { return a.far - b.far })
	var out []string
	for _, f := range found {
		if !slices.Contains(out, f.name) && len(out) < maxNearest {
			out = append(out, f.name)
		}
	}
	return out
}

func clip(s string) string {
	if len(s) > maxCompare {
		return s[:maxCompare]
	}
	return s
}

// distance is the Levenshtein distance of two strings, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(diagonal+cost, row[j]+1, row[j+1]+1)
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
