package vector

// Cut calls f with all rows of b: in one call, or, where their texts have more than limit
// bytes, with consecutive parts. A part has more than limit bytes only if it has one row.
// Who keeps rows can so make room before copying long values.
func Cut(b *Batch, limit int64, f func(part *Batch, bytes int64) error) error {
	total := b.TextBytes()
	if total <= limit || b.Rows() == 1 {
		return f(b, total)
	}
	var part Batch
	sel, bytes := []int32{}, int64(0)
	call := func() error {
		part = *b
		part.Sel = sel
		return f(&part, bytes)
	}
	for i := range b.Rows() {
		row, n := b.Row(i), int64(0)
		for _, v := range b.Cols {
			n += v.TextBytes(row)
		}
		if len(sel) > 0 && bytes+n > limit {
			if err := call(); err != nil {
				return err
			}
			sel, bytes = sel[:0], 0
		}
		sel, bytes = append(sel, int32(row)), bytes+n
	}
	return call()
}

// Longest knows the longest entries of the dictionaries of a stream's batches, so that it
// need not look at each row to say that texts are short.
type Longest struct {
	dicts []longestEntry
	next  int // of dicts, in the batch that is looked at
}

// longestEntry is of the last dictionary of a column, or of one within its values.
type longestEntry struct {
	dict  *Vector
	bytes int64
}

// Cut is the function Cut. Where it is sure that texts are short it does not look at the rows, and
// bytes is 0.
func (l *Longest) Cut(b *Batch, limit int64, f func(part *Batch, bytes int64) error) error {
	if l.Within(b, limit) {
		return f(b, 0)
	}
	return Cut(b, limit, f)
}

// Within reports whether all texts of b surely have no more than limit bytes. If not, they
// may have fewer nevertheless.
func (l *Longest) Within(b *Batch, limit int64) bool {
	l.next = 0
	for _, v := range b.Cols {
		switch {
		case hasEntries(v):
			limit -= l.entry(v.Dict) * int64(b.Rows())
		case b.Sel == nil:
			limit -= l.most(v, 0, b.Len)
		default:
			limit -= b.textBytes(v)
		}
	}
	return limit >= 0
}

// most is at least the length of all texts of the rows from to to-1.
func (l *Longest) most(v *Vector, from, to int) (total int64) {
	switch {
	case hasEntries(v):
		return l.entry(v.Dict) * int64(to-from)
	case v.Type.Storage() != StoreNested || v.Form != Flat:
		return v.TextBytesOf(from, to)
	case v.Type.HasElements() && len(v.Offsets) > 0:
		from, to = int(v.Offsets[from]), int(v.Offsets[to])
	}
	for _, c := range v.Children {
		total += l.most(c, from, to)
	}
	return total
}

// hasEntries reports whether v has texts of a dictionary.
func hasEntries(v *Vector) bool {
	return v.Form == Dictionary && v.Type.Storage() == StoreString && v.Dict.Form == Flat
}

// entry is the length of the longest entry of a dictionary.
func (l *Longest) entry(dict *Vector) int64 {
	if l.next == len(l.dicts) {
		l.dicts = append(l.dicts, longestEntry{})
	}
	e := &l.dicts[l.next]
	l.next++
	if e.dict != dict {
		e.dict, e.bytes = dict, 0
		for _, s := range dict.Str[:dict.Len] {
			e.bytes = max(e.bytes, int64(len(s)))
		}
	}
	return e.bytes
}
