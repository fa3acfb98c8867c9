package hashtable

import "slices"

// aloneIDs is the ids of rows of which one column alone differs, as those of a grouping set of one key: the others are
// NULL, or the number of the set. They are found by the id that the value has in the column's own table.
type aloneIDs struct {
	column int
	rest   int64    // the other columns, packed
	ids    []uint32 // by id in the column's table: the row's id and one more; 0: not known
}

const (
	// mostAlone is how many such lists there are, and leastAlone how many values a column has at least that gets one: rows
	// of few values are an array index anyway.
	mostAlone  = 16
	leastAlone = 1 << 12
)

// aloneOf is the list for the rows that load has prepared; nil: several columns differ, or none that has a table of its own.
func (m *multi) aloneOf() *aloneIDs {
	column, rest := -1, int64(0)
	for c := range m.cols {
		f := &m.cols[c]
		switch {
		case !f.same:
			if column >= 0 || f.inner == nil || f.inner.Len() < leastAlone {
				return nil
			}
			column = c
		case len(f.nulls) > 0:
		case f.inner != nil:
			rest |= f.code(int64(f.ids[0]))
		default:
			rest |= f.code(f.words[0])
		}
	}
	if column < 0 {
		return nil
	}
	at := slices.IndexFunc(m.alone, func(a aloneIDs) bool { return a.column == column && a.rest == rest })
	if at < 0 {
		if len(m.alone) == mostAlone {
			return nil
		}
		at = len(m.alone)
		m.alone = append(m.alone, aloneIDs{column: column, rest: rest})
	}
	return &m.alone[at]
}

// code is the packed form of a word.
func (f *field) code(word int64) int64 { return (word>>(f.zeros&63) - (f.base - 1)) << (f.shift & 63) }

// insertAlone finds or inserts the rows that load has prepared.
func (m *multi) insertAlone(a *aloneIDs, ids []uint32) {
	f := &m.cols[a.column]
	if n := f.inner.Len(); n > len(a.ids) {
		a.ids = append(a.ids, make([]uint32, n-len(a.ids))...)
	}
	m.rest, m.at = m.rest[:0], m.at[:0]
	null := f.inner.nullID()
	for i, w := range f.ids[:len(ids)] {
		id := a.ids[w]
		if ids[i] = id - 1; id != 0 {
			continue
		}
		code := a.rest
		if int(w) != null {
			code |= f.code(int64(w))
		}
		m.rest, m.at = append(m.rest, code), append(m.at, int32(i))
	}
	if len(m.rest) == 0 {
		return
	}
	m.ids = slices.Grow(m.ids[:0], len(m.rest))[:len(m.rest)]
	m.ints.FindOrInsert(m.rest, m.ids)
	for k, i := range m.at {
		ids[i] = m.ids[k]
		a.ids[f.ids[i]] = m.ids[k] + 1
	}
}
