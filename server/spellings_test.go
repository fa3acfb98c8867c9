package server_test

import (
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// TestSpellings: a line of testdata/spellings.txt is an expression as tools write it, and the text that
// PostgreSQL 15.18 has of its value, or error. Where the answer here is another one on purpose, it
// follows, with the reason.
func TestSpellings(t *testing.T) {
	file, err := os.ReadFile("testdata/spellings.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, address := start(t, nil)
	c := connect(t, address, "default_query_exec_mode=simple_protocol")
	same, others := 0, 0
	for line := range strings.Lines(string(file)) {
		expression, answer, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " | <")
		want, differs, on := strings.Cut(answer, "> ! ")
		want = strings.TrimSuffix(want, ">")
		if on {
			want, _, _ = strings.Cut(differs, " // ")
			others++
		} else {
			same++
		}
		if got, err := shown(t, c, expression); got != want {
			t.Errorf("%s | <%s> ! %s // %v", expression, want, got, err)
		}
	}
	if same < 300 || others > same/3 {
		t.Errorf("%d answers are PostgreSQL's, %d are others", same, others)
	}
}

// shown is the text of an expression's value; error if it has none.
func shown(t *testing.T, c *pgx.Conn, expression string) (string, error) {
	t.Helper()
	results, err := c.PgConn().Exec(t.Context(), "SELECT "+expression).ReadAll()
	if err != nil {
		return "error", err
	}
	value := results[0].Rows[0][0]
	if value == nil {
		return "~NULL~", nil
	}
	return strings.ReplaceAll(string(value), "\n", `\n`), nil
}
