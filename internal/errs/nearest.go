package errs

import (
	"regexp"
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
	low := letters(name)
	var found []scored
	for _, n := range names {
		l := letters(n)
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

// maxSome is how many names Some lists.
const maxSome = 6

// Some lists the first of names, for who has asked for another one; "" of none. what is a table or a
// column.
func Some(what string, names []string) string {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return len(name) > maxCompare })
	switch n := len(names); {
	case n == 0:
		return ""
	case n == 1:
		return "the only " + what + " is " + written(names)[0]
	case n > maxSome:
		return "the " + what + "s are " + strings.Join(written(names[:maxSome]), ", ") + ", …"
	}
	return "the " + what + "s are " + strings.Join(written(names), ", ")
}

// written is names as a statement has them: those with spaces or signs have quotes.
func written(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = Written(name)
	}
	return out
}

// Written is a name as a statement has it.
func Written(name string) string {
	if name == "" || plain.MatchString(name) {
		return name
	}
	return Quoted(name)
}

// Quoted is a name in double quotes.
func Quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

var plain = regexp.MustCompile(`^[\pL_][\pL\d_$]*(\.[\pL_][\pL\d_$]*)*$`)

// letters is what names are compared by: body_mass is Body Mass.
func letters(name string) string {
	return strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(clip(name)))
}

func clip(s string) string {
	if len(s) > maxCompare {
		return s[:maxCompare]
	}
	return s
}

// distance is the edits between two strings, in bytes: a byte that is another one, one too many or
// too few, and two that are exchanged (the optimal string alignment distance).
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
