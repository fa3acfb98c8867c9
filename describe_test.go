package parquetsql_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// own gives a function a connection of the driver.
func own(t *testing.T, f func(c any)) {
	t.Helper()
	c, err := openDir(t, "testdata").Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Raw(func(c any) error { f(c); return nil }); err != nil {
		t.Fatal(err)
	}
}

// TestDescribe: the types of placeholders are those that are said, or what they stand beside.
func TestDescribe(t *testing.T) {
	own(t, func(c any) {
		for _, q := range []struct {
			query string
			args  []any
			want  string
		}{
			{`SELECT "Body Mass (g)" > $1 AS heavy FROM penguins WHERE Island = $2 AND Species LIKE $3`, nil, "[heavy BOOLEAN] [BIGINT VARCHAR VARCHAR]"},
			{"SELECT $1 AS a, $2::DATE AS b, $3 + 1.5 AS c LIMIT $4", nil, "[a NULL b DATE c DECIMAL(3,1)] [NULL DATE DECIMAL(2,1) BIGINT]"},
			{"SELECT COUNT(*) AS n FROM penguins WHERE Island = ANY($1) AND Species IN ('a', $2) AND \"Beak Length (mm)\" BETWEEN $3 AND $4", nil, "[n BIGINT] [LIST(VARCHAR) VARCHAR DOUBLE DOUBLE]"},
			{"SELECT $1 AS a, $2 AS b", []any{parquetsql.Typed{Type: "INTEGER"}, nil}, "[a INTEGER b NULL] [INTEGER NULL]"},
			{"SELECT 1 AS a", nil, "[a BIGINT] []"},
		} {
			d, err := parquetsql.Describe(context.Background(), c, q.query, q.args...)
			if err != nil {
				t.Errorf("%s: %v", q.query, err)
			} else if got := fmt.Sprint(d.Columns, " ", d.Parameters); got != q.want {
				t.Errorf("%s: %s, want %s", q.query, got, q.want)
			}
		}
		var missing *parquetsql.NotFoundError
		if _, err := parquetsql.Describe(context.Background(), c, "SELECT nix FROM penguins WHERE Island = $1"); !errors.As(err, &missing) {
			t.Errorf("%v", err)
		}
		if _, err := parquetsql.Describe(context.Background(), c, "SELECT :a"); err == nil {
			t.Error("names of placeholders are described")
		}
	})
}

// TestTyped: an argument is a value of the type that it says, and may be cast twice.
func TestTyped(t *testing.T) {
	db := openDir(t, "testdata")
	for _, q := range []struct {
		arg  any
		want string
	}{
		{parquetsql.Typed{Type: "DECIMAL(10,2)", Value: "19.90"}, "19.90 DECIMAL(10,2)"},
		{parquetsql.Typed{Type: "smallint", Value: 5}, "5 SMALLINT"},
		{parquetsql.Typed{Type: "TIME", Value: "10:11:12"}, "10:11:12 TIME"},
		{parquetsql.Typed{Type: "INT[]", Value: parquetsql.Typed{Type: "JSON", Value: "[1, 2, null]"}}, "[1,2,null] INTEGER[]"},
		{parquetsql.Typed{Type: "DATE", Value: parquetsql.Typed{Type: "TIMESTAMP", Value: "2024-02-03 04:05:06"}}, "2024-02-03 DATE"},
	} {
		var got string
		if err := db.QueryRow("SELECT $1::VARCHAR || ' ' || TYPEOF($1)", q.arg).Scan(&got); err != nil || got != q.want {
			t.Errorf("%v: %q, want %q; %v", q.arg, got, q.want, err)
		}
	}
	for _, q := range []struct {
		arg parquetsql.Typed
		is  error
	}{
		{parquetsql.Typed{Type: "INTEGER", Value: "x"}, parquetsql.ErrInvalidValue},
		{parquetsql.Typed{Type: "TINYINT", Value: 300}, parquetsql.ErrOutOfRange},
		{parquetsql.Typed{Type: "NOTYPE", Value: 1}, nil},
		{parquetsql.Typed{Type: "INT) OR (1", Value: 1}, nil},
	} {
		if _, err := db.Exec("SELECT $1", q.arg); err == nil || q.is != nil && !errors.Is(err, q.is) {
			t.Errorf("%v: %v", q.arg, err)
		}
	}
}

// TestSession: what a context says of the client, and a limit of memory below that of the location.
func TestSession(t *testing.T) {
	ctx := parquetsql.WithSession(context.Background(), parquetsql.Session{User: "ana", Database: "sales", Version: "x 1", MemoryLimit: 1 << 20,
		Setting: func(name string) (string, bool) { return "own", name == "TimeZone" }})
	db := openDir(t, "testdata")
	var user, database, version, zone, other string
	row := db.QueryRowContext(ctx, "SELECT CURRENT_USER, CURRENT_DATABASE(), VERSION(), current_setting('TimeZone'), current_setting('DateStyle')")
	if err := row.Scan(&user, &database, &version, &zone, &other); err != nil || user+database+version+zone+other != "anasalesx 1ownISO, MDY" {
		t.Errorf("%q %q %q %q %q, %v", user, database, version, zone, other, err)
	}
	const much = "SELECT LIST(range) FROM range(1000000)"
	if _, err := db.ExecContext(ctx, much); !errors.Is(err, parquetsql.ErrMemoryLimit) {
		t.Errorf("%v", err)
	}
	if _, err := db.Exec(much); err != nil {
		t.Error(err)
	}
}

// TestTables: what the patterns leave out is neither found nor listed, by no name and by no path.
func TestTables(t *testing.T) {
	db := openWith(t, func(c *parquetsql.Config) { c.Tables = []string{"pengu*", "m?vies"} })
	if got := all(t, db, "SHOW TABLES"); fmt.Sprint(got) != "[movies penguins]" {
		t.Errorf("%q", got)
	}
	if got := all(t, db, "SELECT COUNT(*) FROM Penguins"); fmt.Sprint(got) != "[344]" {
		t.Errorf("%q", got)
	}
	for _, from := range []string{"airports", "`airports.parquet`", "`./airports.parquet`", "'*.parquet'", "read_parquet('airports.parquet')", "read_parquet(['penguins.parquet'])",
		"`airports$files`", "`airports.parquet$columns`", "`delta/*`", "parquet_metadata('airports.parquet')", "query_table('airports')", "query('FROM airports')"} {
		var missing *parquetsql.NotFoundError
		if _, err := db.Exec("SELECT * FROM " + from); !errors.As(err, &missing) {
			t.Errorf("%s: %v", from, err)
		}
	}
	if got := all(t, db, "SELECT file FROM glob('*')"); len(got) != 0 {
		t.Errorf("%q", got)
	}
	if _, err := parquetsql.NewConnector(&parquetsql.Config{Path: "testdata", Tables: []string{"["}}); err == nil {
		t.Error("[ is a pattern")
	}
}
