package parquetsql

import (
	"database/sql"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr/reference"
)

var updateFunctions = flag.Bool("update-functions", false, "write docs/functions.md")

// TestFunctionsPage: docs/functions.md is what the table of functions says.
func TestFunctionsPage(t *testing.T) {
	const path = "docs/functions.md"
	want := reference.Document()
	if *updateFunctions {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s is not current (%v); run go test -run FunctionsPage . -update-functions", path, err)
	}
}

// TestFunctionExamples: each function has a line of help and an example whose result is
// what it says.
func TestFunctionExamples(t *testing.T) {
	// There are no literals of lists and maps to show these with.
	without := map[string]bool{"LIST_CONTAINS": true, "MAP_KEYS": true, "MAP_VALUES": true}
	db, err := sql.Open("parquet", "testdata")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, g := range reference.Groups() {
		for _, e := range g.Entries {
			switch {
			case e.Help == "" || strings.HasSuffix(e.Help, "."):
				t.Errorf("%s needs a line of help, without a full stop", e.Name)
			case (e.Example == "") != without[e.Name]:
				t.Errorf("%s needs an example, or no exemption in this test", e.Name)
			case e.Example != "":
				if got, err := firstColumn(db, "SELECT CAST(c AS VARCHAR) FROM (SELECT "+e.Example+") t(c)"); err != nil {
					t.Errorf("the example of %s: %s: %v", e.Name, e.Example, err)
				} else if got != e.Result && !e.Volatile {
					t.Errorf("the example of %s: %s is %s, not %s", e.Name, e.Example, got, e.Result)
				}
			}
		}
	}
}

// firstColumn is the texts of a query's first column, with commas between them.
func firstColumn(db *sql.DB, query string) (string, error) {
	rows, err := db.Query(query)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var texts []string
	for rows.Next() {
		var s sql.Null[string]
		if err := rows.Scan(&s); err != nil {
			return "", err
		}
		if !s.Valid {
			s.V = "NULL"
		}
		texts = append(texts, s.V)
	}
	return strings.Join(texts, ", "), rows.Err()
}

// TestShowFunctions: functions are found by all their names.
func TestShowFunctions(t *testing.T) {
	db, err := sql.Open("parquet", "testdata")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for query, want := range map[string]string{
		"SELECT DISTINCT routine_name FROM information_schema.routines WHERE routine_name LIKE 'char%length' ORDER BY 1": "char_length, character_length",
		"SELECT data_type FROM information_schema.routines WHERE routine_name = 'ltrim'":                                 "VARCHAR, VARCHAR",
		"SELECT is_deterministic FROM information_schema.routines WHERE routine_name = 'string_agg'":                     "YES, YES",
		"SELECT count(*) > 200 FROM information_schema.routines WHERE routine_schema = 'main'":                           "true",
		"SELECT specific_name FROM information_schema.routines WHERE routine_name = 'lag' LIMIT 1":                       "lag(T) → T",
		"SELECT routine_body FROM information_schema.routines WHERE routine_name = 'dense_rank' LIMIT 1":                 "EXTERNAL",
	} {
		if got, err := firstColumn(db, query); err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", query, got, want, err)
		}
	}
	var name, kind, signature, help, example string
	if err := db.QueryRow("SHOW FUNCTIONS LIKE 'row_n%'").Scan(&name, &kind, &signature, &help, &example); err != nil {
		t.Fatal(err)
	}
	if name != "row_number" || kind != "window" || signature != "row_number() → BIGINT" || !strings.HasPrefix(example, "ROW_NUMBER() OVER") {
		t.Error(name, kind, signature, help, example)
	}
}
