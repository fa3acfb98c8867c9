package enginetest

import (
	"database/sql"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
)

// openedFS records which files are opened.
type openedFS struct {
	fstest.MapFS
	mu     sync.Mutex
	opened map[string]int
}

func (f *openedFS) Open(name string) (fs.File, error) {
	if info, err := fs.Stat(f.MapFS, name); err == nil && !info.IsDir() {
		f.mu.Lock()
		f.opened[name]++
		f.mu.Unlock()
	}
	return f.MapFS.Open(name)
}

// names returns the files that were opened since the last call.
func (f *openedFS) names() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := slices.Sorted(maps.Keys(f.opened))
	clear(f.opened)
	return out
}

// TestPrunedFilesStayClosed: a table's columns are the union of all its files,
// so their footers are read, once; from then on a file that its folder or its
// name rules out is not opened.
func TestPrunedFilesStayClosed(t *testing.T) {
	data := readFile(t, "testdata/penguins.parquet")
	files := &openedFS{MapFS: fstest.MapFS{}, opened: map[string]int{}}
	for year := 2021; year <= 2024; year++ {
		for _, month := range []string{"1", "2"} {
			name := fmt.Sprintf("sales/year=%d/month=%s/part.parquet", year, month)
			files.MapFS[name] = &fstest.MapFile{Data: data, ModTime: time.Unix(1e9, 0)}
		}
	}
	connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: files})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	rows := one[int64](t, db, "SELECT COUNT(*) FROM sales") / 8
	if got := files.names(); len(got) != 8 {
		t.Fatalf("the union of %d files opened %v", 8, got)
	}
	const part = "sales/year=2023/month=2/part.parquet"
	for _, c := range []struct {
		where string
		args  []any
		want  []string
	}{
		{"year = 2023 AND month = 2", nil, []string{part}},
		{"year = ? AND month = ?", []any{2023, "2"}, []string{part}},
		{"month > 1 AND year BETWEEN 2022.5 AND 2023", nil, []string{part}},
		{"_file = 'sales/year=2023/month=2/part.parquet' OR _file LIKE '%=2023/month=2/%'", nil, []string{part}},
		{"year * 100 + CAST(month AS INTEGER) = 202302", nil, []string{part}},
		{"year = 2030", nil, nil},
		{"year IS NULL", nil, nil},
		{"NOT (year <> 2023) AND month IN (2, 3)", nil, []string{part}},
	} {
		got, err := queryTable(db, "SELECT Species FROM sales WHERE "+c.where, c.args...)
		if want := rows * int64(len(c.want)); err != nil || int64(len(got.rows)) != want {
			t.Errorf("%s: %d rows, %v, want %d", c.where, len(got.rows), err, want)
		}
		if opened := files.names(); !slices.Equal(opened, c.want) {
			t.Errorf("%s: opened %v, want %v", c.where, opened, c.want)
		}
	}
}

// TestSchemasAreRemembered: a file that is ruled out is not opened although the
// cache holds no footer, and the table still has its columns and types.
func TestSchemasAreRemembered(t *testing.T) {
	files := &openedFS{MapFS: fstest.MapFS{}, opened: map[string]int{}}
	add := func(name string, data []byte) {
		files.MapFS["t/"+name] = &fstest.MapFile{Data: data, ModTime: time.Unix(1e9, 0)}
	}
	for i := range 20 {
		add(fmt.Sprintf("k=%d/a.parquet", i), parquetOf(longs("x", int64(i))))
	}
	add("k=20/a.parquet", parquetOf(flat{name: "x", physical: 5, converted: -1, values: []any{0.5}}, texts("extra", "e")))
	connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: files, FooterCache: 64 << 10})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	query := func(sql, want string, opened ...string) {
		t.Helper()
		if got, _, err := ask(db, sql); got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", sql, got, err, want)
		}
		if names := files.names(); opened != nil && !slices.Equal(names, opened) {
			t.Errorf("%s: opened %v, want %v", sql, names, opened)
		}
	}
	query("SELECT * FROM t WHERE k = 7", "7d NULL 7")
	query("SELECT * FROM t WHERE k = 7", "7d NULL 7", "t/k=7/a.parquet")
	query("SELECT * FROM t WHERE k = 20", "0.5d 'e' 20", "t/k=20/a.parquet")
	add("k=20/a.parquet", parquetOf(texts("other", "o")))
	files.MapFS["t/k=20/a.parquet"].ModTime = time.Unix(1e9+1, 0)
	query("SELECT * FROM t WHERE k = 7", "7 NULL 7", "t/k=20/a.parquet", "t/k=7/a.parquet")
}
