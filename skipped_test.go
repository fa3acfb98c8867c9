package parquetsql_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestSkippedFiles: what on_corrupt=skip leaves out is told: a damaged file is a row of
// t$files and an error for OnSkip, and for the log where a DSN has no OnSkip.
func TestSkippedFiles(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile(filepath.Join("testdata", "penguins.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"a": data, "b": []byte("PAR1 no footer PAR1")} {
		if err := os.MkdirAll(filepath.Join(dir, "t"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "t", name+".parquet"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tables := []string{"t", "t$row_groups", "t$columns", "t$pages", "t$schema", "t$key_values", "t$files"}
	told := 0
	config := parquetsql.NewConfig()
	config.Path, config.OnCorrupt = dir, parquetsql.OnCorruptSkip
	config.OnSkip = func(err *parquetsql.CorruptError) {
		if told++; err.File != "t/b.parquet" {
			t.Error(err)
		}
	}
	connector, err := parquetsql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	for _, table := range tables {
		before := told
		if _, err := count(db, table); err != nil || told == before {
			t.Errorf("%s: %d told, %v", table, told-before, err)
		}
	}
	var rows, failed sql.NullString
	err = db.QueryRow("SELECT rows, error FROM `t$files` WHERE file = 't/b.parquet'").Scan(&rows, &failed)
	if err != nil || rows.Valid || !strings.Contains(failed.String, "t/b.parquet") {
		t.Errorf("t$files: rows %v, error %q, %v", rows, failed.String, err)
	}
	err = db.QueryRow("SELECT rows, error FROM `t$files` WHERE file = 't/a.parquet'").Scan(&rows, &failed)
	if err != nil || rows.String != "344" || failed.Valid {
		t.Errorf("t$files: rows %v, error %v, %v", rows, failed, err)
	}

	var log bytes.Buffer
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	for dsn, want := range map[string]bool{"?on_corrupt=skip": true, "?on_corrupt=skip&log_skipped=off": false} {
		db, err := sql.Open("parquet", dir+dsn)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for _, table := range tables {
			log.Reset()
			if _, err := count(db, table); err != nil || strings.Contains(log.String(), "file=t/b.parquet") != want {
				t.Errorf("%s, %s: %q, %v", dsn, table, log.String(), err)
			}
		}
	}
}

func count(db *sql.DB, table string) (n int64, err error) {
	return n, db.QueryRow(fmt.Sprintf("SELECT COUNT(*) FROM `%s`", table)).Scan(&n)
}
