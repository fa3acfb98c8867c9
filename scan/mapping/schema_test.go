package mapping

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/scantest"
	"github.com/parquetsql/parquetsql/vector"
)

func columnsOf(t *testing.T, fields []scantest.Field) []nested.Column {
	t.Helper()
	data := scantest.File(fields)
	f, err := fileformat.Open(bytes.NewReader(data), int64(len(data)), fileformat.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := nested.Columns(f.Schema, nested.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func group(name string, optional bool, children ...scantest.Field) scantest.Field {
	return scantest.Field{Name: name, Optional: optional, Converted: -1, Children: children}
}

// places says where each column of a schema is in a file.
func places(s *Schema, own []nested.Column) (string, error) {
	c, err := s.In(own, nested.Options{})
	if err != nil {
		return "", err
	}
	var out []string
	for i, column := range s.Columns() {
		if column.Hidden && !column.Group {
			continue
		}
		text := column.Name + "="
		if found, ok := c.Column(i); ok {
			text += found.Name
		} else if d := c.Default(i); d != nil {
			text += fmt.Sprint(d.I64)
		}
		if m := c.Match(i); m != nil {
			text += fmt.Sprint(" ", len(m.Fields), m.HasDefaults())
		}
		out = append(out, text)
	}
	return strings.Join(out, ", "), nil
}

func integer(name string, more ...func(*Field)) Field {
	f := Field{Name: name, Type: vector.Of(vector.Integer)}
	for _, m := range more {
		m(&f)
	}
	return f
}

func structOf(name string, fields ...Field) Field {
	return Field{Name: name, Type: vector.Of(vector.Struct), Fields: fields}
}

func named(names ...string) func(*Field) { return func(f *Field) { f.Names = names } }

func inFile(name string) func(*Field) { return func(f *Field) { f.FileName = name } }

func withDefault(v int64) func(*Field) {
	return func(f *Field) { f.Default = &vector.Scalar{Type: f.Type, I64: v} }
}

// TestSchema: a column is where its key says, at each level, and has its default where the file
// does not have it (Iceberg's spec.md, "Column Projection" and "Name Mapping Serialization";
// Delta's PROTOCOL.md, "Reader Requirements for Column Mapping").
func TestSchema(t *testing.T) {
	a, b := scantest.Int32("a"), scantest.Int32("b")
	for i, c := range []struct {
		key    Key
		fields []Field
		file   []scantest.Field
		want   string
	}{
		{ByName, []Field{integer("a"), integer("c", withDefault(7)), integer("d")}, []scantest.Field{b, a}, "a=a, c=7, d="},
		{ByName, []Field{integer("x", inFile("b")), integer("b", inFile("a"))}, []scantest.Field{a, b}, "x=b, b=a"},
		{ByName, []Field{integer("A")}, []scantest.Field{a}, "A=a"},
		{ByName, []Field{integer("A")}, []scantest.Field{a, scantest.Int32("A")}, "A=A"},
		// No field has an id: by id there is none.
		{ByID, []Field{{Name: "a", ID: 1, Type: vector.Of(vector.Integer)}}, []scantest.Field{a}, "a="},
		{ByIDOrNames, []Field{integer("a", named("old", "b")), integer("b")}, []scantest.Field{a, b}, "a=b, b="},
		{ByName, []Field{structOf("g", integer("x", inFile("b")), integer("y"))}, []scantest.Field{group("g", true, a, b)},
			"g.x=g.b, g.y=, g=g 2 false"},
		{ByName, []Field{structOf("g", integer("x", withDefault(5)))}, []scantest.Field{group("g", false, a)}, "g.x=5, g=g 1 true"},
		{ByName, []Field{structOf("g", integer("x", withDefault(5)))}, []scantest.Field{a}, "g.x=, g="},
		{ByName, []Field{integer("a")}, []scantest.Field{b}, "a="},
	} {
		got, err := places(NewSchema(c.fields, c.key), columnsOf(t, c.file))
		if err != nil || got != c.want {
			t.Errorf("case %d: %s, want %s: %v", i, got, c.want, err)
		}
	}
}

// TestDefaultsWithin: a default within a struct holds where that is not NULL. A struct that a file
// does not have is NULL or, where it is filled, the defaults of its fields.
func TestDefaultsWithin(t *testing.T) {
	filled := structOf("g", integer("x", withDefault(5)), integer("y"))
	filled.Filled = true
	for name, c := range map[string]struct {
		field  Field
		file   scantest.Field
		x      int64 // 0: NULL
		within bool
		group  bool // it is a value
	}{
		"optional":        {structOf("g", integer("x", withDefault(5))), group("g", true, scantest.Int32("a")), 5, true, true},
		"missing":         {structOf("g", integer("x", withDefault(5))), scantest.Int32("a"), 0, false, false},
		"missing, filled": {filled, scantest.Int32("a"), 5, false, true},
	} {
		s := NewSchema([]Field{c.field}, ByName)
		at, ok := s.Column("g", "x")
		whole, ok2 := s.Column("g")
		found, err := s.In(columnsOf(t, []scantest.Field{c.file}), nested.Options{})
		if err != nil || !ok || !ok2 {
			t.Fatal(name, ok, ok2, err)
		}
		value := found.Default(at)
		if c.within {
			value = found.Within(at)
			if of, ok := found.Column(at); !ok || of.Type.Kind != vector.Struct {
				t.Errorf("%s: the column is %v, %v", name, of.Type, ok)
			}
		}
		if c.x == 0 && value != nil || c.x != 0 && (value == nil || value.I64 != c.x) {
			t.Errorf("%s: %v, want %d", name, value, c.x)
		}
		_, has := found.Column(whole)
		d := found.Default(whole)
		if (has || d != nil) != c.group {
			t.Errorf("%s: the struct is in the file: %v, or %v", name, has, d)
		}
		if d != nil && (d.Nested.Children[0].Get(0).I64 != 5 || !d.Nested.Children[1].IsNull(0)) {
			t.Errorf("%s: %v", name, d.Nested)
		}
	}
}

// TestByPlace: without ids in the file, columns are numbered from 1 on.
func TestByPlace(t *testing.T) {
	second := integer("second")
	second.ID = 2
	third := integer("third")
	third.ID = 3
	s := NewSchema([]Field{second, third}, ByIDOrPlace)
	got, err := places(s, columnsOf(t, []scantest.Field{scantest.Int32("a"), scantest.Int32("b")}))
	if err != nil || got != "second=b, third=" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestSchemaErrors(t *testing.T) {
	s := NewSchema([]Field{integer("a")}, ByName)
	if _, err := places(s, columnsOf(t, []scantest.Field{group("a", true, scantest.Int32("a"))})); err == nil || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("a group in place of a value: %v", err)
	}
	if _, ok := s.Column("a"); !ok {
		t.Error("no column a")
	}
	if _, ok := s.Column(); ok {
		t.Error("a column without a name")
	}
}

// TestSchemaColumns: the columns of a schema are those that files of it would have.
func TestSchemaColumns(t *testing.T) {
	s := NewSchema([]Field{
		{Name: "g", Nullable: true, Type: vector.Of(vector.Struct), Fields: []Field{integer("x"), structOf("h", integer("_row"))}}, integer("_file"),
	}, ByName)
	var got []string
	for _, c := range s.Columns() {
		got = append(got, fmt.Sprintf("%s %v %v %v", c.Name, c.Type, c.Nullable, c.Hidden))
	}
	want := "g.x INTEGER true false, g.h._row INTEGER true false, _file INTEGER false false, _row_group BIGINT false true, _row BIGINT false true, " +
		"g STRUCT(x INTEGER, h STRUCT(_row INTEGER)) true true, g.h STRUCT(_row INTEGER) true true"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("%s, want %s", text, want)
	}
	if at, ok := s.Column("g", "h", "_row"); !ok || at != 1 {
		t.Errorf("g.h._row is column %d", at)
	}
}
