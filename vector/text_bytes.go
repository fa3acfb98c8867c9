package vector

// TextBytes is the length of all texts in row i of v: 0 for NULL and for types that have
// no texts. Texts that several rows share count in each of them.
func (v *Vector) TextBytes(i int) int64 {
	storage := v.Type.Storage()
	if storage != StoreString && storage != StoreNested || v.IsNull(i) {
		return 0
	}
	switch v.Form {
	case Constant:
		i = 0
	case Dictionary:
		return v.Dict.TextBytes(int(v.Codes[i]))
	}
	if storage == StoreString {
		return int64(len(v.Str[i]))
	}
	from, to := i, i+1
	if v.Type.HasElements() {
		from, to = int(v.Offsets[i]), int(v.Offsets[i+1])
	}
	total := int64(0)
	for _, c := range v.Children {
		for k := from; k < to; k++ {
			total += c.TextBytes(k)
		}
	}
	return total
}
