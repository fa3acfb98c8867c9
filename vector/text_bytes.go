package vector

// TextBytes is the length of all texts in row i of v: 0 for NULL and for types that have
// no texts. Texts that several rows share count in each of them.
func (v *Vector) TextBytes(i int) int64 {
	storage := v.Type.Storage()
	switch {
	case storage != StoreString && storage != StoreNested, v.IsNull(i):
		return 0
	case v.Form == Dictionary:
		return v.Dict.TextBytes(int(v.Codes[i]))
	case v.Form == Constant:
		i = 0
	}
	return v.flatTexts(i, i+1)
}

// TextBytesOf is TextBytes of the rows from to to-1 together.
func (v *Vector) TextBytesOf(from, to int) int64 {
	storage := v.Type.Storage()
	switch {
	case storage != StoreString && storage != StoreNested, from >= to:
		return 0
	case v.Form == Constant:
		if v.IsNull(0) {
			return 0
		}
		return int64(to-from) * v.flatTexts(0, 1)
	case v.Valid == nil && v.Form == Flat:
		return v.flatTexts(from, to)
	}
	total := int64(0)
	if v.Form == Flat && storage == StoreString {
		for i := from; i < to; i++ {
			if v.Valid.Get(i) {
				total += int64(len(v.Str[i]))
			}
		}
		return total
	}
	if v.allCoded() {
		for _, code := range v.Codes[from:to] {
			total += int64(len(v.Dict.Str[code]))
		}
		return total
	}
	for i := from; i < to; i++ {
		total += v.TextBytes(i)
	}
	return total
}

// flatTexts is TextBytesOf of rows that are not NULL, of a vector that is flat or constant.
func (v *Vector) flatTexts(from, to int) (total int64) {
	if v.Type.Storage() == StoreString {
		for _, s := range v.Str[from:to] {
			total += int64(len(s))
		}
		return total
	}
	if v.Type.HasElements() { // those of consecutive rows are consecutive
		from, to = int(v.Offsets[from]), int(v.Offsets[to])
	}
	for _, c := range v.Children {
		total += c.TextBytesOf(from, to)
	}
	return total
}

// allCoded reports whether v is strings of a dictionary and none of them is NULL.
func (v *Vector) allCoded() bool {
	return hasEntries(v) && v.Valid == nil && v.Dict.Valid == nil
}

// TextBytes is the length of all texts of the selected rows.
func (b *Batch) TextBytes() (total int64) {
	for _, v := range b.Cols {
		total += b.textBytes(v)
	}
	return total
}

// textBytes is TextBytes of a column.
func (b *Batch) textBytes(v *Vector) (total int64) {
	storage := v.Type.Storage()
	switch {
	case storage != StoreString && storage != StoreNested:
	case b.Sel == nil:
		return v.TextBytesOf(0, b.Len)
	case v.Form == Constant:
		return int64(len(b.Sel)) * v.TextBytesOf(0, 1)
	case storage == StoreString && v.Form == Flat:
		for _, row := range b.Sel {
			if v.Valid == nil || v.Valid.Get(int(row)) {
				total += int64(len(v.Str[row]))
			}
		}
	case hasEntries(v) && v.Dict.Valid == nil:
		for _, row := range b.Sel {
			if v.Valid == nil || v.Valid.Get(int(row)) {
				total += int64(len(v.Dict.Str[v.Codes[row]]))
			}
		}
	default:
		for _, row := range b.Sel {
			total += v.TextBytes(int(row))
		}
	}
	return total
}
