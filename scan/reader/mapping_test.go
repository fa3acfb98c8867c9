package reader

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/vector"
)

// deltaField is a field as Delta's schema has it (PROTOCOL.md, "Schema Serialization Format" and
// "Column Mapping").
type deltaField struct {
	Name     string
	Type     json.RawMessage
	Metadata map[string]any
}

type deltaType struct {
	Type         string
	Fields       []deltaField
	ElementType  json.RawMessage
	KeyType      json.RawMessage
	ValueType    json.RawMessage
	ContainsNull bool
}

func (d deltaField) field(t *testing.T) mapping.Field {
	t.Helper()
	out := typeField(t, d.Type)
	out.Name, out.Nullable = d.Name, true
	if id, ok := d.Metadata["delta.columnMapping.id"].(float64); ok {
		out.ID = int32(id)
	}
	out.FileName, _ = d.Metadata["delta.columnMapping.physicalName"].(string)
	return out
}

func typeField(t *testing.T, text json.RawMessage) mapping.Field {
	t.Helper()
	if text[0] == '"' {
		kinds := map[string]vector.Kind{"byte": vector.TinyInt, "short": vector.SmallInt, "integer": vector.Integer, "long": vector.BigInt,
			"float": vector.Float, "double": vector.Double, "boolean": vector.Boolean, "string": vector.Varchar, "binary": vector.Blob, "date": vector.Date}
		switch name := strings.Trim(string(text), `"`); {
		case name == "timestamp":
			return mapping.Field{Nullable: true, Type: vector.TimestampType(vector.Micros, true)}
		case name == "decimal(10,2)":
			return mapping.Field{Nullable: true, Type: vector.Type{Kind: vector.Decimal, Precision: 10, Scale: 2}}
		case kinds[name] != 0:
			return mapping.Field{Nullable: true, Type: vector.Of(kinds[name])}
		}
		t.Fatalf("type %s", text)
	}
	var d deltaType
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	switch out := (mapping.Field{Nullable: true}); d.Type {
	case "struct":
		out.Type = vector.Of(vector.Struct)
		for _, f := range d.Fields {
			out.Fields = append(out.Fields, f.field(t))
		}
		return out
	case "array":
		out.Type, out.Fields = vector.Of(vector.List), []mapping.Field{typeField(t, d.ElementType)}
		return out
	case "map":
		key := typeField(t, d.KeyType)
		key.Nullable = false
		out.Type, out.Fields = vector.Of(vector.Map), []mapping.Field{key, typeField(t, d.ValueType)}
		return out
	}
	t.Fatalf("type %s", d.Type)
	return mapping.Field{}
}

// mappedSet is the data files of a folder as a set whose schema is given.
func mappedSet(t *testing.T, dir string, schema *mapping.Schema) *files.Set {
	t.Helper()
	store := storage.NewFS(os.DirFS(dir), ".", false, storage.NewHandles(8, ""))
	footers := files.NewCache(files.Options{}).Footers()
	set := &files.Set{Table: scan.Table{Name: "t", Columns: schema.Columns()}}
	names, err := filepath.Glob(filepath.Join(dir, "*.parquet"))
	if err != nil || len(names) == 0 {
		t.Fatal(dir, err)
	}
	for _, name := range names {
		e, err := store.Stat(t.Context(), filepath.Base(name))
		if err != nil {
			t.Fatal(err)
		}
		f := footers.File(store, e, e.Name)
		f.Mapping = schema
		set.Files = append(set.Files, f)
	}
	return set
}

// namedRows are the rows of some columns as JSON, sorted.
func namedRows(t *testing.T, set *files.Set, r scan.Request, names []string) []string {
	t.Helper()
	r.Limit = -1
	for _, name := range names {
		i := columnNamed(set, name)
		if i < 0 {
			t.Fatalf("no column %s", name)
		}
		r.Columns = append(r.Columns, scan.Projection{Column: i})
	}
	s, err := New(t.Context(), set, r)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	reader := s.NewReader()
	defer reader.Close()
	var out []string
	for {
		b, err := reader.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			slices.Sort(out)
			return out
		}
		for i := range b.Rows() {
			var line []byte
			for _, c := range b.Cols {
				line = append(nested.AppendJSON(line, c, b.Row(i)), ' ')
			}
			out = append(out, string(line))
		}
	}
}

// TestMappedColumns reads tables of Delta Lake whose files call columns, and the fields within
// structs, lists and maps, by names that nobody shows: by name and by id. What they hold is what
// their writer has written as plain Parquet.
func TestMappedColumns(t *testing.T) {
	folder := filepath.Join("..", "..", "testdata", "mapping")
	for _, key := range []mapping.Key{mapping.ByName, mapping.ByID, mapping.ByIDOrNames} {
		text, err := os.ReadFile(filepath.Join(folder, "schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		set := mappedSet(t, folder, mapping.NewSchema(typeField(t, text).Fields, key))
		c, err := catalog.New(catalog.Config{Path: filepath.Join(folder, "expected")})
		if err != nil {
			t.Fatal(err)
		}
		snapshot, err := c.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		plain, err := snapshot.Table(t.Context(), "*.parquet")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for i, c := range set.Columns {
			if c.Origin != scan.FromFile {
				continue
			}
			names = append(names, c.Name)
			if want := plain.Columns[columnNamed(plain, c.Name)]; !c.Type.Equal(want.Type) || c.Hidden != want.Hidden {
				t.Errorf("%v: column %d, %s, is %v, want %v", key, i, c.Name, c.Type, want.Type)
			}
		}
		want := namedRows(t, plain, scan.Request{}, names)
		if got := namedRows(t, set, scan.Request{}, names); len(want) != 6 || !slices.Equal(got, want) {
			t.Errorf("%v:\n%s\nwant\n%s", key, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		checkMappedFilter(t, set, plain, names)
	}
}

// checkMappedFilter: statistics are those of the mapped column.
func checkMappedFilter(t *testing.T, set, plain *files.Set, names []string) {
	t.Helper()
	for v := range int64(6) {
		r := func(table *files.Set) scan.Request {
			at := columnNamed(table, "IntegerType")
			return scan.Request{Options: scan.Options{Pruning: scan.AllPruners}, Filter: []expr.Expr{
				compare(t, expr.OpEq, expr.NewColumn(at, "IntegerType", table.Columns[at].Type), vector.Scalar{Type: vector.Of(vector.Integer), I64: v}),
			}}
		}
		got, want := namedRows(t, set, r(set), names), namedRows(t, plain, r(plain), names)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("IntegerType = %d: %v, want %v", v, got, want)
		}
	}
}
