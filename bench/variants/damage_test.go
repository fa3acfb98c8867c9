package variants

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"testing/fstest"
	"time"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/vector"
)

// TestDamage: a damaged value is a CorruptError that names file and column; where damage
// is skipped, its row is left out and no other. A path beside it does not look at it: types
// may be added, and the rest can be read (VariantEncoding.md, "Versions and extensions").
// Neither does a condition, nor the select list, where another condition has taken the row
// away; after many batches conditions are asked in the order that has proved cheap.
func TestDamage(t *testing.T) {
	for _, s := range []*shredding{{kind: whole}, {kind: objects, fields: map[string]*shredding{"n": {kind: integers}}}} {
		var rows []any
		for i := range 5000 {
			rows = append(rows, map[string]any{"n": int64(i), "text": fmt.Sprintf("text %d", i)})
		}
		data := write(s, [][]any{rows}, parquet.WithDictionaryDefault(false))
		at := bytes.LastIndex(data, []byte("text 3000"))
		data[at-1] = 0xfc // a type that there is not
		c := parquetsql.NewConfig()
		c.FS, c.Path = fstest.MapFS{"t.parquet": {Data: data, ModTime: time.Unix(1e9, 0)}}, "."
		for _, query := range []string{
			"SELECT COUNT(LENGTH(v::VARCHAR)) FROM t", "SELECT COUNT(v->>'$.text') FROM t", "SELECT COUNT(*) FROM t WHERE v.text <> 'x'",
		} {
			c.OnCorrupt = "fail"
			db := sql.OpenDB(must(parquetsql.NewConnector(c)))
			defer db.Close()
			var n int
			var corrupt *parquetsql.CorruptError
			if err := db.QueryRow(query).Scan(&n); !errors.As(err, &corrupt) || corrupt.File != "t.parquet" || corrupt.Column != "v" || corrupt.RowGroup != 0 {
				t.Errorf("%s: %d, %v", query, n, err)
			}
			c.OnCorrupt = "skip"
			skip := sql.OpenDB(must(parquetsql.NewConnector(c)))
			defer skip.Close()
			if err := skip.QueryRow(query).Scan(&n); err != nil || n != 4999 {
				t.Errorf("%s: %d rows, %v", query, n, err)
			}
		}
		c.OnCorrupt = "fail"
		db := sql.OpenDB(must(parquetsql.NewConnector(c)))
		defer db.Close()
		var n, total int
		if err := db.QueryRow("SELECT COUNT(v->>'$.n'), SUM(VARIANT_GET(v, '$.n', 'BIGINT')) FROM t").Scan(&n, &total); err != nil || n != 5000 || total != 12497500 {
			t.Errorf("beside the damage: %d rows, %d, %v", n, total, err)
		}
		for _, where := range []string{"id <> 3000 AND v.text <> 'x'", "v.n <> 3000 AND v.text <> 'x'", "id <> 3000 AND v.text <> 'x' AND v.text LIKE 'text%'"} {
			if vector.BatchSize < 1000 {
				break
			}
			if err := db.QueryRow("SELECT COUNT(*) FROM t WHERE " + where).Scan(&n); err != nil || n != 4999 {
				t.Errorf("%s: %d rows, %v", where, n, err)
			}
		}
		if err := db.QueryRow("SELECT COUNT(LENGTH(v::VARCHAR)) FROM t WHERE id <> 3000").Scan(&n); err != nil || n != 4999 {
			t.Errorf("the text of other rows: %d, %v", n, err)
		}
	}
}
