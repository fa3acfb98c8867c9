package deltas

import (
	"database/sql"
	"testing"

	_ "github.com/parquetsql/parquetsql"
)

// BenchmarkReplay opens a table of 300,000 files and counts its rows, which takes the log alone.
func BenchmarkReplay(b *testing.B) {
	const files = 300_000
	dir := b.TempDir()
	if err := Big(dir+"/t", files); err != nil {
		b.Fatal(err)
	}
	for _, query := range []struct{ name, text string }{
		{"count", "SELECT COUNT(*) FROM t"},
		{"partition", "SELECT COUNT(*) FROM t WHERE day = 'day-0007'"},
		{"bounds", "SELECT COUNT(*) FROM t WHERE c7 > 3000010"},
	} {
		for _, warm := range []bool{false, true} {
			name := query.name + "/first"
			if warm {
				name = query.name + "/again"
			}
			b.Run(name, func(b *testing.B) {
				var db *sql.DB
				for b.Loop() {
					b.StopTimer()
					if db == nil || !warm {
						var err error
						if db, err = sql.Open("parquet", dir); err != nil {
							b.Fatal(err)
						}
						defer db.Close()
						if warm {
							ask(b, db, query.text)
						}
					}
					b.StartTimer()
					ask(b, db, query.text)
				}
			})
		}
	}
}

func ask(tb testing.TB, db *sql.DB, query string) {
	tb.Helper()
	rows, err := db.Query(query)
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
}
