package parquetsql_test

import (
	"os"
	"strings"
	"testing"
)

// TestIntrospection runs the statements that duckgres has collected of GUIs and libraries that
// speak to PostgreSQL. They answer, whatever the answer is.
func TestIntrospection(t *testing.T) {
	db := openDir(t, "testdata")
	statements := introspection(t)
	if len(statements) != 100 {
		t.Errorf("%d statements", len(statements))
	}
	for name, text := range statements {
		if _, err := db.Exec(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// introspection reads the statements by their suites and names. The file is a list of maps whose
// values are words, or texts of several lines behind ">-".
func introspection(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.ReadFile("testdata/introspection/duckgres.yaml")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	var suite, name, folded string
	var within bool
	add := func() {
		if within {
			out[suite+"/"+name] = strings.TrimSpace(folded)
		}
		folded, within = "", false
	}
	for line := range strings.Lines(string(file)) {
		key, value, isKey := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(line, "- "), "  "), ": ")
		value = strings.TrimSpace(value)
		switch {
		case strings.HasPrefix(line, "#"):
		case within && (strings.HasPrefix(line, "    ") || strings.TrimSpace(line) == ""):
			folded += " " + strings.TrimSpace(line)
		case isKey && key == "suite":
			add()
			suite = value
		case isKey && key == "name":
			name = value
		case isKey && key == "sql":
			folded, within = strings.TrimPrefix(value, ">-"), true
		}
	}
	add()
	return out
}
