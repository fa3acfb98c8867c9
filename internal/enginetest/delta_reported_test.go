package enginetest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

// deltaAdd is a file of a table that a test writes: its path as the log has it, the values of its
// partition, and its statistics, as JSON.
type deltaAdd struct {
	path      string
	partition map[string]any
	stats     string
	data      []byte
}

// writeDelta writes a table of one version. fields are "name type".
func writeDelta(t *testing.T, dir string, fields, partitions []string, configuration map[string]string, adds ...deltaAdd) {
	t.Helper()
	asText := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	var schema []map[string]any
	for _, f := range fields {
		at := strings.LastIndexByte(f, ' ')
		schema = append(schema, map[string]any{"name": f[:at], "type": f[at+1:], "nullable": true, "metadata": map[string]any{}})
	}
	features := []string{"deletionVectors", "typeWidening", "timestampNtz"}
	log := asText(map[string]any{"protocol": map[string]any{"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": features, "writerFeatures": features}}) + "\n" +
		asText(map[string]any{"metaData": map[string]any{"id": "x", "format": map[string]any{"provider": "parquet", "options": map[string]any{}},
			"schemaString": asText(map[string]any{"type": "struct", "fields": schema}), "partitionColumns": partitions, "configuration": configuration}}) + "\n"
	for _, a := range adds {
		add := map[string]any{"path": a.path, "partitionValues": a.partition, "size": len(a.data), "modificationTime": 1, "dataChange": true}
		if a.stats != "" {
			add["stats"] = a.stats
		}
		log += asText(map[string]any{"add": add}) + "\n"
		name, err := url.PathUnescape(a.path)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), a.data)
	}
	writeFile(t, filepath.Join(dir, "_delta_log", "00000000000000000000.json"), []byte(log))
}

// TestDeltaPartitionsOfAnyText: values and names of partitions with characters that folders and
// addresses write otherwise (reported of delta-rs and Trino: partitions that are not found).
func TestDeltaPartitionsOfAnyText(t *testing.T) {
	dir := t.TempDir()
	values := []string{"a=b", "1+1", "50%", "%2F", "a/b", "x:y", "why?", "#1", "あ", "it's", `"q"`, "a b", " ", ".", "..", "__HIVE_DEFAULT_PARTITION__", "NULL", "a\tb", `\`}
	var adds []deltaAdd
	for i, v := range values {
		folder := "x%20x=" + strings.NewReplacer("%", "%25", "/", "%2F", ":", "%3A", "=", "%3D", "?", "%3F", "#", "%23").Replace(v) // as Hive names it
		adds = append(adds, deltaAdd{path: url.PathEscape(folder) + "/a.parquet", partition: map[string]any{"x%20x": v}, data: parquetOf(longs("n", int64(i)))})
	}
	adds = append(adds, deltaAdd{path: "null.parquet", partition: map[string]any{"x%20x": nil}, data: parquetOf(longs("n", int64(100)))},
		deltaAdd{path: "empty.parquet", partition: map[string]any{"x%20x": ""}, data: parquetOf(longs("n", int64(101)))},
		deltaAdd{path: "none.parquet", partition: map[string]any{}, data: parquetOf(longs("n", int64(102)))})
	writeDelta(t, filepath.Join(dir, "t"), []string{"n long", "x%20x string"}, []string{"x%20x"}, nil, adds...)
	db := openAt(t, dir)
	for i, v := range values {
		if got := one[int](t, db, "SELECT n FROM t WHERE \"x%20x\" = ?", v); got != i {
			t.Errorf("%q: %d, want %d", v, got, i)
		}
	}
	keep(t, db, say(
		"SELECT COUNT(*), COUNT(\"x%20x\"), COUNT(DISTINCT \"x%20x\") FROM t", fmt.Sprintf("%d %d %[2]d", len(values)+3, len(values)),
		"SELECT n FROM t WHERE \"x%20x\" IS NULL ORDER BY n", "100; 101; 102",
	)...)
}

// TestDeltaStatisticsThatSayLess: what other readers have lost rows by. Statistics of some columns are
// NULL or missing, cut, of deleted rows, or of the type that the column had.
func TestDeltaStatisticsThatSayLess(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("a", 40)
	stats := func(rows int, more string) string { return fmt.Sprintf(`{"numRecords":%d%s}`, rows, more) }
	writeDelta(t, filepath.Join(dir, "t"), []string{"id long", "s string"}, nil, map[string]string{"delta.enableDeletionVectors": "false"},
		// A column that is not among those with statistics has NULL for them, as a checkpoint makes of it.
		deltaAdd{path: "a.parquet", data: parquetOf(longs("id", int64(1), int64(2)), texts("s", "x", "y")), stats: stats(2, `,"minValues":{"id":null,"s":"x"},"maxValues":{"id":null,"s":"y"},"nullCount":{"id":null,"s":0}`)},
		deltaAdd{path: "b.parquet", data: parquetOf(longs("id", int64(3)), texts("s", long+"z")), stats: stats(1, `,"minValues":{"id":3,"s":"`+long[:32]+`"},"maxValues":{"id":3,"s":"`+long[:32]+`"},"nullCount":{}`)},
		// Type widening: the file has INTEGERs.
		deltaAdd{path: "c.parquet", data: parquetOf(ints("id", int32(4), int32(-4))), stats: stats(2, `,"minValues":{"id":-4},"maxValues":{"id":4},"nullCount":{"id":0,"s":2}`)},
		deltaAdd{path: "d.parquet", data: parquetOf(longs("id", int64(5)), texts("s", "q"))},
		deltaAdd{path: "e.parquet", data: parquetOf(longs("id", int64(6)), texts("s", "r")), stats: `{"numRecords":1,"tightBounds":false,"minValues":{"id":0},"maxValues":{"id":9},"nullCount":{"id":0}}`},
		deltaAdd{path: "f.parquet", data: parquetOf(longs("id", int64(7)), texts("s", "u")), stats: `{"minValues":{"id":7},"maxValues":{"id":7},"nullCount":{"id":0}}`},
		deltaAdd{path: "g.parquet", data: parquetOf(longs("id", int64(8)), texts("s", "v")), stats: `{"numRecords":1,"minValues":{"id":9},"maxValues":{"id":1}}`}, // they make no sense
		deltaAdd{path: "h.parquet", data: parquetOf(longs("id", int64(9)), texts("s", "w")), stats: `{"numRecords":1,"minValues":[],"maxValues":"x","nullCount":3}`},
	)
	db := openAt(t, dir)
	keep(t, db, say(
		"SELECT COUNT(*), COUNT(id), COUNT(s), MIN(id), MAX(id), MAX(s) FROM t", "10 10 8 -4 9 'y'",
		"SELECT STRING_AGG(id, ' ' ORDER BY id) FROM t WHERE id > 0", "'1 2 3 4 5 6 7 8 9'",
		"SELECT STRING_AGG(id, ' ' ORDER BY id) FROM t WHERE id IS NOT NULL", "'-4 1 2 3 4 5 6 7 8 9'",
		"SELECT COUNT(*) FROM t WHERE id = 1", "1", "SELECT COUNT(*) FROM t WHERE id = -4", "1", "SELECT COUNT(*) FROM t WHERE id = 8", "1", "SELECT COUNT(*) FROM t WHERE id = 9", "1",
		"SELECT COUNT(*) FROM t WHERE s = '"+long+"z'", "1", "SELECT COUNT(*) FROM t WHERE s > '"+long[:32]+"' AND s < 'b'", "1",
		"SELECT STRING_AGG(id, ' ' ORDER BY id) FROM t WHERE s IS NULL", "'-4 4'", "SELECT COUNT(*) FROM t WHERE s IS NOT NULL AND id = 4", "0",
		"SELECT COUNT(*) FROM t WHERE id IS NULL", "0",
	)...)
}
