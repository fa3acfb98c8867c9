package server_test

import (
	"os"
	"strings"
	"testing"
)

// TestFormats: a line of testdata/formats.txt is an expression with to_char or width_bucket, drawn at random or picked, and
// the answer of PostgreSQL 15.18 between < and >, or error.
func TestFormats(t *testing.T) {
	file, err := os.ReadFile("testdata/formats.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, address := start(t, nil)
	c := connect(t, address, "default_query_exec_mode=exec")
	n := 0
	for line := range strings.Lines(string(file)) {
		expression, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " | ")
		var got string
		err := c.QueryRow(t.Context(), "SELECT '<' || "+expression+" || '>'").Scan(&got)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s: %s %v, PostgreSQL has %s", expression, got, err, want)
		}
		n++
	}
	if n < 1100 {
		t.Errorf("%d expressions", n)
	}
}
