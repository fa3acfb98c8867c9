package enginetest

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
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
	equality      int64   // the id of the first field; 0: none
	more          []int64 // other fields
	referenced    string
	offset, bytes int64

	boundOf      int64 // of which field there are bounds; 0: none
	lower, upper string
}

const oddEntry = `{"type": "record", "name": "manifest_entry", "fields": [
	{"name": "status", "type": "int", "field-id": 0}, {"name": "snapshot_id", "type": ["null", "long"], "field-id": 1},
	{"name": "sequence_number", "type": ["null", "long"], "field-id": 3},
	{"name": "data_file", "field-id": 2, "type": {"type": "record", "name": "r2", "fields": [
		{"name": "content", "type": "int", "field-id": 134}, {"name": "file_path", "type": "string", "field-id": 100}, {"name": "file_format", "type": "string", "field-id": 101},
		{"name": "partition", "field-id": 102, "type": {"type": "record", "name": "r102", "fields": [%s]}},
		{"name": "record_count", "type": "long", "field-id": 103}, {"name": "file_size_in_bytes", "type": "long", "field-id": 104},
		{"name": "lower_bounds", "field-id": 125, "type": ["null", {"type": "array", "logicalType": "map", "items": {"type": "record", "name": "k126_v127", "fields": [
			{"name": "key", "type": "int", "field-id": 126}, {"name": "value", "type": "bytes", "field-id": 127}]}}]},
		{"name": "upper_bounds", "field-id": 128, "type": ["null", {"type": "array", "logicalType": "map", "items": {"type": "record", "name": "k129_v130", "fields": [
			{"name": "key", "type": "int", "field-id": 129}, {"name": "value", "type": "bytes", "field-id": 130}]}}]},
		{"name": "equality_ids", "field-id": 135, "type": ["null", {"type": "array", "items": "int", "element-id": 136}]},
		{"name": "referenced_data_file", "type": ["null", "string"], "field-id": 143},
		{"name": "content_offset", "type": ["null", "long"], "field-id": 144}, {"name": "content_size_in_bytes", "type": ["null", "long"], "field-id": 145}]}}]}`

func oddManifest(spec, fields string, list ...oddFile) []byte {
	var records [][]byte
	for _, f := range list {
		records = append(records, oddRecord(f))
	}
	return avroFile(fmt.Sprintf(oddEntry, fields), map[string]string{"schema": "{}", "partition-spec": spec, "partition-spec-id": "0", "format-version": "2"}, records...)
}

func oddRecord(f oddFile) []byte {
	r := avroOptional(avroOptional(avroLong(nil, 1), -1), -1)
	r = append(avroText(avroText(avroLong(r, f.content), f.path), f.format), f.partition...)
	r = avroLong(avroLong(r, f.records), f.size)
	for _, bound := range []string{f.lower, f.upper} {
		if f.boundOf == 0 {
			r = append(r, 0)
		} else {
			r = append(avroText(avroLong(avroLong(append(r, 2), 1), f.boundOf), bound), 0)
		}
	}
	if f.equality == 0 {
		r = append(r, 0)
	} else {
		r = avroLong(avroLong(append(r, 2), int64(1+len(f.more))), f.equality)
		for _, id := range f.more {
			r = avroLong(r, id)
		}
		r = append(r, 0)
	}
	if f.referenced == "" {
		r = append(r, 0)
	} else {
		r = avroText(append(r, 2), f.referenced)
	}
	return avroOptional(avroOptional(r, f.offset), f.bytes)
}

// oddTable is a table that is being written.
type oddTable struct {
	dir  string
	spec string // partition fields
	list []icebergList

	names      int // of data files
	properties map[string]string
	location   string // as the writer has it; "": dir
	keyID      string // of the snapshot
	older      string // the fields of a schema before the current one; "": none
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
	r.names++
	file, n := r.put(t, fmt.Sprintf("data/%d.parquet", r.names), parquetOf(columns...))
	return oddFile{path: file, format: "PARQUET", records: int64(len(columns[0].values)), size: n, offset: -1, bytes: -1}
}

// add adds a file in a manifest of its own. fields is how that has the partition.
func (r *oddTable) add(t *testing.T, fields string, f oddFile) { r.addAll(t, fields, nil, f) }

// addAll adds files in one manifest, of which the list says something.
func (r *oddTable) addAll(t *testing.T, fields string, summaries []icebergSummary, list ...oddFile) {
	sequence := int64(len(r.list) + 1)
	file, n := r.put(t, fmt.Sprintf("metadata/m%d.avro", sequence), oddManifest(r.spec, fields, list...))
	rows := [2]int64{}
	for _, f := range list {
		rows[0] += f.records
	}
	r.list = append(r.list, icebergList{path: file, length: n, content: min(list[0].content, 1), sequence: sequence, added: int64(len(list)), rows: &rows, firstRow: -1, fields: summaries})
}

func (r *oddTable) commit(t *testing.T, version int, fields string) {
	list, _ := r.put(t, "metadata/l.avro", icebergManifestList(version, r.list))
	schemas := `[{"type":"struct","schema-id":0,"fields":` + fields + `}`
	if r.older != "" {
		schemas += `,{"type":"struct","schema-id":1,"fields":` + r.older + `}`
	}
	m := map[string]any{"format-version": version, "location": cmp.Or(r.location, filepath.ToSlash(r.dir)), "last-sequence-number": 9, "last-updated-ms": 1, "last-column-id": 9,
		"schemas": json.RawMessage(schemas + `]`), "current-schema-id": 0, "default-spec-id": 0, "last-partition-id": 1000, "sort-orders": []any{},
		"partition-specs": json.RawMessage(`[{"spec-id":0,"fields":` + r.spec + `}]`), "current-snapshot-id": 1,
		"snapshots": []any{map[string]any{"snapshot-id": 1, "sequence-number": 9, "timestamp-ms": 1, "summary": map[string]string{"operation": "append"}, "manifest-list": list, "schema-id": 0}}}
	if r.properties != nil {
		m["properties"] = r.properties
	}
	if r.keyID != "" {
		m["snapshots"].([]any)[0].(map[string]any)["key-id"] = r.keyID
		m["encryption-keys"] = []any{map[string]string{"key-id": r.keyID, "encrypted-key-metadata": "AAAA"}}
	}
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

// fails expects an error of a query.
func (r *oddTable) fails(t *testing.T, query, want string) {
	if _, _, err := answerOf(openDir(t, filepath.ToSlash(r.dir)), query); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, want %q", query, err, want)
	}
}

// TestIcebergPromotedDates: the values of identity partitions of a date that became a timestamp are
// days; buckets of it are those of the date.
func TestIcebergPromotedDates(t *testing.T) {
	for _, transform := range []string{"identity", "bucket[16]", "year", "month", "day"} {
		r := newOddTable(t, `[{"source-id":2,"field-id":1000,"name":"p","transform":"`+transform+`"}]`)
		columns := []flat{withID(longs("x", int64(1)), 1)}
		if transform != "identity" { // whose files need not have the column
			columns = append(columns, withID(flat{name: "d", physical: 1, converted: 6, values: []any{int32(19000)}}, 2))
		}
		f := r.data(t, columns...)
		// The bucket is what the specification's hash of the number of days makes.
		value := map[string]int64{"identity": 19000, "bucket[16]": 4, "year": 52, "month": 624, "day": 19000}[transform]
		f.partition = avroLong(nil, value)
		r.add(t, `{"name":"p","type":{"type":"int","logicalType":"date"},"field-id":1000}`, f)
		r.older = `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"d","required":false,"type":"date"}]`
		r.commit(t, 3, `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"d","required":false,"type":"timestamp"}]`)
		r.wants(t, "SELECT d = TIMESTAMP '2022-01-08' FROM t", "true")
		r.wants(t, "SELECT COUNT(*) FROM t WHERE d = TIMESTAMP '2022-01-08'", "1")
		r.wants(t, "SELECT COUNT(*) FROM t WHERE d > TIMESTAMP '2022-01-08'", "0")
		r.wants(t, "SELECT COUNT(*) FROM t WHERE d IS NULL", "0")
	}
}

// TestIcebergMissingPartitionField: a partition field that the records of a manifest lack says nothing
// of the rows.
func TestIcebergMissingPartitionField(t *testing.T) {
	for _, transform := range []string{"identity", "truncate[10]", "bucket[4]"} {
		r := newOddTable(t, `[{"source-id":1,"field-id":1000,"name":"p","transform":"`+transform+`"},{"source-id":2,"field-id":1001,"name":"q","transform":"identity"}]`)
		f := r.data(t, withID(longs("x", int64(5), int64(7)), 1), withID(longs("y", int64(3), int64(3)), 2))
		f.partition = avroLong(nil, 3)
		r.add(t, `{"name":"q","type":"long","field-id":1001}`, f)
		r.commit(t, 2, `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"y","required":false,"type":"long"}]`)
		r.wants(t, "SELECT SUM(x) FROM t", "12")
		r.wants(t, "SELECT COUNT(*) FROM t WHERE x = 7", "1")
		r.wants(t, "SELECT COUNT(*) FROM t WHERE x IS NULL", "0")
		r.wants(t, "SELECT COUNT(*) FROM t WHERE y = 3", "2")
	}
}

// TestIcebergPathBounds: position delete files of a partition are of the files that their bounds may
// name, however these spell a path; bounds the wrong way round say nothing.
func TestIcebergPathBounds(t *testing.T) {
	for name, b := range map[string]struct{ path, named, lower, upper string }{
		"schemes":  {"s3://b/t/data/1.parquet", "s3a://b/t/data/1.parquet", "s3a://b/t/data/1.parquet", "s3a://b/t/data/2.parquet"},
		"inverted": {"s3://b/t/data/1.parquet", "s3://b/t/data/1.parquet", "s3://b/t/data/2.parquet", "s3://b/t/data/1.parquet"},
		"hosts":    {"hdfs:///t/data/1.parquet", "hdfs:/t/data/1.parquet", "hdfs:/t/data/", "hdfs:/t/data/9"},
		"one file": {"file:/t/data/1.parquet", "file:///t/data/1.parquet", "file:///t/data/1.parquet", "file:///t/data/1.parquet"},
		"cut":      {"s3://b/t/data/1.parquet", "s3://b/t/data/1.parquet", "s3://b/t/data", "s3://b/t/datb"},
		"cut low":  {"s3://b/t/data/1.parquet", "s3://b/t/data/1.parquet", "s3://b/t/data", "s3://b/t/data"},
	} {
		r := newOddTable(t, "[]")
		r.location = strings.TrimSuffix(b.path, "/data/1.parquet")
		f := r.data(t, withID(longs("x", int64(5), int64(6)), 1))
		f.path = b.path
		r.add(t, "", f)
		d := r.data(t, withID(texts("file_path", b.named), 2147483546), withID(longs("pos", int64(0)), 2147483545))
		d.content, d.path = 1, strings.Replace(b.path, "1.parquet", "2.parquet", 1)
		d.boundOf, d.lower, d.upper = 2147483546, b.lower, b.upper
		r.add(t, "", d)
		r.commit(t, 2, `[{"id":1,"name":"x","required":false,"type":"long"}]`)
		if _, got, err := answerOf(openDir(t, filepath.ToSlash(r.dir)), "SELECT x FROM t"); err != nil || len(got) != 1 || !strings.HasSuffix(strings.TrimSpace(got[0]), "=6") {
			t.Errorf("%s: %q, want 6: %v", name, got, err)
		}
	}
}

// TestIcebergNestedKeys: equality deletes by a field within a struct that a data file lacks are by the
// value of the partition.
func TestIcebergNestedKeys(t *testing.T) {
	r := newOddTable(t, `[{"source-id":3,"field-id":1000,"name":"p","transform":"identity"}]`)
	const partition = `{"name":"p","type":"int","field-id":1000}`
	for _, c := range []int64{7, 8} {
		f := r.data(t, withID(longs("x", int64(1), int64(2)), 1))
		f.partition = avroLong(nil, c)
		r.add(t, partition, f)
	}
	d := r.data(t, withID(longs("x", int64(1)), 1), flat{name: "c", physical: 1, converted: -1, id: 3, within: "s", withinID: 2, values: []any{int32(7)}})
	d.content, d.equality, d.more, d.partition = 2, 1, []int64{3}, avroLong(nil, 7)
	r.add(t, partition, d)
	r.commit(t, 2, `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"s","required":false,"type":{"type":"struct","fields":[{"id":3,"name":"c","required":false,"type":"int"}]}}]`)
	r.wants(t, "SELECT STRING_AGG(s.c || ':' || x, ' ' ORDER BY s.c, x) FROM t", "7:2 8:1 8:2")
}

// TestIcebergWithoutKey: an equality delete file that lacks its column deletes nothing: it is refused.
func TestIcebergWithoutKey(t *testing.T) {
	r := newOddTable(t, "[]")
	r.add(t, "", r.data(t, withID(longs("x", int64(5), int64(6)), 1)))
	d := r.data(t, withID(longs("x", int64(5)), 1))
	d.content, d.equality = 2, 2
	r.add(t, "", d)
	r.commit(t, 3, `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"y","required":false,"type":"long","initial-default":3}]`)
	r.fails(t, "SELECT x FROM t", "lacks the field")
}

// TestIcebergBadBounds: bounds that are the wrong way round, or NaN, say nothing.
func TestIcebergBadBounds(t *testing.T) {
	double := func(f float64) string {
		return string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)))
	}
	for _, b := range [][2]float64{{9, 1}, {math.NaN(), 2}, {2, math.NaN()}} {
		r := newOddTable(t, "[]")
		f := r.data(t, withID(flat{name: "x", physical: 5, converted: -1, values: []any{1.0, 5.0}}, 1))
		f.boundOf, f.lower, f.upper = 1, double(b[0]), double(b[1])
		r.add(t, "", f)
		r.commit(t, 2, `[{"id":1,"name":"x","required":false,"type":"double"}]`)
		r.wants(t, "SELECT COUNT(*) FROM t WHERE x = 5", "1")
		r.wants(t, "SELECT COUNT(*) FROM t WHERE x < 2", "1")
	}
}
