package enginetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/slt"
)

// A promise is a statement and its answer, for cases that a script (testdata/slt)
// cannot have: arguments, and files that the test makes. Answers are written in a
// short form that shows the Go type: 1 is an int64, 1u a uint64, 1d a float64, 1f a
// float32, 'x' a string, x'00' a []byte, a time is RFC 3339; NULL, true and false.
// Values of a row are separated by a blank, rows by "; ".

func shortForm(v any) string {
	switch x := v.(type) {
	case nil:
		return "NULL"
	case int64:
		return strconv.FormatInt(x, 10)
	case uint64:
		return strconv.FormatUint(x, 10) + "u"
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64) + "d"
	case float32:
		return strconv.FormatFloat(float64(x), 'g', -1, 32) + "f"
	case string:
		return "'" + x + "'"
	case []byte:
		return fmt.Sprintf("x'%x'", x)
	case time.Time:
		return x.Format(time.RFC3339Nano)
	}
	return fmt.Sprint(v)
}

// ask returns the rows of a query in the short form, and the names of its columns. It
// checks the ColumnTypes against each value.
func ask(db *sql.DB, query string, args ...any) (rows string, names []string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), watchdog)
	defer cancel()
	r, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return "", nil, err
	}
	defer r.Close()
	if names, err = r.Columns(); err != nil {
		return "", nil, err
	}
	types, err := r.ColumnTypes()
	if err != nil {
		return "", nil, err
	}
	var out []string
	for r.Next() {
		values, targets := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			targets[i] = &values[i]
		}
		if err := r.Scan(targets...); err != nil {
			return "", nil, err
		}
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = shortForm(v)
			nullable, known := types[i].Nullable()
			if v == nil && (!nullable || !known) || v != nil && reflect.TypeOf(v) != types[i].ScanType() {
				return "", nil, fmt.Errorf("column %s is %v, ScanType %v, nullable %v", names[i], v, types[i].ScanType(), nullable)
			}
		}
		out = append(out, strings.Join(texts, " "))
	}
	return strings.Join(out, "; "), names, r.Err()
}

// promise is a query and its answer. An answer that begins with "error:" is an error
// whose message contains each of the words that follow.
type promise struct {
	query, want string
	args        []any
}

func keep(t *testing.T, db *sql.DB, promises ...promise) {
	t.Helper()
	for _, p := range promises {
		got, _, err := ask(db, p.query, p.args...)
		words, failing := strings.CutPrefix(p.want, "error:")
		switch {
		case !failing && err != nil:
			t.Errorf("%s\n\tfails: %v\n\twant %s", p.query, err, p.want)
		case !failing && got != p.want:
			t.Errorf("%s\n\tgives %s\n\twant  %s", p.query, got, p.want)
		case failing && err == nil:
			t.Errorf("%s\n\tgives %s\n\twant an error that says%s", p.query, got, words)
		case failing:
			if err := slt.Prefixed(err); err != nil {
				t.Errorf("%s\n\t%v", p.query, err)
			}
			for _, w := range strings.Fields(words) {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%s\n\tthe error does not say %s: %v", p.query, w, err)
				}
			}
		}
	}
}

// say makes promises from alternating queries and answers.
func say(pairs ...string) []promise {
	var out []promise
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, promise{query: pairs[i], want: pairs[i+1]})
	}
	return out
}

// TestUnsupported: what is not supported yet is an ErrUnsupported that names it.
func TestUnsupported(t *testing.T) {
	db := openDir(t, "testdata")
	for query, name := range map[string]string{
		"SELECT 'a' COLLATE de": "COLLATE",
		"SET x = 1":             "SET",
		"BEGIN":                 "BEGIN",
		"PRAGMA x":              "pragma_x",
	} {
		_, _, err := ask(db, query)
		if !errors.Is(err, parquetsql.ErrUnsupported) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want ErrUnsupported that names %s", query, err, name)
		}
	}
}

// TestReadOnlyStatements: each statement that writes is ErrReadOnly.
func TestReadOnlyStatements(t *testing.T) {
	db := openDir(t, "testdata")
	for _, statement := range []string{
		"INSERT INTO penguins VALUES (1)", "insert into penguins select 1", "REPLACE INTO penguins VALUES (1)", "UPDATE penguins SET Sex = 1",
		"DELETE FROM penguins", "/* x */ DELETE FROM penguins", "-- x\nDROP TABLE penguins", "DROP TABLE IF EXISTS penguins", "CREATE TABLE x (a INT)",
		"CREATE TABLE x AS SELECT 1", "CREATE INDEX i ON penguins (Sex)", "CREATE VIEW v AS SELECT 1", "ALTER TABLE penguins ADD a INT",
		"TRUNCATE TABLE penguins", "TRUNCATE penguins", "MERGE INTO penguins USING x ON TRUE WHEN MATCHED THEN DELETE", "RENAME TABLE a TO b",
		"COPY penguins TO 'x'", "GRANT ALL ON penguins TO x", "SELECT * INTO x FROM penguins", "INSERT", "UPDATE", "EXPLAIN DELETE FROM penguins",
		"ATTACH 'x' AS y", "COMMENT ON TABLE penguins IS 'x'", "DELETE FROM penguins WHERE (((", "ANALYZE TABLE penguins", "LOAD DATA INFILE 'x' INTO TABLE y",
	} {
		if _, _, err := ask(db, statement); !errors.Is(err, parquetsql.ErrReadOnly) {
			t.Errorf("%s: %v, want ErrReadOnly", statement, err)
		}
		if _, err := db.Prepare(statement); !errors.Is(err, parquetsql.ErrReadOnly) {
			t.Errorf("Prepare %s: %v, want ErrReadOnly", statement, err)
		}
	}
}

// TestOddStatements: nothing that a program may send panics, or hangs past the
// deadline of ask.
func TestOddStatements(t *testing.T) {
	db := openDir(t, "testdata")
	many := func(s string, n int) string { return strings.Repeat(s, n) }
	list := make([]string, 50_000)
	for i := range list {
		list[i] = strconv.Itoa(2 * i)
	}
	in := "SELECT COUNT(*) FROM penguins WHERE `Body Mass (g)` IN (" + strings.Join(list, ",") + ")"
	arguments := make([]any, 50_000)
	for i := range arguments {
		arguments[i] = i
	}
	for _, c := range []struct {
		query string
		args  []any
		want  string // "" is a *SyntaxError
	}{
		{query: ""}, {query: "  \n\t"}, {query: ";"}, {query: ";;;"}, {query: "-- nothing"}, {query: "/* nothing */"}, {query: "/* no end"},
		{query: "'"}, {query: "SELECT '"}, {query: "SELECT \"x"}, {query: "\x00"}, {query: "SELECT \xff"}, {query: "SELECT 1 2"}, {query: "SELECT 1;SELECT 2"},
		{query: "SELECT"}, {query: "SELECT FROM penguins"}, {query: "SELECT 1 FROM"}, {query: "SELECT * FROM penguins LIMIT"}, {query: "SELECT ("}, {query: "SELECT )"},
		{query: "SELECT " + many("(", 10_000) + "1" + many(")", 10_000)}, {query: many("(", 100_000)}, {query: "SELECT " + many("NOT ", 100_000) + "TRUE"},
		{query: "SELECT " + many("-", 1001) + "1", want: "NULL"}, {query: "SELECT " + many("- ", 100_000) + "1"}, {query: "SELECT " + many("CASE WHEN 1=1 THEN ", 5000)},
		{query: "SELECT 1" + many("+1", 100_000)}, {query: "SELECT 1" + many("::INTEGER", 5000)}, {query: "SELECT '" + many("x", 5<<20) + "'"},
		{query: "SELECT LENGTH('" + many("x", 1<<20) + "')", want: "1048576"},
		{query: "SELECT 1;", want: "1"}, {query: ";SELECT 1;;", want: "1"}, {query: "/* a /* b */ c */ SELECT -- x\n 1 /* y */", want: "1"}, {query: "\ufeffSELECT 1", want: "1"},
		{query: "SELECT TRUE" + many(" AND TRUE", 20_000), want: "true"}, {query: "SELECT FALSE" + many(" OR 1=2", 20_000), want: "false"},
		{query: in, want: "292"},
		{query: "SELECT COUNT(*) FROM penguins WHERE `Body Mass (g)` IN (?" + many(",?", 49_999) + ")", args: arguments, want: "342"},
		{query: "SELECT " + many("1,", 5000) + "1", want: strings.TrimSpace(many("1 ", 5001))},
	} {
		got, _, err := ask(db, c.query, c.args...)
		name := c.query[:min(60, len(c.query))]
		var syntax *parquetsql.SyntaxError
		switch {
		case c.want == "" && !errors.As(err, &syntax):
			t.Errorf("%q: %.200v, want a syntax error", name, err)
		case c.want == "" && (syntax.Position < 0 || syntax.Position > len(c.query)):
			t.Errorf("%q: the error is at byte %d", name, syntax.Position)
		case c.want != "" && c.want != "NULL" && (err != nil || got != c.want):
			t.Errorf("%q: %.200s, %.200v; want %s", name, got, err, c.want)
		}
	}
}

// TestConnectorKeepsACopy: a later change of the Config changes nothing.
func TestConnectorKeepsACopy(t *testing.T) {
	config := &parquetsql.Config{Path: "testdata"}
	connector, err := parquetsql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	config.Path, config.Pruning = "nowhere", "nonsense"
	db := sql.OpenDB(connector)
	defer db.Close()
	keep(t, db, promise{query: "SELECT COUNT(*) FROM penguins", want: "344"})
	if _, err := parquetsql.NewConnector(config); err == nil || !strings.Contains(err.Error(), "pruning") {
		t.Errorf("a bad value in a literal: %v", err)
	}
}

// TestLocationErrors: Open or Ping of a DSN that is wrong names what is wrong.
func TestLocationErrors(t *testing.T) {
	for dsn, named := range map[string]string{
		"testdata/no*where.parquet": "no*where", "testdata/nowhere/*.parquet": "nowhere", "testdata?pruning=perhaps": "pruning",
		"testdata?parallelism=x": "parallelism", "testdata?footer_key=abc": "footer_key", "testdata?on_corrupt=x&": "on_corrupt", "testdata/[": "[",
	} {
		db, err := sql.Open("parquet", dsn)
		if err == nil {
			err = db.Ping()
			db.Close()
		}
		if err == nil || !strings.Contains(err.Error(), named) {
			t.Errorf("%s: %v does not name %s", dsn, err, named)
		}
	}
}
