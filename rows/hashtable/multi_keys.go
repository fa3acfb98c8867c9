package hashtable

import "github.com/parquetsql/parquetsql/vector"

// word is column c's word of an id: the id in its own table, if it has one.
func (m *multi) word(c int, id uint32) (word int64, null bool) {
	if m.rows != nil {
		row := m.rows.Row(int(id))
		return int64(row[c]), row[len(m.cols)+c/64]>>(c%64)&1 != 0
	}
	f := &m.cols[c]
	code := m.ints.Keys()[id] >> f.shift & (int64(1)<<f.width - 1)
	return f.word(code), code == 0
}

// number64 is the value of column c, whose values are not NULL and numbers, of an id.
func (m *multi) number64(c int, id uint32) int64 {
	w, _ := m.word(c, id)
	if inner := m.cols[c].inner; inner != nil {
		return inner.ints.Keys()[w]
	}
	return w
}

func (m *multi) Keys(ids []uint32, out []*vector.Vector) error {
	for c := range m.cols {
		if err := m.keys(c, ids, out[c]); err != nil {
			return err
		}
	}
	return nil
}

// keys makes out key column c of these ids.
func (m *multi) keys(c int, ids []uint32, out *vector.Vector) error {
	f := &m.cols[c]
	if f.inner != nil {
		if dict := m.dictionary(f.inner); dict != nil {
			m.codes(c, ids, dict, out)
			return nil
		}
		return f.inner.keys(m.inner(c, ids), out)
	}
	out.Reset(f.typ, len(ids))
	words, nulls := m.words(c, ids)
	for _, i := range nulls {
		out.SetNull(int(i))
	}
	setWords(out, words)
	return nil
}

// dictionary is the texts of a column where keys have each several times, and nil elsewhere: whoever gets the keys has to
// look at each text once then. It is nil, too, when it is asked for the first time after texts were added: where each batch adds
// some, each would have another dictionary.
func (m *multi) dictionary(inner *column) *vector.Vector {
	if inner.strs == nil || m.Len() < repeated*inner.strs.Len() {
		return nil
	}
	return inner.strs.dictionary(inner.typ)
}

// repeated is how often keys have a text, for a dictionary of the texts to be worth it.
const repeated = 2

// codes makes out key column c of these ids, which are ids of dict.
func (m *multi) codes(c int, ids []uint32, dict, out *vector.Vector) {
	codes := out.Codes
	out.Reset(m.cols[c].typ, 0)
	out.Form, out.Len, out.Dict, out.Texts = vector.Dictionary, len(ids), dict, dict.Texts
	out.Codes = vector.Resize(codes, len(ids))
	words, nulls := m.words(c, ids)
	for i, w := range words {
		out.Codes[i] = int32(w)
	}
	for _, i := range nulls { // the code of NULL must be one, too
		out.Codes[i] = 0
		out.SetNull(int(i))
	}
}

// words is column c's words of ids, and which of them are NULL.
func (m *multi) words(c int, ids []uint32) (words []int64, nulls []int32) {
	words = make([]int64, len(ids))
	if m.rows == nil {
		f, keys := &m.cols[c], m.ints.Keys()
		mask, base, zeros, left := int64(1)<<f.width-1, f.base-1, f.zeros&63, f.first&int64(f.left())
		for i, id := range ids {
			code := keys[id] >> (f.shift & 63) & mask
			if code == 0 {
				nulls = append(nulls, int32(i))
			}
			words[i] = (code+base)<<zeros | left
		}
		return words, nulls
	}
	bit, bits := uint64(1)<<(c%64), len(m.cols)+c/64
	if consecutive(ids) {
		m.rows.each(int(ids[0]), len(ids), func(i int, rows []uint64) {
			width := m.rows.width
			for ; len(rows) >= width; rows = rows[width:] {
				if rows[bits]&bit != 0 {
					nulls = append(nulls, int32(i))
				}
				words[i] = int64(rows[c])
				i++
			}
		})
		return words, nulls
	}
	for i, id := range ids {
		row := m.rows.Row(int(id))
		if row[bits]&bit != 0 {
			nulls = append(nulls, int32(i))
		}
		words[i] = int64(row[c])
	}
	return words, nulls
}

// inner returns the ids that column c has in its own table.
func (m *multi) inner(c int, ids []uint32) []uint32 {
	inner := make([]uint32, len(ids))
	nullID := uint32(m.cols[c].inner.nullID())
	for i, id := range ids {
		w, null := m.word(c, id)
		if inner[i] = uint32(w); null {
			inner[i] = nullID
		}
	}
	return inner
}

func (m *multi) Hashes(ids []uint32, out []uint64) {
	clear(out[:len(ids)])
	hashes := make([]uint64, len(ids))
	for c := range m.cols {
		m.hashes(c, ids, hashes)
		for i, h := range hashes {
			out[i] = Combine(out[i], h)
		}
	}
}

// hashes writes those of key column c of these ids.
func (m *multi) hashes(c int, ids []uint32, out []uint64) {
	f := &m.cols[c]
	if f.inner != nil {
		f.inner.Hashes(m.inner(c, ids), out)
		return
	}
	words, nulls := m.words(c, ids)
	for i, w := range words {
		out[i] = Mix(uint64(w))
	}
	for _, i := range nulls {
		out[i] = nullHash
	}
}
