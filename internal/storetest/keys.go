package storetest

import (
	"database/sql"
	"testing"
)

// KeyNames are objects whose names are hard, below a location. Each is penguins.parquet.
var KeyNames = []string{
	"t/ts=2021-11-18 02%3A30/a+b.parquet", "t/ts=2021-11-19 02%3A30/ä&?#.parquet", "t/_temporary/0/x.parquet", "u/a.parquet", "t/.hidden.parquet",
}

// Keys queries KeyNames below a location, by tables, paths, globs and addresses. open opens the
// location with more behind it.
func Keys(t *testing.T, open func(rest string) *sql.DB, address string) {
	t.Helper()
	db := open("")
	for query, want := range map[string]string{
		"SELECT COUNT(*) FROM t":                                                                "688",
		"SELECT COUNT(*) FROM t WHERE ts = '2021-11-18 02:30'":                                  "344",
		"SELECT COUNT(*) FROM `t/ts=2021-11-18 02%3A30/a+b.parquet`":                            "344",
		"SELECT COUNT(*) FROM 't/*/*.parquet'":                                                  "688",
		"SELECT COUNT(*) FROM '" + address + "/t/_temporary/0/x.parquet'":                       "344",
		"SELECT COUNT(*) FROM '" + address + "/u'":                                              "344",
		"SELECT COUNT(*) FROM '" + address + "/u/*'":                                            "344",
		"SELECT STRING_AGG(table_name, ' ' ORDER BY table_name) FROM information_schema.tables": "t u",
		"SELECT MIN(_file) FROM t":                                                              "t/ts=2021-11-18 02%3A30/a+b.parquet",
		"SELECT MAX(file) FROM `t$files`":                                                       "t/ts=2021-11-19 02%3A30/ä&?#.parquet",
	} {
		if got, err := Rows(db, query); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, %v, want %q", query, got, err, want)
		}
	}
	for rest, want := range map[string]string{"/u/*.parquet": "344", "/t/**": "688", "/u/a.parquet": "344", "/t/ts=2021-11-18*/**": "344", "/u/": "344"} {
		db := open(rest)
		var table, count string
		if err := db.QueryRow("SELECT table_name FROM information_schema.tables").Scan(&table); err != nil {
			t.Errorf("%s: %v", rest, err)
			continue
		}
		if err := db.QueryRow("SELECT COUNT(*) FROM \"" + table + "\"").Scan(&count); err != nil || count != want {
			t.Errorf("%s: %s, %v, want %s", rest, count, err, want)
		}
	}
}
