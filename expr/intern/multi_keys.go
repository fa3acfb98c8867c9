package intern

import "github.com/parquetsql/parquetsql/vector"

// word is column c's word of a number.
func (m *multi) word(c int, num uint32) (word int64, null bool) {
	if m.rows != nil {
		row := m.rows.Row(int(num))
		return int64(row[c]), row[len(m.cols)+c/64]>>(c%64)&1 != 0
	}
	f := &m.cols[c]
	code := m.ints.Keys()[num] >> f.shift & (int64(1)<<f.width - 1)
	return code - 1 + f.base, code == 0
}

func (m *multi) Keys(nums []uint32, out []*vector.Vector) {
	for c := range m.cols {
		f := &m.cols[c]
		if f.inner != nil {
			f.inner.keys(m.inner(c, nums), out[c])
			continue
		}
		out[c].Reset(f.typ, len(nums))
		for i, num := range nums {
			w, null := m.word(c, num)
			if null {
				out[c].SetNull(i)
			}
			setWord(out[c], i, w)
		}
	}
}

// inner are the numbers that a string or 128-bit column has in its own table.
func (m *multi) inner(c int, nums []uint32) []uint32 {
	inner := make([]uint32, len(nums))
	hole := uint32(m.cols[c].inner.holeAt())
	for i, num := range nums {
		w, null := m.word(c, num)
		if inner[i] = uint32(w); null {
			inner[i] = hole
		}
	}
	return inner
}

func (m *multi) Hashes(nums []uint32, out []uint64) {
	clear(out[:len(nums)])
	hashes := make([]uint64, len(nums))
	for c := range m.cols {
		if f := &m.cols[c]; f.inner != nil {
			f.inner.Hashes(m.inner(c, nums), hashes)
		} else {
			for i, num := range nums {
				w, null := m.word(c, num)
				if hashes[i] = Mix(uint64(w)); null {
					hashes[i] = nullHash
				}
			}
		}
		for i, h := range hashes {
			out[i] = Combine(out[i], h)
		}
	}
}
