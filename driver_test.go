package parquetsql_test

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
)

func openDir(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("parquet", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func one[T any](t testing.TB, db *sql.DB, query string, args ...any) T {
	t.Helper()
	var v T
	if err := db.QueryRow(query, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

// TestOpenWays reads one table as a directory, a file, a glob and an fs.FS.
func TestOpenWays(t *testing.T) {
	data, err := os.ReadFile("testdata/penguins.parquet")
	if err != nil {
		t.Fatal(err)
	}
	connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: fstest.MapFS{"zoo/penguins.parquet": {Data: data}}, Path: "zoo", VerifyChecksums: true})
	if err != nil {
		t.Fatal(err)
	}
	inFS := sql.OpenDB(connector)
	defer inFS.Close()
	for name, db := range map[string]*sql.DB{
		"directory": openDir(t, "testdata"),
		"file":      openDir(t, "testdata/penguins.parquet"),
		"glob":      openDir(t, "testdata/penguin?.parquet"),
		"fs":        inFS,
	} {
		table := "penguins"
		if name == "glob" {
			table = "testdata"
		}
		if n := one[int64](t, db, "SELECT COUNT(*) FROM "+table); n != 344 {
			t.Errorf("%s: %d rows, want 344", name, n)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	for dsn, named := range map[string]string{
		"testdata/nowhere":      "nowhere",
		"":                      "path",
		"testdata?nonsense=yes": "nonsense",
	} {
		db, err := sql.Open("parquet", dsn)
		if err == nil {
			err = db.Ping()
			db.Close()
		}
		if err == nil || !strings.Contains(err.Error(), named) {
			t.Errorf("%q: error %v does not name %s", dsn, err, named)
		}
	}
}

// TestPingAfterRemoval: Ping fails once the folder has vanished.
func TestPingAfterRemoval(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	copyFile(t, "testdata/penguins.parquet", filepath.Join(dir, "p.parquet"))
	db := openDir(t, dir)
	if err := db.Ping(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if db.Ping() == nil {
		t.Error("Ping succeeds though the folder is gone")
	}
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = os.WriteFile(to, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFilesComeAndGo: without a transaction each query sees the files that exist
// when it begins, within one those that existed when the transaction began.
func TestFilesComeAndGo(t *testing.T) {
	dir := t.TempDir()
	copyFile(t, "testdata/penguins.parquet", filepath.Join(dir, "p", "a.parquet"))
	db := openDir(t, dir)
	count := "SELECT COUNT(*) FROM p"
	if n := one[int64](t, db, count); n != 344 {
		t.Fatalf("%d rows", n)
	}
	tx, err := db.BeginTx(context.Background(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	copyFile(t, "testdata/penguins.parquet", filepath.Join(dir, "p", "b.parquet"))
	var n int64
	if err := tx.QueryRow(count).Scan(&n); err != nil || n != 344 {
		t.Errorf("in the transaction: %d rows, %v", n, err)
	}
	if err := tx.Commit(); err != nil {
		t.Error(err)
	}
	if n := one[int64](t, db, count); n != 688 {
		t.Errorf("after it: %d rows, want 688", n)
	}
}

func TestReadOnly(t *testing.T) {
	db := openDir(t, "testdata")
	for _, statement := range []string{
		"INSERT INTO penguins VALUES (1)", "UPDATE penguins SET a = 1", "DELETE FROM penguins", "DROP TABLE penguins",
		"CREATE TABLE x (a INT)", "ALTER TABLE penguins ADD a INT", "TRUNCATE TABLE penguins", "CREATE VIEW v AS SELECT 1",
	} {
		if _, err := db.Exec(statement); !errors.Is(err, parquetsql.ErrReadOnly) {
			t.Errorf("%s: %v, want ErrReadOnly", statement, err)
		}
	}
	if _, err := db.Exec("SELECT 1"); err != nil {
		t.Errorf("Exec of a query: %v", err)
	}
}

func TestErrorTypes(t *testing.T) {
	db := openDir(t, "testdata")
	var notFound *parquetsql.NotFoundError
	for query, kind := range map[string]string{
		"SELECT * FROM pengins":              "table",
		`SELECT Specie FROM penguins`:        "column",
		"SELECT UPPR(Species) FROM penguins": "function",
	} {
		_, err := db.Query(query)
		if !errors.As(err, &notFound) || notFound.Kind != kind || !strings.Contains(err.Error(), "there is") {
			t.Errorf("%s: %v", query, err)
		}
	}
	var syntax *parquetsql.SyntaxError
	for query, position := range map[string]int{
		"SELEC 1":                               0,
		"SELECT * FROM penguins WHERE":          28,
		"SELECT Species Island x FROM penguins": 22,
	} {
		_, err := db.Query(query)
		if !errors.As(err, &syntax) || syntax.Position != position {
			t.Errorf("%s: %v, want a syntax error at %d", query, err, position)
		}
	}
}

func TestArguments(t *testing.T) {
	db := openDir(t, "testdata")
	type text string
	now := time.Date(2024, 5, 6, 7, 8, 9, 123456000, time.FixedZone("x", 3600))
	species := "Adelie"
	for _, c := range []struct {
		query string
		args  []any
		want  any
	}{
		{"SELECT ?", []any{int8(-3)}, int64(-3)},
		{"SELECT ?", []any{uint64(math.MaxUint64)}, uint64(math.MaxUint64)},
		{"SELECT ?", []any{float32(0.5)}, float32(0.5)},
		{"SELECT ?", []any{true}, true},
		{"SELECT ?", []any{text("x")}, "x"},
		{"SELECT ?", []any{now}, now.UTC()},
		{"SELECT ?", []any{[]byte{0, 255}}, []byte{0, 255}},
		{"SELECT ?", []any{nil}, nil},
		{"SELECT ?", []any{sql.NullString{}}, nil},
		{"SELECT ?", []any{(*string)(nil)}, nil},
		{"SELECT COUNT(*) FROM penguins WHERE Species = ?", []any{&species}, int64(152)},
		{"SELECT COUNT(*) FROM penguins WHERE Species = $2 AND Island = $1", []any{"Dream", "Adelie"}, int64(56)},
		{"SELECT COUNT(*) FROM penguins WHERE Species = :s", []any{sql.Named("s", "Gentoo")}, int64(124)},
		{"SELECT COUNT(*) FROM (SELECT 1 WHERE ? > 1) x", []any{2}, int64(1)},
	} {
		var got any
		err := db.QueryRow(c.query, c.args...).Scan(&got)
		if at, ok := got.(time.Time); ok && c.want != nil && at.Equal(c.want.(time.Time)) && at.Location() == time.UTC {
			continue
		}
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %v: %#v, %v; want %#v", c.query, c.args, got, err, c.want)
		}
	}
	var itself any
	itself = &itself
	for _, bad := range []any{struct{}{}, map[string]int{}, make(chan int), itself} {
		if _, err := db.Query("SELECT ?", bad); err == nil {
			t.Errorf("an argument of type %T is accepted", bad)
		}
	}
	for _, args := range [][]any{{}, {1, 2}} {
		if _, err := db.Query("SELECT ?", args...); err == nil {
			t.Errorf("%d arguments for one placeholder are accepted", len(args))
		}
	}
	var rows []string
	result, err := db.Query("SELECT Species FROM penguins ORDER BY Species LIMIT ? OFFSET ?", 2, 151)
	if err != nil {
		t.Fatal(err)
	}
	defer result.Close()
	for result.Next() {
		var s string
		if err := result.Scan(&s); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, s)
	}
	if !reflect.DeepEqual(rows, []string{"Adelie", "Chinstrap"}) {
		t.Errorf("LIMIT ? OFFSET ?: %v", rows)
	}
}

// TestColumnTypes checks for every type that ScanType is the dynamic type of the
// value, and that each value scans into the Go types that a program may use.
func TestColumnTypes(t *testing.T) {
	db := openDir(t, "testdata/files/duckdb")
	rows, err := db.Query("SELECT * FROM types_v1_snappy")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		for i, c := range types {
			values := scanInto(t, rows, len(types), i, new(any), new(string), new(sql.NullString), new(sql.Null[any]),
				reflect.New(c.ScanType()).Interface(), reflect.New(reflect.PointerTo(c.ScanType())).Interface())
			if values == nil {
				continue
			}
			if got := reflect.TypeOf(*values[0].(*any)); got != c.ScanType() {
				t.Fatalf("%s: the value is a %v, ScanType %v", c.Name(), got, c.ScanType())
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// scanInto scans column i of the current row into each target in turn. It returns
// nil for NULL, which it scans only into targets that can hold it.
func scanInto(t *testing.T, rows *sql.Rows, n, i int, targets ...any) []any {
	t.Helper()
	row := make([]any, n)
	for at := range row {
		row[at] = new(any)
	}
	if err := rows.Scan(row...); err != nil {
		t.Fatal(err)
	}
	null := *row[i].(*any) == nil
	for k, target := range targets {
		if null && (k == 1 || k == 4 && reflect.TypeOf(target).Elem().Kind() != reflect.Slice) {
			continue
		}
		row[i] = target
		if err := rows.Scan(row...); err != nil {
			t.Fatalf("column %d into %T: %v", i, target, err)
		}
	}
	if p := reflect.ValueOf(targets[len(targets)-1]).Elem(); p.IsNil() != null {
		t.Fatalf("column %d: NULL is %v, the pointer is %v", i, null, p)
	}
	if null {
		return nil
	}
	return targets
}

func TestJSONScanner(t *testing.T) {
	var list parquetsql.JSON[[]int]
	if err := list.Scan("[1,2]"); err != nil || !list.Valid || !reflect.DeepEqual(list.V, []int{1, 2}) {
		t.Errorf("%v, %v", list, err)
	}
	if err := list.Scan(nil); err != nil || list.Valid || list.V != nil {
		t.Errorf("NULL: %v, %v", list, err)
	}
	if list.Scan("{") == nil || list.Scan(1) == nil {
		t.Error("no error for what is not JSON")
	}
}
