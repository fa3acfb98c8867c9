package server_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/server"
)

// TestMeanings: what PostgreSQL 15.18 answers where DuckDB means something else or lacks the spelling.
func TestMeanings(t *testing.T) {
	_, address := start(t, nil)
	c := connect(t, address, "default_query_exec_mode=exec")
	for _, q := range []struct{ query, want string }{
		{"SELECT 'abc' ~ 'b', 'abc' ~ '^b', 'abc' !~ 'b', 'abc' !~ '^b', 'aBc' ~* 'b', 'aBc' ~ 'b', NULL ~ 'b' IS NULL", "true|false|false|true|true|false|true"},
		{"SELECT COUNT(*) FROM penguins WHERE Species ~ 'en'", "124"},
		{"SELECT Species FROM penguins WHERE Species ~ $$^A$$ OR Species ~ 'strap$' GROUP BY 1 ORDER BY 1", "Adelie;Chinstrap"},
		{"SELECT 'abc' OPERATOR(pg_catalog.~) 'b', 'abc' SIMILAR TO 'b', 'abc' SIMILAR TO 'abc'", "true|false|true"},
		{"SELECT 'Ab' ILIKE ANY (ARRAY['x%', 'a%']), 'Ab' LIKE ANY (ARRAY['x%', 'a%']), 'Ab' ILIKE ALL (ARRAY['a%', '%b'])", "true|false|true"},
		{"SELECT date_trunc('day', TIMESTAMPTZ '2024-03-10 03:30:00+00', 'America/New_York')::text", "2024-03-09 05:00:00+00"},
		{"SELECT n FROM generate_series(1, 7, 3) AS t(n)", "1;4;7"},
		{"SELECT n FROM generate_series(3, 1, -1) n", "3;2;1"},
		{"SELECT n, n.n, n.n, x.* FROM generate_series(1, 2) n, unnest(ARRAY['a']) x", "1|1|1|a;2|2|2|a"},
		{"SELECT d::date::text FROM generate_series(DATE '2024-02-28', DATE '2024-03-01', INTERVAL '1 day') d", "2024-02-28;2024-02-29;2024-03-01"},
	} {
		if got := text(t, c, q.query); got != q.want {
			t.Errorf("%s: %q, PostgreSQL answers %q", q.query, got, q.want)
		}
	}
	if got := text(t, c, "SELECT Species FROM penguins WHERE Species ~ $1 GROUP BY 1", "^Gen"); got != "Gentoo" {
		t.Errorf("%q", got)
	}
}

// TestCodes: the SQLSTATE that PostgreSQL 15.18 has for the same mistakes.
func TestCodes(t *testing.T) {
	_, address := start(t, func(c *server.Config) { c.Limits.QueryMemory = 1 << 20 })
	c := connect(t, address, "default_query_exec_mode=exec")
	for _, q := range []struct{ query, want string }{
		{"SELECT 'x'::date", "22007"},
		{"SELECT '2024-02-30'::date", "22008"},
		{"SELECT 'x'::timestamp", "22007"},
		{"SELECT 'x'::timestamptz", "22007"},
		{"SELECT 'x'::time", "22007"},
		{"SELECT 'x'::interval", "22007"},
		{"SELECT 'x'::int", "22P02"},
		{"SELECT 'x'::float8", "22P02"},
		{"SELECT 'x'::numeric", "22P02"},
		{"SELECT 'x'::bool", "22P02"},
		{"SELECT 'x'::uuid", "22P02"},
		{"SELECT '{'::json", "22P02"},
		{"SELECT 99999999999::int", "22003"},
		{"SELECT 9223372036854775807 + 1::bigint", "22003"},
		{"SELECT * FROM nowhere", "42P01"},
		{"SELECT nope FROM penguins", "42703"},
		{"SELECT nope(1)", "42883"},
		{"SELECT 1 +", "42601"},
		{"SELECT 'a' FROM", "42601"},
		{"SELECT (SELECT 1 UNION ALL SELECT 2)", "21000"},
		{"SELECT Island FROM penguins GROUP BY Species", "42803"},
		{"SELECT COUNT(*) FROM penguins WHERE COUNT(*) > 1", "42803"},
		{"SELECT x FROM (SELECT 1 AS x) a, (SELECT 2 AS x) b", "42702"},
		{"SELECT 'abc' ~ '('", "2201B"},
		{"SELECT 1 LIMIT -1", "2201W"},
		{"SELECT 1 UNION SELECT 1, 2", "42601"},
		{"DELETE FROM penguins", "25006"},
		{"CREATE TABLE t (x int)", "25006"},
		{"SET nope = 1", "42704"},
		{"FETCH 1 FROM nope", "34000"},
		{"CLOSE nope", "34000"},
		{"SELECT 1 OFFSET -1", "2201X"},
		{"SELECT 1 WHERE ROW_NUMBER() OVER () = 1", "42P20"},
		{"SELECT '25:00'::time", "22008"},
		{"SELECT LENGTH(STRING_AGG(a.name || b.name, ',')) FROM airports a, airports b", "53200"},
	} {
		_, err := c.Exec(t.Context(), q.query)
		if got, _ := code(err); got != q.want {
			t.Errorf("%s: %s %v, PostgreSQL has %s", q.query, got, err, q.want)
		}
	}
}

// TestNobodyReadsMore: none of the ways to name data leads a role beyond its tables.
func TestNobodyReadsMore(t *testing.T) {
	_, address := start(t, func(c *server.Config) {
		c.Databases = map[string]*parquetsql.Config{"sales": {Path: testdata}}
		c.Roles = map[string]server.Role{"ana": {Password: "secret", Tables: []string{"penguins"}}}
	})
	c, err := pgx.Connect(t.Context(), "postgres://ana:secret@"+address+"/sales?sslmode=disable&default_query_exec_mode=exec")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	if got := text(t, c, "SELECT COUNT(*) FROM penguins"); got != "344" {
		t.Fatal(got)
	}
	absolute := testdata + "/movies.parquet"
	for _, from := range []string{
		"movies", "main.movies", "sales.main.movies", "public.movies", `"movies"`, `"MOVIES"`, `"movies.parquet"`, `"penguins/../movies"`, `"./movies"`, `"*"`, `"m*"`, `"movies$files"`, `"movies$row_groups"`,
		"`movies$columns`", "`movies$pages`", "`movies$schema`", "`movies$metadata`", "`movies$kv`", "'movies.parquet'", "'*.parquet'", "'**/*.parquet'", "'../testdata/movies.parquet'", "'" + absolute + "'", "'/etc/passwd'", "'file:///etc/passwd'",
		"'http://127.0.0.1:1/x.parquet'", "'s3://bucket/x.parquet'", "read_parquet('movies.parquet')", "read_parquet('*.parquet')", "read_parquet(['movies.parquet'])", "parquet_scan('movies.parquet')", "parquet_metadata('movies.parquet')",
		"parquet_schema('movies.parquet')", "parquet_file_metadata('movies.parquet')", "parquet_kv_metadata('movies.parquet')", "delta_scan('delta/x')", "iceberg_scan('iceberg/x')", "glob('*')", "read_csv('x.csv')", "read_text('README.md')", "read_blob('README.md')",
		"query('SELECT * FROM movies')", "query_table('movies')", "`penguins.parquet`", "'penguins.parquet'", "read_parquet('penguins.parquet')",
	} {
		for _, statement := range []string{"SELECT * FROM " + from, "SELECT COUNT(*) FROM " + from, "EXPLAIN SELECT * FROM " + from, "EXPLAIN ANALYZE SELECT * FROM " + from, "DESCRIBE SELECT * FROM " + from,
			"SUMMARIZE SELECT * FROM " + from, "COPY (SELECT * FROM " + from + ") TO STDOUT", "SELECT (SELECT COUNT(*) FROM " + from + ")", "WITH x AS (SELECT * FROM " + from + ") SELECT * FROM x"} {
			results, err := c.PgConn().Exec(t.Context(), statement).ReadAll()
			if err == nil && rows(results) > 0 && from != "glob('*')" {
				t.Errorf("ana gets %d rows of %s", rows(results), statement)
			}
		}
		if _, err := c.PgConn().Prepare(t.Context(), "", "SELECT * FROM "+from, nil); err == nil && from != "glob('*')" {
			t.Errorf("ana prepares a statement of %s", from)
		}
		results, err := c.PgConn().Exec(t.Context(), "BEGIN; DECLARE c CURSOR FOR SELECT * FROM "+from+"; FETCH ALL FROM c").ReadAll()
		if err == nil && rows(results) > 0 {
			t.Errorf("ana has a cursor of %s", from)
		}
		if _, err := c.PgConn().Exec(t.Context(), "ROLLBACK").ReadAll(); err != nil {
			t.Fatal(err)
		}
	}
	if got := text(t, c, "SELECT COUNT(*) FROM glob('**')"); got != "0" {
		t.Errorf("ana lists %s files", got)
	}
	for _, q := range []string{"SHOW TABLES", "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'", "SELECT relname FROM pg_class WHERE relkind = 'r'", "SELECT DISTINCT table_name FROM information_schema.columns WHERE table_schema = 'main'",
		"SELECT tablename FROM pg_tables WHERE schemaname = 'main'", "SELECT table_name FROM duckdb_tables()", "SHOW ALL TABLES"} {
		results, err := c.PgConn().Exec(t.Context(), q).ReadAll()
		if err != nil {
			continue
		}
		for _, r := range results {
			for _, row := range r.Rows {
				for _, value := range row {
					if s := string(value); s == "movies" || s == "airports" {
						t.Errorf("%s lists %s", q, s)
					}
				}
			}
		}
	}
}

// rows counts the rows of statements.
func rows(results []*pgconn.Result) (n int) {
	for _, r := range results {
		n += len(r.Rows)
	}
	return n
}
