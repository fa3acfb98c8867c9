package selection

import "sort"

// Range is the rows From to To-1 of a row group.
type Range struct{ From, To int64 }

// Len is how many rows the range has.
func (r Range) Len() int64 { return r.To - r.From }

// Ranges is a set of rows: ascending ranges that are not empty, do not overlap and
// do not touch.
type Ranges []Range

// AllRows is the rows 0 to n-1.
func AllRows(n int64) Ranges {
	if n <= 0 {
		return nil
	}
	return Ranges{{0, n}}
}

// Add appends a range that begins at or after the end of all others.
func (r Ranges) Add(from, to int64) Ranges {
	if from >= to {
		return r
	}
	if n := len(r); n > 0 && r[n-1].To >= from {
		r[n-1].To = max(r[n-1].To, to)
		return r
	}
	return append(r, Range{from, to})
}

// Rows is how many rows are in the set.
func (r Ranges) Rows() int64 {
	n := int64(0)
	for _, x := range r {
		n += x.Len()
	}
	return n
}

// Intersect is the rows that are in both sets.
func (r Ranges) Intersect(o Ranges) Ranges {
	var out Ranges
	for i, j := 0, 0; i < len(r) && j < len(o); {
		out = out.Add(max(r[i].From, o[j].From), min(r[i].To, o[j].To))
		if r[i].To < o[j].To {
			i++
		} else {
			j++
		}
	}
	return out
}

// Without is the rows of r without the rows from to to-1.
func (r Ranges) Without(from, to int64) Ranges {
	var out Ranges
	for _, x := range r {
		out = out.Add(x.From, min(x.To, from))
		out = out.Add(max(x.From, to), x.To)
	}
	return out
}

// Overlaps reports whether any of the rows from to to-1 is in the set.
func (r Ranges) Overlaps(from, to int64) bool {
	i := sort.Search(len(r), func(i int) bool { return r[i].To > from })
	return from < to && i < len(r) && r[i].From < to
}

// Split cuts the set into pieces of rows rows. The last piece may have nearly twice
// as many, so that no small piece is left.
func (r Ranges) Split(rows int64) []Ranges {
	var out []Ranges
	var piece Ranges
	left, have := r.Rows(), int64(0)
	for _, x := range r {
		for x.Len() > 0 {
			take := x.Len()
			if left-(rows-have) >= rows {
				take = min(take, rows-have)
			}
			piece = piece.Add(x.From, x.From+take)
			x.From += take
			have += take
			left -= take
			if have >= rows && left >= rows {
				out, piece, have = append(out, piece), nil, 0
			}
		}
	}
	if len(piece) > 0 {
		out = append(out, piece)
	}
	return out
}
