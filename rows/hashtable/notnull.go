package hashtable

import "github.com/parquetsql/parquetsql/vector"

// notNull leaves out the rows that have NULL in one of some key columns.
type notNull struct {
	columns []int

	narrow vector.Batch
	places []int32 // of the rows of narrow among the selected rows
	ids    []uint32
}

// lookUp is Table.FindOrInsert or Finder.Find.
type lookUp func(keys []*vector.Vector, b *vector.Batch, ids []uint32) error

// apply calls find with the rows that have values and makes the ids of the others
// Missing.
func (s *notNull) apply(keys []*vector.Vector, b *vector.Batch, ids []uint32, find lookUp) error {
	some := false
	for _, c := range s.columns {
		some = some || keys[c].MayHaveNulls()
	}
	if !some {
		return find(keys, b, ids)
	}
	s.narrow.Len = b.Len
	sel := s.valued(keys, b)
	for i := range ids {
		ids[i] = Missing
	}
	if len(sel) == 0 {
		return nil
	}
	s.narrow.Sel = sel
	s.ids = vector.Resize(s.ids, len(sel))
	err := find(keys, &s.narrow, s.ids)
	for k, i := range s.places {
		ids[i] = s.ids[k]
	}
	return err
}

// valued lists the rows that have a value in all columns, and their places.
func (s *notNull) valued(keys []*vector.Vector, b *vector.Batch) []int32 {
	sel := vector.Resize(s.narrow.Sel, b.Rows())
	s.places = vector.Resize(s.places, b.Rows())
	for i := range sel {
		sel[i], s.places[i] = int32(b.Row(i)), int32(i)
	}
	for _, c := range s.columns {
		v := keys[c]
		switch {
		case !v.MayHaveNulls():
			continue
		case v.Form == vector.Constant || v.Type.Kind == vector.Null:
			if v.IsNull(0) {
				sel = sel[:0]
			}
			continue
		}
		k := 0
		for i, row := range sel { // without a branch, which would often go another way than before
			sel[k], s.places[k] = row, s.places[i]
			k += int(v.Valid[row>>6] >> (uint(row) & 63) & 1)
		}
		sel = sel[:k]
	}
	s.places = s.places[:len(sel)]
	return sel
}
