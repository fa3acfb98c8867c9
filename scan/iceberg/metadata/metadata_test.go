package metadata

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
)

// files are the metadata files of the test data.
func files(t testing.TB) map[string][]byte {
	out := map[string][]byte{}
	err := filepath.WalkDir("../../../testdata/iceberg", func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".metadata.json") {
			data, err := os.ReadFile(p)
			out[p] = data
			return err
		}
		return err
	})
	if err != nil || len(out) < 20 {
		t.Fatal(len(out), err)
	}
	return out
}

func TestFiles(t *testing.T) {
	for name, data := range files(t) {
		if strings.HasSuffix(name, "/v0.metadata.json") { // the beginning of an export, of an old version
			continue
		}
		m, err := Parse(data, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, s := range m.Snapshots {
			if m.Snapshot(s.ID) != s || m.SchemaOf(s) == nil {
				t.Errorf("%s: snapshot %d", name, s.ID)
			}
		}
		var z bytes.Buffer
		w := gzip.NewWriter(&z)
		_, _ = w.Write(data)
		_ = w.Close()
		if c, err := Parse(z.Bytes(), nil); err != nil || c.Location != m.Location {
			t.Errorf("%s: compressed: %v", name, err)
		}
	}
}

const head = `"location": "s3://b/t", "last-updated-ms": 1, "last-column-id": 1, "schemas": [{"schema-id": 0, "type": "struct", "fields": [{"id": 1, "name": "a", "required": false, "type": "int"}]}],
	"current-schema-id": 0, "partition-specs": [{"spec-id": 0, "fields": []}], "default-spec-id": 0, "last-partition-id": 999, "sort-orders": []`

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"format-version": 1, "view-uuid": "x"}`: "views",
		`{}`:                                  "format-version",
		`{"format-version": 4, ` + head + `}`: "version 4",
		`{"format-version": 0, ` + head + `}`: "format-version",
		`{"format-version": 2}`:               "no location",
		`{"format-version": 2, ` + strings.Replace(head, `"current-schema-id": 0`, `"current-schema-id": 5`, 1) + `}`:                      "current schema 5",
		`{"format-version": 2, ` + strings.Replace(head, `"sort-orders"`, `"x"`, 1) + `}`:                                                  "sort-orders",
		`{"format-version": 2, ` + strings.Replace(head, `"last-partition-id"`, `"x"`, 1) + `}`:                                            "last-partition-id",
		`{"format-version": 1, ` + strings.Replace(head, `"default-spec-id"`, `"x"`, 1) + `}`:                                              "default-spec-id",
		`{"format-version": 2, ` + head + `, "current-snapshot-id": 7}`:                                                                    "snapshot 7",
		`{"format-version": 2, ` + head + `, "refs": {"x": {"snapshot-id": 1, "type": "label"}}}`:                                          "label",
		`{"format-version": 2, ` + strings.Replace(head, `"int"`, `"int128"`, 1) + `}`:                                                     "int128",
		`{"format-version": 2, ` + head + `, "snapshots": [{"snapshot-id": 1, "timestamp-ms": 1}, {"snapshot-id": 1, "timestamp-ms": 1}]}`: "two snapshots",
		`{"format-version": 2, ` + head + `, "properties": {"schema.name-mapping.default": "{"}}`:                                          "name-mapping",
	} {
		if _, err := Parse([]byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := Parse([]byte(`{"format-version": 9}`), nil); !errors.Is(err, errs.ErrUnsupported) {
		t.Error(err)
	}
	if m, err := Parse([]byte(`{"format-version": 2, `+head+`, "current-snapshot-id": -1}`), nil); err != nil || m.Current != nil {
		t.Error(m, err)
	}
}

// TestAt: the snapshot-log says what was the current snapshot, whatever the parents are.
func TestAt(t *testing.T) {
	m, err := Parse([]byte(`{"format-version": 2, `+head+`, "current-snapshot-id": 2, "snapshots": [{"snapshot-id": 1, "timestamp-ms": 1000}, {"snapshot-id": 2, "timestamp-ms": 2000}],
		"snapshot-log": [{"snapshot-id": 1, "timestamp-ms": 1000}, {"snapshot-id": 2, "timestamp-ms": 2000}, {"snapshot-id": 1, "timestamp-ms": 3000}, {"snapshot-id": 9, "timestamp-ms": 4000}]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[int64]int64{1000: 1, 1999: 1, 2000: 2, 3500: 1} {
		if s, err := m.At(time.UnixMilli(at)); err != nil || s.ID != want {
			t.Errorf("%d: %v, %v", at, s, err)
		}
	}
	for at, want := range map[int64]string{999: "as old", 5000: "expired"} {
		if _, err := m.At(time.UnixMilli(at)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", at, err)
		}
	}
	if r, ok := m.Refs["main"]; !ok || r.Snapshot != 2 {
		t.Error(m.Refs)
	}
}

// FuzzParse: any bytes are an error or a table.
func FuzzParse(f *testing.F) {
	for _, data := range files(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b := quota.New(1 << 20)
		if m, err := Parse(data, b); err == nil && (m.Schema == nil || m.Location == "") {
			t.Error(m)
		}
		if b.Used() != 0 {
			t.Errorf("%d bytes stay charged", b.Used())
		}
	})
}
