package slt

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"strings"
	"testing"

	_ "github.com/parquetsql/parquetsql"
)

func engine(t *testing.T) Engine {
	t.Helper()
	db, err := sql.Open("parquet", "../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return Engine{Name: "parquetsql", DB: db}
}

// TestParseErrors: a script that is wrong is an error at its line, never skipped.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"query I\nSELECT 1\n":                              "t.slt:1: a query without ----",
		"\n\nquery I\nSELECT 1\n\n1\n":                     "t.slt:3: a query without ----",
		"query X\nSELECT 1\n----\n1\n":                     "letters",
		"query\nSELECT 1\n----\n1\n":                       "a letter per column",
		"query I sorted label\nSELECT 1\n----\n1\n":        "sort mode",
		"query I\n----\n1\n":                               "no SQL",
		"statement\nSELECT 1\n":                            "ok or error",
		"statement ok\n\nSELECT 1\n":                       "no SQL",
		"statement ok\nSELECT 1\n----\n1\n":                "expects nothing",
		"statement error\nSELEC\n":                         "without ----",
		"statement error\nSELEC\n----\n":                   "part of the message",
		"statement error\nSELEC\n----\n<REGEX>:(\n":        "missing closing",
		"query I\nSELECT 1\n----\n<!REGEX>:(\n":            "missing closing",
		"queri I\nSELECT 1\n----\n1\n":                     "unknown directive",
		"skipif\nquery I\nSELECT 1\n----\n1\n":             "name of an engine",
		"statement ok\nSELECT 1\n\nskipif duckdb\n":        "without a record",
		"# nothing but a comment\n":                        "no records",
		"statement ok\nSELECT 1\n\nonlyif duckdb\n# x\n\n": "without a record",
	} {
		if _, err := Parse("t.slt", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %s", text, err, want)
		}
	}
}

// TestRun runs one record each: what is right passes, what is wrong fails.
func TestRun(t *testing.T) {
	e := engine(t)
	for _, c := range []struct{ text, failure string }{
		{"query IT\nSELECT 1, 'a'\n----\n1\ta\n", ""},
		{"query IT\nSELECT 1, 'a'\n----\n1\na\n", ""},
		{"query IT\r\nSELECT 1,\r\n 'a'\r\n----\r\n1\ta\r\n", ""},
		{"query IT\nSELECT 1, 'a'\n----\n1\tb\n", "row 1, column 2: a, want b"},
		{"query IT\nSELECT 1, 'a'\n----\n2\na\n", "row 1, column 1: 1, want 2"},
		{"query IT\nSELECT 1, 'a'\n----\n1 a\n", "1 values, the query 2 columns"},
		{"query IT\nSELECT 1, 'a'\n----\n1\ta\n1\ta\n1\ta\n", "1 rows"},
		{"query IT\nSELECT 1, 'a'\n----\n", "1 rows"},
		{"query I\nSELECT 1 WHERE FALSE\n----\n", ""},
		{"query I\nSELECT 1 WHERE FALSE\n----\n1\n", "0 rows"},
		{"query I\nSELECT 1, 'a'\n----\n1\n", "2 columns"},
		{"query T\nSELECT 1\n----\n1\n", "type I, want T"},
		{"query R\nSELECT 1\n----\n1\n", "type I, want R"},
		{"query I\nSELECT 1.0\n----\n1.0\n", "type R, want I"},
		{"query TRI\nSELECT NULL, 1.50, NULL\n----\nNULL\t1.50\tNULL\n", ""},
		{"query T\nSELECT ''\n----\n(empty)\n", ""},
		{"query R\nSELECT 1e0\n----\n1\n", "1.0, want 1"},
		{"query T\nSELECT 'ab'\n----\n<REGEX>:a.\n", ""},
		{"query T\nSELECT 'abc'\n----\n<REGEX>:a.\n", "want <REGEX>"},
		{"query T\nSELECT 'abc'\n----\n<!REGEX>:b.*\n", ""},
		{"query T\nSELECT 'abc'\n----\n<!REGEX>:a.*\n", "want <!REGEX>"},
		{"query T nosort\nSELECT Species FROM penguins GROUP BY 1 ORDER BY 1 DESC\n----\nAdelie\nChinstrap\nGentoo\n", "row 1"},
		{"query T rowsort\nSELECT Species FROM penguins GROUP BY 1 ORDER BY 1 DESC\n----\nAdelie\nChinstrap\nGentoo\n", ""},
		{"query II valuesort\nSELECT 2, 1\n----\n1\n2\n", ""},
		{"query II rowsort\nSELECT 2, 1\n----\n1\t2\n", "row 1, column 1"},
		{"query I x l\nSELECT 1\n----\n1\n", "neither"},
		{"query I nosort l\nSELECT 1\n----\n1\n\nquery I nosort l\nSELECT 1\n----\n1\n", ""},
		{"query I nosort l\nSELECT 1\n----\n1\n\nquery I nosort l\nSELECT 2\n----\n2\n", "label l"},
		{"query I\nSELECT nothing\n----\n1\n", "it fails"},
		{"query I\nSELEC 1\n----\n1\n", "it fails"},
		{"statement ok\nSELECT 1\n", ""},
		{"statement ok\nSELEC 1\n", "it fails"},
		{"statement ok\nSELECT CAST(Species AS INTEGER) FROM penguins\n", "it fails"},
		{"statement error\nSELEC 1\n----\nsyntax error\n", ""},
		{"statement error\nSELEC 1\n----\nno such table\n", "want one with no such table"},
		{"statement error\nSELEC 1\n----\n<REGEX>:syntax .* line 1, column 1\n", ""},
		{"statement error\nSELEC 1\n----\n<REGEX>:byte 1\n", "want <REGEX>"},
		{"statement error\nSELECT 1\n----\nsyntax error\n", "it succeeds"},
		{"skipif parquetsql because\nstatement ok\nSELEC 1\n", ""},
		{"skipif duckdb because\nstatement ok\nSELEC 1\n", "it fails"},
		{"onlyif duckdb\nstatement ok\nSELEC 1\n", ""},
		{"onlyif parquetsql\nstatement ok\nSELEC 1\n", "it fails"},
		{"halt\n\nstatement ok\nSELEC 1\n", ""},
		{"onlyif duckdb\nhalt\n\nstatement ok\nSELEC 1\n", "it fails"},
	} {
		script, err := Parse("t.slt", strings.NewReader(c.text))
		failures := []error{err}
		if err == nil {
			failures = script.Run(context.Background(), e)
		}
		all := errors.Join(failures...)
		if c.failure == "" && all != nil || c.failure != "" && (all == nil || !strings.Contains(all.Error(), c.failure)) {
			t.Errorf("%q: %v, want %q", c.text, all, c.failure)
		}
	}
}

// TestChecks: the checks of an engine fail a record whose answer is right.
func TestChecks(t *testing.T) {
	script, err := Parse("t.slt", strings.NewReader("query I\nSELECT 1\n----\n1\n\nstatement error\nSELEC\n----\nsyntax\n"))
	if err != nil {
		t.Fatal(err)
	}
	e := engine(t)
	e.CheckValue = func(any, *sql.ColumnType) error { return errors.New("value") }
	e.CheckError = func(error) error { return errors.New("message") }
	if failures := script.Run(context.Background(), e); len(failures) != 2 {
		t.Errorf("%v", failures)
	}
}

// TestUpdate: the rewritten script passes, and all that was right is unchanged.
func TestUpdate(t *testing.T) {
	const text = "# comment\n\nquery TT rowsort\nSELECT 2, 'a'\n----\nx\ny\n\nquery I\nSELECT 7\n----\n<REGEX>:.\n\nskipif parquetsql\nquery I\nSELECT 8\n----\n9\n\nstatement error\nSELEC\n----\nx\n\nquery I\nSELECT 1\n----\n1\n"
	const want = "# comment\n\nquery IT rowsort\nSELECT 2, 'a'\n----\n2\ta\n\nquery I\nSELECT 7\n----\n<REGEX>:.\n\nskipif parquetsql\nquery I\nSELECT 8\n----\n9\n\nstatement error\nSELEC\n----\n"
	script, err := Parse("t.slt", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	got, err := script.Update(context.Background(), engine(t))
	if err != nil || !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "\n\nquery I\nSELECT 1\n----\n1\n") {
		t.Fatalf("%v\n%s", err, got)
	}
	if script, err = Parse("t.slt", strings.NewReader(got)); err != nil {
		t.Fatal(err)
	}
	if failures := script.Run(context.Background(), engine(t)); failures != nil {
		t.Error(failures)
	}
}

// TestValueText: the texts are those of DuckDB's CAST to VARCHAR.
func TestValueText(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0.0", 1: "1.0", -2.5: "-2.5", 0.0001: "0.0001", 0.00001: "1e-05", 1e15: "1000000000000000.0", 1e16: "1e+16",
		math.Inf(1): "inf", math.Inf(-1): "-inf", 123456.789: "123456.789",
	} {
		if got := floatText(f, 64); got != want {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
	}
	if got := floatText(math.NaN(), 64); got != "nan" {
		t.Error(got)
	}
	if got := blobText([]byte("a\x00\\'~\xff")); got != `a\x00\x5C\x27~\xFF` {
		t.Error(got)
	}
	if got := visible("a\tb\n"); got != "a␉b␊" {
		t.Error(got)
	}
}
