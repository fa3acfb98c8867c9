package shell

import (
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/parquetsql/parquetsql"
)

// TestComplete marks the cursor as |. What is wanted is the whole line where one word
// fits, or some of the words.
func TestComplete(t *testing.T) {
	db, err := sql.Open("parquet", filepath.Join("..", "..", "..", "..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	c := newCompleter(db)
	c.names.asked = c.names.asked.Add(1) // asked for anew at the first use
	tests := []struct {
		line string
		want []string
	}{
		{"SELECT * FROM pen|", []string{"SELECT * FROM penguins"}},
		{"DESCRIBE pen|", []string{"DESCRIBE penguins"}},
		{"SELECT * FROM airports, pen|", []string{"SELECT * FROM airports, penguins"}},
		{"SELECT spe| FROM penguins", []string{"SELECT Species FROM penguins"}},
		{"SELECT p.isl| FROM penguins p", []string{"SELECT p.Island FROM penguins p"}},
		{"SELECT x.isl| FROM penguins AS x JOIN airports y ON TRUE", []string{"SELECT x.Island FROM penguins AS x JOIN airports y ON TRUE"}},
		{`SELECT "Bo| FROM penguins`, []string{`SELECT "Body Mass (g)" FROM penguins`}},
		{`SELECT "Body M| FROM penguins`, []string{`SELECT "Body Mass (g)" FROM penguins`}},
		{`SELECT "Species", "Flip| FROM penguins`, []string{`SELECT "Species", "Flipper Length (mm)" FROM penguins`}},
		{`SELECT bod| FROM penguins`, []string{`SELECT "Body Mass (g)" FROM penguins`}},
		{`SELECT Flip| FROM penguins`, []string{`SELECT "Flipper Length (mm)" FROM penguins`}},
		{"SELECT max(isl| FROM penguins", []string{"SELECT max(Island FROM penguins"}},
		{"SELECT coun|", []string{"count(", "count_if("}},
		{"SELECT STDDEV_P|", []string{"SELECT STDDEV_POP("}},
		{"QUALI|", []string{"QUALIFY"}},
		{"quali|", []string{"qualify"}},
		{"SELECT 'pen|", nil},
		{`\d pen|`, []string{`\d penguins`}},
		{`\ti|`, []string{`\timing`}},
		{`\f mark|`, []string{`\f markdown`}},
		{`\timing o|`, []string{"on", "off"}},
		{"SELECT 'é', spe| FROM penguins", []string{"SELECT 'é', Species FROM penguins"}},
	}
	for _, test := range tests {
		before, after, _ := strings.Cut(test.line, "|")
		head, words, tail := c.complete("", before+after, len(before))
		if len(words) == 1 {
			words = []string{head + words[0] + tail}
		}
		for _, w := range test.want {
			if !slices.Contains(words, w) {
				t.Errorf("%s: %q, want %q", test.line, words, w)
			}
		}
		if len(test.want) < 2 && len(words) != len(test.want) {
			t.Errorf("%s: %q, want %q", test.line, words, test.want)
		}
	}
}

// TestCompleteKeepsWord checks that what the words have in common begins as the user has
// typed: the editor puts that in the place of the word.
func TestCompleteKeepsWord(t *testing.T) {
	db, err := sql.Open("parquet", filepath.Join("..", "..", "..", "..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, words, _ := newCompleter(db).complete("", "SELECT b FROM penguins", len("SELECT b"))
	_, beak, _ := newCompleter(db).complete("", `SELECT "b FROM penguins`, len(`SELECT "b`))
	for _, w := range append(words, beak...) {
		if !strings.HasPrefix(w, "b") && !strings.HasPrefix(w, `"b`) {
			t.Errorf("%q does not begin with what was typed", w)
		}
	}
	if len(beak) != 3 {
		t.Errorf("the columns are %q", beak)
	}
}
