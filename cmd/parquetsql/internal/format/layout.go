package format

import "slices"

// layout says which columns a table shows, and how wide.
type layout struct {
	places []place
	hidden int // columns that are left out
}

// place is a column of the table on the screen.
type place struct {
	column int // its number in the result; -1 stands for the columns that are left out
	width  int
	right  bool // its values are aligned to the right
}

// A column is made no narrower than this to fit the table into its width; after that
// columns are left out.
const narrow = 8

// frame is what a column takes beside its text: a line and two blanks.
const frame = 3

func newLayout(columns []Column, sample [][][]byte, null []byte, o Options) layout {
	widths := make([]int, len(columns))
	for i, c := range columns {
		if !o.NoHeader {
			widths[i] = max(width(appendShown(nil, []byte(c.Name))), width(appendShown(nil, []byte(c.Note))))
		}
		for _, row := range sample {
			if row[i] == nil {
				widths[i] = max(widths[i], width(null))
				continue
			}
			widths[i] = max(widths[i], width(row[i]))
		}
		if o.MaxCell > 0 {
			widths[i] = min(widths[i], o.MaxCell)
		}
		widths[i] = max(widths[i], 1)
	}
	shown := fit(widths, o.Width)
	l := layout{hidden: len(columns) - len(shown)}
	for n, i := range shown {
		if n > 0 && i != shown[n-1]+1 {
			l.places = append(l.places, place{column: -1, width: 1})
		}
		l.places = append(l.places, place{column: i, width: widths[i], right: columns[i].isNumber()})
	}
	return l
}

// fit narrows the widest columns until the table is as wide as it may be, and returns the
// columns that it shows then: all, or some from both ends.
func fit(widths []int, limit int) []int {
	all := make([]int, len(widths))
	for i := range all {
		all[i] = i
	}
	if limit <= 0 {
		return all
	}
	if narrowTo(widths, all, limit) {
		return all
	}
	for keep := min(len(widths)-1, limit/frame); keep > 2; keep-- {
		left := (keep + 1) / 2
		shown := slices.Concat(all[:left], all[len(all)-(keep-left):])
		if narrowTo(widths, shown, limit-frame-1) { // the … column
			return shown
		}
	}
	shown := all[:min(len(all), 2)]
	narrowTo(widths, shown, limit)
	return shown
}

// narrowTo gives the columns a common highest width so that they fit, and reports whether
// they do. Columns below it keep theirs.
func narrowTo(widths []int, shown []int, limit int) bool {
	total, highest := 1, 0
	for _, i := range shown {
		total += widths[i] + frame
		highest = max(highest, widths[i])
	}
	if total <= limit {
		return true
	}
	atMost := func(most int) int {
		sum := 1
		for _, i := range shown {
			sum += min(widths[i], most) + frame
		}
		return sum
	}
	if atMost(narrow) > limit {
		return false
	}
	most := narrow
	for most < highest && atMost(most+1) <= limit {
		most++
	}
	for _, i := range shown {
		widths[i] = min(widths[i], most)
	}
	return true
}
