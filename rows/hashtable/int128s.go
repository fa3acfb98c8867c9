package hashtable

import "github.com/parquetsql/parquetsql/vector"

// int128s maps 128-bit integers to ids. As long as all have 64 bits, as most DECIMAL(38,0) and nearly all intervals
// do, they are keys of Ints, which are smaller and often dense.
type int128s struct {
	ints *Ints
	rows *Rows // instead of ints: hi and lo
}

func newInt128s() *int128s { return &int128s{ints: NewInts()} }

// Len is the number of ids.
func (t *int128s) Len() int {
	if t.rows != nil {
		return t.rows.Len()
	}
	return t.ints.Len()
}

// Bytes is the memory that the table holds.
func (t *int128s) Bytes() int64 {
	if t.rows != nil {
		return t.rows.Bytes()
	}
	return t.ints.Bytes()
}

// InsertNull returns the id of NULL.
func (t *int128s) InsertNull() uint32 {
	if t.rows != nil {
		return t.rows.InsertNull()
	}
	return t.ints.InsertNull()
}

// NullID is the id of NULL, or -1.
func (t *int128s) NullID() int {
	if t.rows != nil {
		return t.rows.NullID()
	}
	return t.ints.NullID()
}

// Key is the key of an id; unspecified for NULL.
func (t *int128s) Key(id uint32) vector.Int128 {
	if t.rows != nil {
		w := t.rows.Row(int(id))
		return vector.Int128{Hi: int64(w[0]), Lo: w[1]}
	}
	return vector.Int128From(t.ints.Keys()[id])
}

// Hash is the hash of the key of an id.
func (t *int128s) Hash(id uint32) uint64 {
	if t.rows != nil {
		return t.rows.Hashes()[id]
	}
	return hash128(vector.Int128From(t.ints.Keys()[id]))
}

// hash128 is what rows of the two words have, and Hasher.
func hash128(k vector.Int128) uint64 { return Combine(Combine(0, uint64(k.Hi)), k.Lo) }

// keys128 is working memory for look-ups.
type keys128 struct {
	short []int64
	words []uint64
}

// shorten is the keys as 64-bit integers, and whether they all are such.
func (s *keys128) shorten(keys []vector.Int128) ([]int64, bool) {
	s.short = vector.Resize(s.short, len(keys))
	long := int64(0)
	for i, k := range keys {
		s.short[i] = int64(k.Lo)
		long |= k.Hi ^ int64(k.Lo)>>63
	}
	return s.short, long == 0
}

func (s *keys128) rows(keys []vector.Int128) []uint64 {
	s.words = vector.Resize(s.words, 2*len(keys))
	for i, k := range keys {
		s.words[2*i], s.words[2*i+1] = uint64(k.Hi), k.Lo
	}
	return s.words
}

// FindOrInsert writes the id of keys[i] to ids[i].
func (t *int128s) FindOrInsert(keys []vector.Int128, ids []uint32, s *keys128) {
	if t.rows == nil {
		if short, all := s.shorten(keys); all {
			t.ints.FindOrInsert(short, ids)
			return
		}
		t.widen()
	}
	t.rows.FindOrInsert(s.rows(keys), ids)
}

// Find writes the id of keys[i] to ids[i], or Missing. It changes only s.
func (t *int128s) Find(keys []vector.Int128, ids []uint32, s *keys128) {
	if t.rows != nil {
		t.rows.Find(s.rows(keys), ids)
		return
	}
	short, all := s.shorten(keys)
	t.ints.Find(short, ids)
	if all {
		return
	}
	for i, k := range keys {
		if !k.IsInt64() {
			ids[i] = Missing
		}
	}
}

// widen makes the keys rows, with the same ids.
func (t *int128s) widen() {
	keys, null := t.ints.Keys(), t.ints.NullID()
	t.rows = NewRows(2)
	var words [2 * fetched]uint64
	var ids [fetched]uint32
	for from := 0; from < len(keys); {
		to := min(from+fetched, len(keys))
		if from <= null && null < to {
			to = null
		}
		if from == to {
			t.rows.InsertNull()
			from++
			continue
		}
		for i, k := range keys[from:to] {
			words[2*i], words[2*i+1] = uint64(k>>63), uint64(k)
		}
		t.rows.FindOrInsert(words[:2*(to-from)], ids[:to-from])
		from = to
	}
	t.ints = nil
}
