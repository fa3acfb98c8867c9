package server_test

import (
	"os"
	"strings"
	"testing"
)

// TestLabels: a line of testdata/labels.txt is an expression over a table t of one column x, and the
// name that PostgreSQL 15 gives to it.
func TestLabels(t *testing.T) {
	file, err := os.ReadFile("testdata/labels.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, address := start(t, nil)
	c := connect(t, address, "").PgConn()
	n := 0
	for line := range strings.Lines(string(file)) {
		expression, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " | ")
		r, err := c.Prepare(t.Context(), "", "SELECT "+expression+" FROM (SELECT 1 AS x) t", nil)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
		} else if got := string(r.Fields[0].Name); got != want {
			t.Errorf("%s: %q, PostgreSQL has %q", expression, got, want)
		}
		n++
	}
	if n < 80 {
		t.Errorf("%d expressions", n)
	}
}
