package mapping

import (
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// Field is a field of a table whose schema is given without any file, and how files have it.
type Field struct {
	Name     string
	Type     vector.Type // of a STRUCT, LIST or MAP only the kind counts: see Fields
	Nullable bool
	Fields   []Field // of a STRUCT; of a LIST the element; of a MAP the key and the value

	// What files call the field. Of elements, keys and values only ID counts: files find
	// them by position.
	FileName string   // its name in files; empty: Name
	ID       int32    // its field id in files; 0: none
	Names    []string // other names, of files whose columns have no ids
	// Default is the value of the rows of files that do not have the field; nil: NULL. Its type
	// is the field's. A default of a field within a STRUCT holds where the STRUCT is not NULL.
	Default *vector.Scalar
	// Filled says of a STRUCT that where a file does not have it, it has the defaults of its fields,
	// and is not NULL.
	Filled bool
	Hidden bool // SELECT * leaves the column out
}

// Key says by what files are searched for fields.
type Key uint8

// The keys.
const (
	// ByName: by Field.FileName. Names that differ in case only are one name where the file has
	// no field of exactly the name.
	ByName Key = iota
	// ByID: by Field.ID alone. A field without id is in no file.
	ByID
	// ByIDOrNames: by Field.ID, and in files without any id by Field.Names.
	ByIDOrNames
	// ByIDOrPlace: by Field.ID, and in files without any id column n is that with the id n.
	ByIDOrPlace
)

// Schema is the fields of a table, and by what they are found in its files. Its columns are
// what the union of files has: a STRUCT outside of lists and maps is its fields, with dotted
// names, and a hidden column of the whole.
type Schema struct {
	Fields []Field
	Key    Key

	columns []schemaColumn
	places  map[string]int // of columns, by the names that lead to them
}

// schemaColumn is a column of the table and the fields that lead to it; no path: a column that
// files do not have.
type schemaColumn struct {
	scan.Column
	path []*Field
}

// NewSchema is a Schema, whose fields must not be changed afterwards.
func NewSchema(fields []Field, key Key) *Schema {
	s := &Schema{Fields: fields, Key: key}
	var groups []schemaColumn
	taken := map[string]bool{}
	for i := range fields {
		s.add(&fields[i], schemaColumn{}, &groups)
	}
	for _, c := range s.columns {
		taken[c.Name] = true
	}
	for _, c := range scan.HiddenColumns(func(name string) bool { return taken[name] }) {
		s.columns = append(s.columns, schemaColumn{Column: c})
	}
	s.columns = append(s.columns, groups...)
	s.places = make(map[string]int, len(s.columns))
	for i, c := range s.columns {
		names := make([]string, len(c.path))
		for k, f := range c.path {
			names[k] = f.Name
		}
		if key := placeOf(names); len(names) > 0 {
			if _, twice := s.places[key]; !twice {
				s.places[key] = i
			}
		}
	}
	return s
}

// placeOf is names as a key: a name may have any characters but NUL.
func placeOf(names []string) string { return strings.Join(names, "\x00") }

// add appends the columns of a field within others.
func (s *Schema) add(f *Field, within schemaColumn, groups *[]schemaColumn) {
	c := schemaColumn{path: append(slices.Clip(within.path), f)}
	c.Name, c.Nullable, c.Type, c.Hidden = f.Name, f.Nullable || within.Nullable, f.typeOf(), f.Hidden
	if len(within.path) > 0 {
		c.Name = within.Name + "." + f.Name
	}
	if c.Type.Kind != vector.Struct {
		s.columns = append(s.columns, c)
		return
	}
	c.Group, c.Hidden = true, true
	*groups = append(*groups, c)
	for i := range f.Fields {
		s.add(&f.Fields[i], c, groups)
	}
}

// typeOf is the field's type, with those of the fields within.
func (f *Field) typeOf() vector.Type {
	t := f.Type
	if len(f.Fields) > 0 {
		t.Fields = make([]vector.Field, len(f.Fields))
	}
	for i := range f.Fields {
		t.Fields[i] = vector.Field{Name: f.Fields[i].Name, Type: f.Fields[i].typeOf(), Nullable: f.Fields[i].Nullable}
	}
	switch names := [...]string{"key", "value"}; {
	case t.Kind == vector.List && len(t.Fields) == 1:
		t.Fields[0].Name = "element"
	case t.Kind == vector.Map && len(t.Fields) <= len(names):
		for i := range t.Fields {
			t.Fields[i].Name = names[i]
		}
	}
	return t
}

// Columns are the columns of the table: visible ones, _file, _row_group and _row, then groups.
// All are FromFile; who knows better changes Origin.
func (s *Schema) Columns() []scan.Column {
	out := make([]scan.Column, len(s.columns))
	for i, c := range s.columns {
		out[i] = c.Column
	}
	return out
}

// Column is the place of a column among Columns by the names of the fields that lead to it;
// false if there is none.
func (s *Schema) Column(names ...string) (int, bool) {
	i, ok := s.places[placeOf(names)]
	return i, ok && len(names) > 0
}
