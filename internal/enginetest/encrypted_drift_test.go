package enginetest

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql"
)

// TestEncryptedDrift: an encrypted column, of which nothing is known until it is unlocked, does
// not count as one that has no values: its type stays apart from one of another file.
func TestEncryptedDrift(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "files", "parquet-testing", "data", "encrypt_columns_and_footer.parquet.encrypted"))
	if err != nil {
		t.Fatal(err)
	}
	dates := flat{name: "double_field", physical: 1, converted: 6, values: []any{int32(1), int32(2)}}
	for _, known := range []bool{true, false} {
		config := parquetsql.NewConfig()
		config.FS, config.Path = fstest.MapFS{"p/1.parquet": {Data: data}, "p/2.parquet": {Data: parquetOf(dates)}}, "."
		config.FooterKey = []byte("0123456789012345")
		if known {
			config.ColumnKeys = map[string][]byte{"double_field": []byte("1234567890123450")}
		}
		connector, err := parquetsql.NewConnector(config)
		if err != nil {
			t.Fatal(err)
		}
		db := sql.OpenDB(connector)
		t.Cleanup(func() { db.Close() })
		if n := one[int](t, db, "SELECT COUNT(*) FROM p"); n != 52 {
			t.Errorf("%d rows, want 50 and 2", n)
		}
		for _, q := range []string{"SELECT double_field FROM p", "SELECT COUNT(double_field) FROM p", "SELECT COUNT(*) FROM p WHERE double_field IS NULL"} {
			if _, err := queryTable(db, q); err == nil || !strings.Contains(err.Error(), "no type holds both") {
				t.Errorf("keys %v: %s: %v, want that no type holds both", known, q, err)
			}
		}
	}
}
