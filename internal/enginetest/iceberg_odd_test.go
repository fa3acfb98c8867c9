package enginetest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Iceberg tables that no writer of the collection has made, written by hand from the specification.

// oddFile is an entry of a manifest.
type oddFile struct {
	content       int64
	path, format  string
	partition     []byte
	records, size int64
	equality      int64 // the id of the only field; 0: none
	referenced    string
	offset, bytes int64
}

const oddEntry = `{"type": "record", "name": "manifest_entry", "fields": [
	{"name": "status", "type": "int", "field-id": 0}, {"name": "snapshot_id", "type": ["null", "long"], "field-id": 1},
	{"name": "sequence_number", "type": ["null", "long"], "field-id": 3},
	{"name": "data_file", "field-id": 2, "type": {"type": "record", "name": "r2", "fields": [
		{"name": "content", "type": "int", "field-id": 134}, {"name": "file_path", "type": "string", "field-id": 100}, {"name": "file_format", "type": "string", "field-id": 101},
		{"name": "partition", "field-id": 102, "type": {"type": "record", "name": "r102", "fields": [%s]}},
		{"name": "record_count", "type": "long", "field-id": 103}, {"name": "file_size_in_bytes", "type": "long", "field-id": 104},
		{"name": "equality_ids", "field-id": 135, "type": ["null", {"type": "array", "items": "int", "element-id": 136}]},
		{"name": "referenced_data_file", "type": ["null", "string"], "field-id": 143},
		{"name": "content_offset", "type": ["null", "long"], "field-id": 144}, {"name": "content_size_in_bytes", "type": ["null", "long"], "field-id": 145}]}}]}`

func oddManifest(spec, fields string, f oddFile) []byte {
	r := avroOptional(avroOptional(avroLong(nil, 1), -1), -1)
	r = append(avroText(avroText(avroLong(r, f.content), f.path), f.format), f.partition...)
	r = avroLong(avroLong(r, f.records), f.size)
	if f.equality == 0 {
		r = append(r, 0)
	} else {
		r = append(avroLong(avroLong(append(r, 2), 1), f.equality), 0)
	}
	if f.referenced == "" {
		r = append(r, 0)
	} else {
		r = avroText(append(r, 2), f.referenced)
	}
	r = avroOptional(avroOptional(r, f.offset), f.bytes)
	return avroFile(fmt.Sprintf(oddEntry, fields), map[string]string{"schema": "{}", "partition-spec": spec, "partition-spec-id": "0", "format-version": "2"}, r)
}

// oddTable is a table that is being written.
type oddTable struct {
	dir  string
	spec string // partition fields
	list []icebergList
}

func newOddTable(t *testing.T, spec string) *oddTable {
	r := &oddTable{dir: filepath.Join(t.TempDir(), "t"), spec: spec}
	for _, folder := range []string{"metadata", "data"} {
		if err := os.MkdirAll(filepath.Join(r.dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func (r *oddTable) put(t *testing.T, name string, data []byte) (string, int64) {
	file := filepath.Join(r.dir, name)
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(file), int64(len(data))
}

func (r *oddTable) data(t *testing.T, columns ...flat) oddFile {
	file, n := r.put(t, fmt.Sprintf("data/%d.parquet", len(r.list)), parquetOf(columns...))
	return oddFile{path: file, format: "PARQUET", records: int64(len(columns[0].values)), size: n, offset: -1, bytes: -1}
}

// add adds a file in a manifest of its own. fields is how that has the partition.
func (r *oddTable) add(t *testing.T, fields string, f oddFile) {
	sequence := int64(len(r.list) + 1)
	file, n := r.put(t, fmt.Sprintf("metadata/m%d.avro", sequence), oddManifest(r.spec, fields, f))
	r.list = append(r.list, icebergList{path: file, length: n, content: min(f.content, 1), sequence: sequence, added: 1, firstRow: -1})
}

func (r *oddTable) commit(t *testing.T, version int, fields string) {
	list, _ := r.put(t, "metadata/l.avro", icebergManifestList(version, r.list))
	m := map[string]any{"format-version": version, "location": filepath.ToSlash(r.dir), "last-sequence-number": 9, "last-updated-ms": 1, "last-column-id": 9,
		"schemas": json.RawMessage(`[{"type":"struct","schema-id":0,"fields":` + fields + `}]`), "current-schema-id": 0, "default-spec-id": 0, "last-partition-id": 1000, "sort-orders": []any{},
		"partition-specs": json.RawMessage(`[{"spec-id":0,"fields":` + r.spec + `}]`), "current-snapshot-id": 1,
		"snapshots": []any{map[string]any{"snapshot-id": 1, "sequence-number": 9, "timestamp-ms": 1, "summary": map[string]string{"operation": "append"}, "manifest-list": list, "schema-id": 0}}}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	r.put(t, "metadata/v1.metadata.json", text)
}

// wants compares the only value of an answer, with pruning and without.
func (r *oddTable) wants(t *testing.T, query, want string) {
	for _, options := range []string{"", "?pruning=off"} {
		_, got, err := answerOf(openDir(t, filepath.ToSlash(r.dir)+options), query)
		if err != nil || len(got) != 1 || !strings.HasSuffix(strings.TrimSpace(got[0]), "="+want) {
			t.Errorf("%s%s: %q, want %q: %v", query, options, got, want, err)
		}
	}
}

// TestIcebergOldMonths: Iceberg 0.10 and older stored months before 1970 one too high.
func TestIcebergOldMonths(t *testing.T) {
	r := newOddTable(t, `[{"source-id":1,"field-id":1000,"name":"p","transform":"month"}]`)
	f := r.data(t, flat{name: "ts", physical: 2, converted: 10, id: 1, values: []any{int64(-3600e6)}})
	f.partition = avroLong(nil, 0)
	r.add(t, `{"name":"p","type":"int","field-id":1000}`, f)
	r.commit(t, 2, `[{"id":1,"name":"ts","required":false,"type":"timestamp"}]`)
	r.wants(t, "SELECT COUNT(*) FROM t WHERE ts < TIMESTAMP '1970-01-01'", "1")
	r.wants(t, "SELECT COUNT(*) FROM t WHERE ts = TIMESTAMP '1969-12-31 23:00:00'", "1")
}

// TestIcebergWiderDecimals: deletes that were written after a partition's decimal got more digits
// are of the files before it.
func TestIcebergWiderDecimals(t *testing.T) {
	for _, content := range []int64{1, 2} {
		r := newOddTable(t, `[{"source-id":1,"field-id":1000,"name":"p","transform":"identity"}]`)
		f := r.data(t, flat{name: "d", physical: 1, converted: 5, precision: 9, scale: 2, id: 1, values: []any{int32(150), int32(150)}}, withID(longs("x", int64(1), int64(2)), 2))
		f.partition = []byte{0, 0, 0, 150}
		r.add(t, `{"name":"p","type":{"type":"fixed","name":"f4","size":4,"logicalType":"decimal","precision":9,"scale":2},"field-id":1000}`, f)
		var d oddFile
		if content == 1 {
			d = r.data(t, withID(texts("file_path", f.path), 2147483546), withID(longs("pos", int64(0)), 2147483545))
		} else {
			d = r.data(t, withID(longs("x", int64(1)), 2))
			d.equality = 2
		}
		d.content, d.partition = content, []byte{0, 0, 0, 0, 0, 0, 0, 150}
		r.add(t, `{"name":"p","type":{"type":"fixed","name":"f8","size":8,"logicalType":"decimal","precision":18,"scale":2},"field-id":1000}`, d)
		r.commit(t, 2, `[{"id":1,"name":"d","required":false,"type":"decimal(18, 2)"},{"id":2,"name":"x","required":false,"type":"long"}]`)
		r.wants(t, "SELECT x FROM t", "2")
	}
}

// TestIcebergNestedPartitions: a field within a struct that a file lacks has the value of the
// partition (Column Projection).
func TestIcebergNestedPartitions(t *testing.T) {
	r := newOddTable(t, `[{"source-id":3,"field-id":1000,"name":"p","transform":"identity"}]`)
	f := r.data(t, withID(longs("x", int64(1)), 1))
	f.partition = avroLong(nil, 7)
	r.add(t, `{"name":"p","type":"int","field-id":1000}`, f)
	r.commit(t, 2, `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"s","required":false,"type":{"type":"struct","fields":[{"id":3,"name":"c","required":false,"type":"int"}]}}]`)
	r.wants(t, "SELECT s.c FROM t", "7")
	r.wants(t, "SELECT COUNT(s.c) FROM t", "1")
	r.wants(t, "SELECT COUNT(*) FROM t WHERE s.c IS NULL", "0")
	r.wants(t, "SELECT COUNT(*) FROM t WHERE s.c = 7", "1")
}

// TestIcebergVectorOfNothing: a deletion vector says of which file it is.
func TestIcebergVectorOfNothing(t *testing.T) {
	r := newOddTable(t, "[]")
	f := r.data(t, withID(longs("x", int64(5), int64(6)), 1))
	r.add(t, "", f)
	blob := vectorBlob([]int64{0})
	file, n := r.put(t, "data/v.puffin", puffinFile(blob, f.path, 1))
	r.add(t, "", oddFile{content: 1, path: file, format: "PUFFIN", records: 1, size: n, offset: 4, bytes: int64(len(blob))})
	r.commit(t, 3, `[{"id":1,"name":"x","required":false,"type":"long"}]`)
	if _, _, err := answerOf(openDir(t, filepath.ToSlash(r.dir)), "SELECT x FROM t"); err == nil || !strings.Contains(err.Error(), "referenced_data_file") {
		t.Error(err)
	}
}
