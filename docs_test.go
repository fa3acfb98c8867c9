package parquetsql_test

import (
	"context"
	"database/sql"
	"os"
	"regexp"
	"strings"
	"testing"

	_ "github.com/parquetsql/parquetsql"
)

// TestRecipes runs every query of docs/recipes.md over testdata: each must have rows,
// unless it looks for what should not be there.
func TestRecipes(t *testing.T) {
	page, err := os.ReadFile("docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("parquet", "testdata")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	count := 0
	for _, block := range regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		for text := range strings.SplitSeq(block[1], ";\n") {
			if text == "" {
				continue
			}
			count++
			rows, err := countRows(db, text)
			if err != nil || rows == 0 && !strings.Contains(text, "ANTI JOIN") {
				t.Errorf("%d rows, %v:\n%s", rows, err, text)
			}
		}
	}
	if count < 15 {
		t.Errorf("the page has %d queries only", count)
	}
}

func countRows(db *sql.DB, text string) (n int, err error) {
	rows, err := db.QueryContext(context.Background(), text)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}
