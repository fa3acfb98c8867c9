package enginetest

import (
	"errors"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestColumnsUnreadable: a column whose type or repetition the specification does not have is an
// error of the queries that read it, and of no others.
func TestColumnsUnreadable(t *testing.T) {
	const file = "columns_unreadable"
	db := openDir(t, "testdata/files/crafted/"+file+".parquet")
	for query, want := range map[string]string{
		"SELECT COUNT(*) FROM t":                                                "3",
		"SELECT SUM(id) FROM t":                                                 "6",
		"SELECT SUM(id) FROM t WHERE g.a > 1":                                   "5",
		"SELECT COUNT(*) FROM (DESCRIBE t)":                                     "12",
		"SELECT COUNT(*) FROM (SHOW COLUMNS FROM t) WHERE column_type = 'BLOB'": "5",
		"SELECT COUNT(*) FROM `t$columns`":                                      "12",
		"SELECT COUNT(*) FROM `t$row_groups`":                                   "1",
		"SELECT physical_type FROM `t$schema` WHERE \"column\" = 'type_99'":     "UNKNOWN",
		"SELECT COUNT(*) FROM information_schema.columns":                       "12",
	} {
		query = strings.NewReplacer("FROM t", "FROM "+file, "DESCRIBE t", "DESCRIBE "+file, "`t$", "`"+file+"$").Replace(query)
		if got := one[string](t, db, query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	for column, why := range map[string]string{
		"fixed_0": "FIXED_LEN_BYTE_ARRAY of length 0", "fixed_negative": "FIXED_LEN_BYTE_ARRAY of length -1", "fixed_absent": "FIXED_LEN_BYTE_ARRAY of length 0",
		"type_99": "physical type 99", "type_negative": "physical type -5", "repetition_7": "repetition type 7", "g.b": "physical type 42", "g": "physical type 42",
		"odd.c": "repetition type 9", "l": "FIXED_LEN_BYTE_ARRAY of length 0", "vector": "VECTOR",
	} {
		_, err := queryTable(db, "SELECT "+column+" FROM "+file)
		var corrupt *parquetsql.CorruptError
		if err == nil || !strings.Contains(err.Error(), why) || !strings.Contains(err.Error(), file+".parquet") || !strings.Contains(err.Error(), column) {
			t.Errorf("%s: %v", column, err)
		}
		if column == "vector" && !errors.Is(err, parquetsql.ErrUnsupported) || column != "vector" && (!errors.As(err, &corrupt) || corrupt.RowGroup != 0) {
			t.Errorf("%s: %#v", column, err)
		}
	}
	if got, err := queryTable(openDir(t, "testdata/files/crafted/"+file+".parquet?on_corrupt=skip"), "SELECT id, type_99 FROM "+file); err != nil || len(got.rows) > 0 {
		t.Errorf("on_corrupt=skip: %v, %v", got.rows, err)
	}
}
