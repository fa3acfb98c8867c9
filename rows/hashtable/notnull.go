package hashtable

import "github.com/parquetsql/parquetsql/vector"

// notNull leaves out the rows that have NULL in one of some key columns.
type notNull struct {
	columns []int

	narrow vector.Batch
	places []int32 // of the rows of narrow among the selected rows
	ids    []uint32
	keys   []*vector.Vector // those of the batch, of which nobody asks again whether they are NULL
	views  []vector.Vector
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
	if s.all(keys, b) {
		return find(s.without(keys), b, ids)
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
	err := find(s.without(keys), &s.narrow, s.ids)
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

// all reports whether all rows have a value in all columns: a filter before may have left those alone.
func (s *notNull) all(keys []*vector.Vector, b *vector.Batch) bool {
	for _, c := range s.columns {
		v := keys[c]
		switch {
		case !v.MayHaveNulls():
		case v.Form == vector.Constant || v.Type.Kind == vector.Null || b.Sel == nil:
			return false
		default:
			have := uint64(1)
			for _, row := range b.Sel {
				have &= v.Valid[row>>6] >> (uint(row) & 63)
			}
			if have == 0 {
				return false
			}
		}
	}
	return true
}

// without is the keys of rows that all have values.
func (s *notNull) without(keys []*vector.Vector) []*vector.Vector {
	s.keys, s.views = append(s.keys[:0], keys...), vector.Resize(s.views, len(keys))
	for _, c := range s.columns {
		if v := keys[c]; v.Valid != nil && v.Form != vector.Constant {
			s.views[c] = *v
			s.views[c].Valid = nil
			s.keys[c] = &s.views[c]
		}
	}
	return s.keys
}
