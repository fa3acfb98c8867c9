package hashtable

import "github.com/parquetsql/parquetsql/vector"

// word is column c's word of an id.
func (m *multi) word(c int, id uint32) (word int64, null bool) {
	if m.rows != nil {
		row := m.rows.Row(int(id))
		return int64(row[c]), row[len(m.cols)+c/64]>>(c%64)&1 != 0
	}
	f := &m.cols[c]
	code := m.ints.Keys()[id] >> f.shift & (int64(1)<<f.width - 1)
	return code - 1 + f.base, code == 0
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
		return f.inner.keys(m.inner(c, ids), out)
	}
	out.Reset(f.typ, len(ids))
	for i, id := range ids {
		w, null := m.word(c, id)
		if null {
			out.SetNull(i)
		}
		setWord(out, i, w)
	}
	return nil
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
	for i, id := range ids {
		w, null := m.word(c, id)
		if out[i] = Mix(uint64(w)); null {
			out[i] = nullHash
		}
	}
}
