package parquetsql_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestPrepareChecksNames: what does not exist is an error of Prepare, also where
// placeholders have no value yet; what depends on their values is not.
func TestPrepareChecksNames(t *testing.T) {
	db := openDir(t, "testdata")
	for _, c := range []struct{ query, kind string }{
		{"SELECT wings FROM penguins WHERE species = ?", "column"},
		{"SELECT * FROM pinguins", "table"},
		{"SELECT nofunction(?)", "function"},
		{"EXPLAIN SELECT species FROM penguins WHERE wings = :w", "column"},
	} {
		_, err := db.Prepare(c.query)
		var missing *parquetsql.NotFoundError
		if !errors.As(err, &missing) || missing.Kind != c.kind {
			t.Errorf("%s: %v, want a missing %s", c.query, err, c.kind)
		}
	}
	for _, c := range []struct {
		query string
		arg   any
		want  int
	}{
		{"SELECT COUNT(*) FROM penguins WHERE species = ?", "Gentoo", 124},
		{"SELECT COUNT(*) FROM penguins WHERE LENGTH(species) > ? + 5", 1, 68}, // those called Chinstrap
		{"SELECT COUNT(*) FROM penguins WHERE DATE_TRUNC(?, DATE '2020-02-03') = DATE '2020-01-01'", "year", 344},
	} {
		statement, err := db.Prepare(c.query)
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		defer statement.Close()
		var got int
		if err := statement.QueryRow(c.arg).Scan(&got); err != nil {
			t.Errorf("%s: %v", c.query, err)
		} else if got != c.want {
			t.Errorf("%s: %d, want %d", c.query, got, c.want)
		}
	}
}

// TestColumnsOfPlaceholders: the schema is known before the arguments are.
func TestColumnsOfPlaceholders(t *testing.T) {
	columns, err := parquetsql.Columns(context.Background(), openDir(t, "testdata"),
		"SELECT species, COUNT(*) AS n, ? AS p FROM penguins WHERE island = ? GROUP BY species LIMIT ?")
	if err != nil || fmt.Sprint(columns) != "[Species VARCHAR n BIGINT p NULL]" {
		t.Errorf("%v %v", columns, err)
	}
}
