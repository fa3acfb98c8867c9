package catalog

import (
	"context"
	"slices"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// A writer that has only NULLs for a column must guess its type: many take INTEGER. Where such a
// type has nothing in common with those of the other files, it counts as NULL, which fits to
// every type. Footers are read only to find that out: schemas alone do not tell.

// survey finds out which leaves of a column have values, for each of the column's types.
type survey struct {
	types []vector.Type
	first []nested.Column // of the first file with the type
	live  [][]bool        // by type and leaf
}

// withValues are the distinct types of some columns, with NULL in place of each leaf that has
// no value in any file with this type.
func (u *union) withValues(ctx context.Context, columns []int) (map[int][]vector.Type, error) {
	if len(columns) == 0 {
		return nil, nil
	}
	surveys := map[int]*survey{}
	for _, at := range columns {
		n := len(u.types[at])
		surveys[at] = &survey{u.typesOf(at), make([]nested.Column, n), make([][]bool, n)}
	}
	for _, f := range u.files {
		if err := u.look(ctx, f, surveys); err != nil {
			return nil, err
		}
	}
	out := map[int][]vector.Type{}
	for at, s := range surveys {
		out[at] = s.result(u.files[0].NestedOptions())
	}
	return out, nil
}

// look adds what one file says. Its footer is read if a leaf is not yet known to have values.
func (u *union) look(ctx context.Context, f *unitedFile, surveys map[int]*survey) error {
	var meta *fileformat.File
	for at, s := range surveys {
		c, ok := u.own(f, at)
		if !ok {
			continue
		}
		k := slices.IndexFunc(s.types, canonical(c.Type).Equal)
		if s.live[k] == nil {
			s.first[k], s.live[k] = c, make([]bool, len(c.Leaves))
		}
		live := s.live[k]
		if !slices.Contains(live, false) {
			continue
		}
		if meta == nil {
			var err error
			if meta, _, err = f.Metadata(ctx); err != nil {
				return err
			}
		}
		for i := range live {
			// Files shred a Variant differently; then the leaves are not the same.
			live[i] = live[i] || len(live) != len(c.Leaves) || hasValues(meta, c.Leaves[i])
		}
	}
	return nil
}

// own is column at of the union in a file, with the file's own type.
func (u *union) own(f *unitedFile, at int) (nested.Column, bool) {
	if f.schema == nil || at >= len(f.index) || f.index[at] < 0 {
		return nested.Column{}, false
	}
	return f.columns[f.index[at]], true
}

// hasValues is false if a leaf's null counts say of each row group that it has none. What
// reads the column checks that. An encrypted chunk that is not unlocked says nothing.
func hasValues(f *fileformat.File, leaf int) bool {
	for _, g := range f.RowGroups() {
		chunk := g.Columns[leaf]
		st := chunk.Statistics()
		if chunk.Locked() || chunk.Meta.NumValues > 0 && (st == nil || st.NullCount != chunk.Meta.NumValues || st.Min != nil || st.Max != nil) {
			return true
		}
	}
	return false
}

func (s *survey) result(o nested.Options) []vector.Type {
	for k, c := range s.first {
		if !slices.Contains(s.live[k], false) {
			continue
		}
		s.types[k] = canonical(nested.WithoutValues(c, o, func(leaf int) bool {
			i := slices.Index(c.Leaves, leaf)
			return i >= 0 && !s.live[k][i]
		}))
	}
	return s.types
}

// replace gives the files types of a column in place of their own ones.
func (u *union) replace(at int, types []vector.Type) {
	for _, f := range u.files {
		c, ok := u.own(f, at)
		if !ok {
			continue
		}
		own := canonical(c.Type)
		k := slices.IndexFunc(u.types[at], func(t fileType) bool { return t.Equal(own) })
		if types[k].Equal(own) {
			continue
		}
		if f.valueless == nil {
			f.valueless = map[int]vector.Type{}
		}
		f.valueless[f.index[at]] = types[k]
	}
}
