package system

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/computed"
	"github.com/parquetsql/parquetsql/scan/scantest"
	"github.com/parquetsql/parquetsql/vector"
)

// query returns a system table's rows as text: values separated by "|", NULL as "-".
func query(t *testing.T, s *catalog.Snapshot, name string, columns ...string) []string {
	t.Helper()
	found := table(t, s, name)
	var at []int
	for _, c := range columns {
		index := -1
		for i, have := range found.Columns {
			if have.Name == c {
				index = i
			}
		}
		if index < 0 {
			t.Fatalf("%s has no column %s", name, c)
		}
		at = append(at, index)
	}
	batches, err := found.Make(t.Context(), func(int) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, b := range batches {
		if len(b.Cols) != len(found.Columns) || b.Len > vector.BatchSize {
			t.Fatalf("%s: a batch has %d columns and %d rows", name, len(b.Cols), b.Len)
		}
		for i := range b.Len {
			var row []string
			for _, c := range at {
				switch v := b.Cols[c].Get(i); {
				case v.Null && !found.Columns[c].Nullable:
					t.Fatalf("%s: NULL in %s", name, found.Columns[c].Name)
				case v.Null:
					row = append(row, "-")
				case v.Type.Kind == vector.BigInt:
					row = append(row, fmt.Sprint(v.I64))
				case v.Type.Kind == vector.Double:
					row = append(row, fmt.Sprint(v.F64))
				default:
					row = append(row, v.Str)
				}
			}
			out = append(out, strings.Join(row, "|"))
		}
	}
	return out
}

func expect(t *testing.T, s *catalog.Snapshot, name, columns string, want ...string) {
	t.Helper()
	got := query(t, s, name, strings.Fields(columns)...)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// one is a file with one column.
var one = scantest.File([]scantest.Field{scantest.Int32("a")})

func TestInformationSchema(t *testing.T) {
	group := scantest.Field{Name: "g", Children: []scantest.Field{{Name: "d", Physical: 1, Converted: 5, Optional: true, Precision: 9, Scale: 2}}}
	fsys := scantest.FS(map[string][]byte{
		"b.parquet":     scantest.File([]scantest.Field{scantest.Int64("x"), group, scantest.Text("name")}),
		"broken.pq":     []byte("?"),
		"a/k=1/x.pq":    one,
		"twice.parquet": one,
		"twice.pq":      one,
	})
	s := snapshot(t, open(t, catalog.Config{FS: fsys, Path: "."}))
	expect(t, s, "information_schema.schemata", "catalog_name schema_name", "parquet|information_schema", "parquet|main")
	expect(t, s, "INFORMATION_SCHEMA.Tables", "table_catalog table_schema table_name table_type",
		"parquet|main|a|BASE TABLE", "parquet|main|b|BASE TABLE", "parquet|main|broken|BASE TABLE", "parquet|main|twice|BASE TABLE")
	expect(t, s, "information_schema.columns", "table_name column_name ordinal_position is_nullable data_type numeric_precision numeric_scale",
		"a|a|1|NO|INTEGER|32|0", "a|k|2|NO|BIGINT|64|0",
		"b|x|1|NO|BIGINT|64|0", "b|g.d|2|YES|DECIMAL|9|2", "b|name|3|NO|VARCHAR|-|-")
	if found, err := Table(t.Context(), s, "information_schema.views"); err == nil {
		t.Errorf("views: %+v", found)
	}
}

func TestMetadataTables(t *testing.T) {
	fsys := scantest.FS(map[string][]byte{
		"t/a.parquet": scantest.File([]scantest.Field{scantest.Int32("a"), {Name: "g", Converted: -1, Children: []scantest.Field{scantest.Text("s")}}}),
		"t/b.parquet": one,
	})
	s := snapshot(t, open(t, catalog.Config{FS: fsys, Path: "."}))
	expect(t, s, "t$files", "file rows row_groups created_by", "t/a.parquet|0|0|-", "t/b.parquet|0|0|-")
	expect(t, s, "t$SCHEMA", "file column type physical_type logical_type repetition max_definition_level max_repetition_level",
		"t/a.parquet|a|INTEGER|INT32|-|REQUIRED|0|0", "t/a.parquet|g|-|-|-|REQUIRED|0|0",
		"t/a.parquet|g.s|VARCHAR|BYTE_ARRAY|STRING|REQUIRED|0|0", "t/b.parquet|a|INTEGER|INT32|-|REQUIRED|0|0")
	expect(t, s, "t/b.*$row_groups", "file")
	for _, name := range []string{"x$files", "t$nothing"} {
		if found, err := Table(t.Context(), s, name); err == nil {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// TestForeignMetadata compares with what parquet-testing's documents and other
// readers say about its files.
func TestForeignMetadata(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "files", "parquet-testing", "data")
	s := snapshot(t, open(t, catalog.Config{Path: dir}))
	expect(t, s, "alltypes_tiny_pages$files", "file rows row_groups", "alltypes_tiny_pages.parquet|7300|1")
	data, rows, next := 0, 0, 0
	for _, line := range query(t, s, "alltypes_tiny_pages$pages", "column", "kind", "rows", "first_row") {
		var n, first int
		if _, err := fmt.Sscanf(line, "id|DATA_PAGE|%d|%d", &n, &first); err != nil {
			continue
		}
		if first != next {
			t.Fatalf("a page starts with row %d instead of %d", first, next)
		}
		data, rows, next = data+1, rows+n, first+n
	}
	if data != 325 || rows != 7300 {
		t.Errorf("%d pages with %d rows", data, rows)
	}
	name := "data_index_bloom_encoding_stats"
	expect(t, s, name+"$columns", "column type codec values null_count min max", "String|VARCHAR|GZIP|14|0|Hello|today")
	expect(t, s, name+"$pages", "page kind encoding rows first_row null_count min max", "0|DATA_PAGE|PLAIN|14|0|0|Hello|today")
	expect(t, s, "column_chunk_key_value_metadata$row_groups", "row_group rows", "0|0")
}

func open(t *testing.T, c catalog.Config) *catalog.Catalog {
	t.Helper()
	opened, err := catalog.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

func snapshot(t *testing.T, c *catalog.Catalog) *catalog.Snapshot {
	t.Helper()
	s, err := c.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func table(t *testing.T, s *catalog.Snapshot, name string) *computed.Table {
	t.Helper()
	found, err := Table(t.Context(), s, name)
	if err != nil {
		t.Fatal(err)
	}
	return found.(*computed.Table)
}

// TestThriftText: annotations that do not fit their column, or of a later version, are NULL.
func TestThriftText(t *testing.T) {
	for kind, want := range map[fileformat.LogicalKind]string{
		fileformat.LogicalNone: "", fileformat.LogicalUnknownFuture: "", fileformat.LogicalUUID: "UUIDType()", fileformat.LogicalDate: "DateType()",
	} {
		if got := thriftText(fileformat.LogicalType{Kind: kind}); got != want {
			t.Errorf("%v: %q, want %q", kind, got, want)
		}
	}
}
