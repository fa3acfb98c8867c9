package parquetsql_test

import (
	"context"
	"database/sql"
	"os"
	"regexp"
	"strconv"
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

// TestFiguresOfPages compares numbers in pages with what they count: the names of functions, and how deep
// statements may nest.
func TestFiguresOfPages(t *testing.T) {
	db, err := sql.Open("parquet", "testdata")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	said := func(page, pattern string) int {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(pattern).FindSubmatch(text)
		if found == nil {
			t.Fatalf("%s has no %s", page, pattern)
		}
		n, err := strconv.Atoi(strings.ReplaceAll(string(found[1]), ",", ""))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}

	rows, err := db.Query("SHOW FUNCTIONS")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names := map[string]bool{}
	for rows.Next() {
		var name, kind, signature, help, example string
		if err := rows.Scan(&name, &kind, &signature, &help, &example); err != nil {
			t.Fatal(err)
		}
		names[name] = true
	}
	if n := said("README.md", `under more than ([0-9]+) names`); rows.Err() != nil || len(names) <= n || len(names) > n+150 {
		t.Errorf("functions have %d names, and the page says more than %d: %v", len(names), n, rows.Err())
	}

	deep := said("docs/reliability.md", `(?m)^\| nested .* \| ([0-9,]+) \|$`)
	for n, fails := range map[int]bool{deep / 2: false, deep + 1: true} {
		var one int
		err := db.QueryRow("SELECT " + strings.Repeat("(", n) + "1" + strings.Repeat(")", n)).Scan(&one)
		if fails != (err != nil) || fails && !strings.Contains(err.Error(), strconv.Itoa(deep)+" levels") {
			t.Errorf("%d parentheses: %v", n, err)
		}
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
