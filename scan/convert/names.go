package convert

import (
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// fieldAt is the field of a file's STRUCT that has the values of the n-th field of a name, from
// 0, in the table's: the n-th of the name or, if the file does not have the name, of those that
// differ only in case and are no other fields of the table. It is -1 if there is none.
func fieldAt(file, table vector.Type, name string, n int) int {
	if at, any := nth(file, n, func(o string) bool { return o == name }); any {
		return at
	}
	at, _ := nth(file, n, func(o string) bool {
		return strings.EqualFold(o, name) && !slices.ContainsFunc(table.Fields, func(f vector.Field) bool { return f.Name == o })
	})
	return at
}

// nth is the n-th field whose name is wanted, -1 if there are fewer, and whether there is any.
func nth(t vector.Type, n int, wanted func(string) bool) (at int, any bool) {
	for i, f := range t.Fields {
		if wanted(f.Name) {
			if any = true; n == 0 {
				return i, true
			}
			n--
		}
	}
	return -1, any
}

// Match pairs the children of a table's nested type with those of a file's. Without one, fields of
// structs are paired by their names.
type Match struct {
	Fields []FieldMatch // by the fields of the table's type
}

// FieldMatch is a field of a file's type.
type FieldMatch struct {
	At      int            // among the fields of the file's type; -1: the file does not have it
	Within  *Match         // of its own fields; nil: by name
	Default *vector.Scalar // its values where the file does not have it; nil: NULL
}

// straight reports whether each field is paired with the one at its place.
func (m *Match) straight() bool {
	if m == nil {
		return true
	}
	for i, f := range m.Fields {
		if f.At != i || !f.Within.straight() {
			return false
		}
	}
	return true
}

// HasDefaults reports whether a field that the file does not have is not NULL.
func (m *Match) HasDefaults() bool {
	return m != nil && slices.ContainsFunc(m.Fields, func(f FieldMatch) bool { return f.Default != nil || f.Within.HasDefaults() })
}

// Paths are paths into a table's type as paths into the file's, whose fields may be spelled
// otherwise.
func Paths(file, table vector.Type, m *Match, paths []vector.Path) []vector.Path {
	if paths == nil || file.Equal(table) && m.straight() {
		return paths
	}
	out := make([]vector.Path, len(paths))
	for i, p := range paths {
		out[i] = Path(file, table, m, p)
	}
	return out
}

// Path is one of Paths.
func Path(file, table vector.Type, m *Match, p vector.Path) vector.Path {
	out := slices.Clone(p)
	for i, step := range p {
		if file.Kind != table.Kind || !file.IsNested() || len(file.Fields) == 0 || len(table.Fields) == 0 {
			break
		}
		inFile, inTable := 0, 0 // of lists, and the keys of maps
		switch {
		case file.Kind == vector.Struct:
			inTable = slices.IndexFunc(table.Fields, func(f vector.Field) bool { return f.Name == step.Name })
			if inFile = m.fieldAt(file, table, inTable, step.Name); inFile < 0 || inTable < 0 {
				return out
			}
			out[i].Name = file.Fields[inFile].Name
		case file.Kind == vector.Map && step.Kind != vector.KeyStep:
			inFile, inTable = len(file.Fields)-1, len(table.Fields)-1
		}
		file, table, m = file.Fields[inFile].Type, table.Fields[inTable].Type, m.within(inTable)
	}
	return out
}

// fieldAt is the file's field for field i of the table's STRUCT.
func (m *Match) fieldAt(file, table vector.Type, i int, name string) int {
	if m == nil || i < 0 {
		return fieldAt(file, table, name, 0)
	}
	return m.Fields[i].At
}

// within pairs the fields within field i.
func (m *Match) within(i int) *Match {
	if m == nil {
		return nil
	}
	return m.Fields[i].Within
}
