package nested

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/vector"
)

// TestVariantShapes: children are found by name; a group that lacks one of them is
// no Variant.
func TestVariantShapes(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`optional group v (VARIANT) { required binary value; required binary metadata; }`, "VARIANT metadata BLOB value BLOB"},
		{`required group v (VARIANT) { optional int64 typed_value; required binary metadata; optional binary value; }`, "VARIANT metadata BLOB value BLOB typed_value BIGINT"},
		{`required group v (VARIANT) { required binary metadata; optional binary typed_value; }`, "VARIANT metadata BLOB value BLOB typed_value BLOB"},
		{`required group v (VARIANT) { required binary metadata; optional binary value; optional group typed_value { required group a { optional binary value; optional int32 typed_value; } } }`,
			"VARIANT metadata BLOB value BLOB typed_value STRUCT(a STRUCT(value BLOB, typed_value INTEGER))"},
		{`required group v (VARIANT) { required binary metadata; optional binary value; optional int32 extra; }`, "VARIANT metadata BLOB value BLOB"},
		{`required group v (VARIANT) { required binary metadata; optional binary other; }`, "STRUCT metadata BLOB other BLOB"},
		{`required group v (VARIANT) { required binary value; }`, "STRUCT value BLOB"},
		{`required group v (VARIANT) { required int32 metadata; required binary value; }`, "STRUCT metadata INTEGER value BLOB"},
		{`required group v (VARIANT) { required binary metadata; repeated binary value; }`, "STRUCT metadata BLOB value LIST(BLOB)"},
	} {
		s := field(parseSchema(t, c.schema).Root.Children[0], Options{}, 0, 0)
		got := s.typ.Kind.String()
		for _, f := range s.typ.Fields {
			got += " " + f.Name + " " + f.Type.String()
		}
		if got != c.want {
			t.Errorf("%s\n%s, want %s", c.schema, got, c.want)
		}
	}
}

// TestVariantGroups: an option makes Variants of groups without the logical type.
func TestVariantGroups(t *testing.T) {
	n := parseSchema(t, `optional group g { optional group v { required binary metadata; optional binary value; } }`).Root.Children[0]
	for groups, want := range map[string]vector.Kind{"": vector.Struct, "g.v": vector.Variant, "x,g.v": vector.Variant, "v": vector.Struct} {
		if s := field(n, Options{VariantGroups: groups}, 0, 0); s.typ.Fields[0].Type.Kind != want {
			t.Errorf("%q: %s", groups, s.typ)
		}
	}
}

// TestVariantBytes: the bytes of a Variant are no text with BinaryAsString.
func TestVariantBytes(t *testing.T) {
	s := field(parseSchema(t, `required group v (VARIANT) { required binary metadata; optional binary value; optional binary typed_value; }`).Root.Children[0], Options{BinaryAsString: true}, 0, 0)
	for _, f := range s.typ.Fields {
		if f.Type.Kind != vector.Blob {
			t.Errorf("%s is %s", f.Name, f.Type)
		}
	}
}

// TestVariantFiles reads the children of parquet-testing's Variants: all leaves
// agree, and a row that is not NULL has metadata.
func TestVariantFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testdata, "files", "parquet-testing", "*variant", "*.parquet"))
	if err != nil || len(files) < 60 {
		t.Fatal(len(files), err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := fileformat.Open(bytes.NewReader(data), int64(len(data)), fileformat.Options{Name: path, VerifyChecksums: true})
		if err != nil {
			t.Fatal(path, err)
		}
		columns, err := Columns(f.Schema, Options{})
		if err != nil {
			t.Fatal(path, err)
		}
		variants := 0
		for _, c := range columns {
			if !strings.HasPrefix(c.Name, "v") || c.Type.Kind != vector.Variant {
				continue
			}
			variants++
			err := eachRow(f, data, c, 3, func(v *vector.Vector, row int) error {
				if !v.IsNull(row) && v.Children[0].IsNull(row) {
					t.Errorf("%s: row %d has no metadata", path, row)
				}
				return nil
			})
			if err != nil {
				t.Error(path, err)
			}
		}
		if variants == 0 && !strings.Contains(path, "case-") {
			t.Errorf("%s has no Variant", path)
		}
	}
}

// TestVariantFields: of case-046, {"a": null, "b": ""} with both fields shredded,
// only the leaf that is asked for is read.
func TestVariantFields(t *testing.T) {
	path := filepath.Join(testdata, "files", "parquet-testing", "shredded_variant", "case-046.parquet")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := fileformat.Open(bytes.NewReader(data), int64(len(data)), fileformat.Options{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	columns, err := Columns(f.Schema, Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := columns[1]
	want := vector.FieldPath("typed_value", "b", "typed_value")
	var opened []int
	r, err := NewReader(v, []vector.Path{want}, Options{}, func(leaf int, levels bool) (*column.Reader, error) {
		opened = append(opened, leaf)
		return column.NewReader(f.RowGroups()[0].Columns[leaf], column.Options{Source: bytes.NewReader(data), Levels: levels})
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out vector.Vector
	if n, err := r.Read(10, &out); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if len(opened) != 1 || f.Schema.Leaves[opened[0]].Dotted() != "var.typed_value.b.typed_value" {
		t.Errorf("opened %v", opened)
	}
	typed := out.Children[2].Children
	if !out.Children[0].IsNull(0) || !typed[0].Children[1].IsNull(0) {
		t.Error("more than the field was read")
	}
	b := typed[1].Children[len(typed[1].Children)-1].Get(0)
	if b.Null || b.Str != "" || b.Type.Kind != vector.Varchar {
		t.Errorf("b is %+v", b)
	}
}
