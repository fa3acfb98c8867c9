package enginetest

import (
	"strings"
	"testing"
)

// TestConversionErrors: a value that does not convert says in which column it is and, where the
// file itself is wrong, in which file and row group.
func TestConversionErrors(t *testing.T) {
	typed := func(name string, converted int, values ...any) flat {
		return flat{name: name, physical: 6, converted: converted, values: values}
	}
	good := "\x0c\x00\x00\x00\x10a\x00\x01\x00\x00\x00\x00"
	coded := typed("coded", 20, good, "\x0c\x00\x00\x00")
	coded.coded = true
	repeated := typed("repeated", 20, "nonsense", good)
	repeated.repeated = true
	file := parquetOf(ints("id", int32(1), int32(2)), typed("b", 20, good, "nonsense"), coded, repeated,
		typed("j", 19, `{"a": 1}`, `{"a": `), texts("s", "1", "x"), typed("raw", -1, "a", "\xff"), longs("at", int64(1), int64(1)<<62))
	db := openDir(t, tree(t, map[string][]byte{"t.parquet": file}))
	corrupt := `"t.parquet", row group 0, column "`
	for query, want := range map[string]string{
		"SELECT b FROM t":                        corrupt + `b": BSON`,
		"SELECT b FROM t WHERE id = 2":           corrupt + `b": BSON`,
		"SELECT LENGTH(b::VARCHAR) FROM t":       corrupt + `b": BSON`,
		"SELECT coded FROM t":                    corrupt + `coded": dictionary: BSON`,
		"SELECT repeated FROM t":                 corrupt + `repeated": BSON`,
		"SELECT {'b': b} FROM t":                 corrupt + `b": BSON`,
		"SELECT ARRAY_AGG(b) FROM t":             corrupt + `b": BSON`,
		"SELECT s::INT FROM t":                   "(in s",
		"SELECT s::UUID FROM t":                  "(in s",
		"SELECT s::DATE FROM t":                  "(in s",
		"SELECT s::JSON FROM t":                  "(in s",
		"SELECT raw::VARCHAR FROM t":             "(in raw",
		"SELECT raw::GEOMETRY FROM t":            "raw",
		"SELECT ST_AREA(raw::GEOMETRY) FROM t":   "raw",
		"SELECT [s]::INT[] FROM t":               "s",
		"SELECT at::INT FROM t":                  "(in at",
		"SELECT SUM(s::INT) FROM t WHERE id > 1": "(in s",
		"SELECT j->'$.a' FROM t":                 "malformed JSON text (in j->'$.a')",
		"SELECT id FROM t WHERE j->'$.a' = '1'":  "malformed JSON text (in j->'$.a')",
		"SELECT MAX(j->'$.a') FROM t":            "malformed JSON text (in j->'$.a')",
		"SELECT EPOCH_MS(at) FROM t":             "(in EPOCH_MS(at))",
		"SELECT at * 4 FROM t":                   "(in at * 4)",
		"SELECT id FROM t WHERE at * 4 > 1":      "(in at * 4)",
		"SELECT -(at * 4) + 1 FROM t":            "(in at * 4)",
		"SELECT SUM(at * 4) FROM t GROUP BY id":  "(in at * 4)",
		"SELECT ERROR(s) FROM t":                 "1",
	} {
		_, err := queryTable(db, query)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", query, err, want)
		}
	}
	if got := one[string](t, db, "SELECT COUNT(*) FROM t WHERE b IS NOT NULL"); got != "2" {
		t.Errorf("%s rows", got)
	}
	skipped := openDir(t, tree(t, map[string][]byte{"t.parquet": file})+"?on_corrupt=skip")
	if got, err := queryTable(skipped, "SELECT id, b FROM t"); err != nil || len(got.rows) > 1 {
		t.Errorf("on_corrupt=skip: %v, %v", got.rows, err)
	}
}
