package fileformat

import (
	"errors"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// TestNotParquet: the error names another format, but not for a Parquet file that was
// cut off.
func TestNotParquet(t *testing.T) {
	for head, want := range map[string]string{
		"\x1f\x8b\x08":     "not a Parquet file: it looks like a gzip file",
		"PK\x03\x04":       "a ZIP file",
		"ARROW1\x00\x00":   "an Arrow file",
		"ORC\n":            "an ORC file",
		"Obj\x01":          "an Avro file",
		"id,name\n1,Zoë\n": "text, such as CSV",
		"{\"id\": 1}":      "JSON",
		"\x00\x01\x02\x03": "not a Parquet file: it begins with",
		"PAR1":             "cut off",
		"1234567890123456": "text",
		"123456789012345ë": "text",
	} {
		data := []byte(head + strings.Repeat(" ", 40_000))
		var corrupt *errs.CorruptError
		if _, err := openBytes(data); !errors.As(err, &corrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", head, err)
		}
	}
	if _, err := openBytes([]byte("PAR1")); err == nil || !strings.Contains(err.Error(), "not a Parquet file") {
		t.Error(err)
	}
}

// TestSchemaLeniently reads schemas of writers that break the specification: a root
// with a type (segmentio/parquet-go) and a leaf without repetition (hyparquet).
func TestSchemaLeniently(t *testing.T) {
	f := mustOpen(t, testFile(tf{3, int64(0)}, tf{4, structs[ts]()}, tf{2, structs(
		ts{{1, int32(0)}, {4, "schema"}, {5, int32(2)}},
		ts{{1, int32(1)}, {4, "a"}},
		ts{{3, int32(1)}, {4, "file"}, {5, int32(1)}, {10, ts{{19, ts{}}}}},
		ts{{1, int32(6)}, {3, int32(1)}, {4, "uri"}},
	)}))
	a, file := f.Schema.Leaves[0], f.Schema.Root.Children[1]
	if f.Schema.Root.IsLeaf() || a.Repetition != Required || a.MaxDef != 0 || len(f.Schema.Leaves) != 2 {
		t.Errorf("%+v", f.Schema)
	}
	if file.Logical.Kind != LogicalFile || file.Logical.String() != "FILE" || file.IsLeaf() {
		t.Errorf("%+v", file)
	}
}
