package dialect_test

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/planner/dialect"
)

// TestBounded feeds texts that would overflow a stack or take very long: those beyond
// a limit are refused with an error that names it, and long ones within it are read.
func TestBounded(t *testing.T) {
	const n = 200_000
	for _, c := range []struct {
		name, text string
		want       string // part of the error; empty: none
	}{
		{"not", "SELECT " + strings.Repeat("NOT ", n) + "a", "more than 1000 operators in a row"},
		{"minus", "SELECT " + strings.Repeat("- ", n) + "a", "more than 1000 operators in a row"},
		{"parentheses", "SELECT " + strings.Repeat("(", n) + "a" + strings.Repeat(")", n), "2000 levels"},
		{"alternating", "SELECT " + strings.Repeat("NOT (-", n) + "a" + strings.Repeat(")", n), "2000 levels"},
		{"calls", "SELECT " + strings.Repeat("f(", n) + "a" + strings.Repeat(")", n), "2000 levels"},
		{"cases", "SELECT " + strings.Repeat("CASE WHEN ", n), "2000 levels"},
		{"lists of IN", "SELECT " + strings.Repeat("1 IN (", n) + "a" + strings.Repeat(")", n), "2000 levels"},
		{"lists of NOT IN", "SELECT " + strings.Repeat("1 NOT IN (2, ", n) + "a" + strings.Repeat(")", n), "2000 levels"},
		{"ANY", "SELECT " + strings.Repeat("1 = ANY(", n) + "a" + strings.Repeat(")", n), "2000 levels"},
		{"brackets", "SELECT " + strings.Repeat("[", n) + "a" + strings.Repeat("]", n), "2000 levels"},
		{"structs", "SELECT " + strings.Repeat("{a: ", n) + "a" + strings.Repeat("}", n), "2000 levels"},
		{"subscripts", "SELECT " + strings.Repeat("a[", n) + "1" + strings.Repeat("]", n), "2000 levels"},
		{"windows", "SELECT " + strings.Repeat("sum(1) OVER (ORDER BY ", n/4) + "1", "2000 levels"},
		{"filters", "SELECT " + strings.Repeat("sum(1) FILTER (WHERE ", n/4) + "1", "2000 levels"},
		{"lambdas", "SELECT " + strings.Repeat("f(x -> ", n) + "1" + strings.Repeat(")", n), "2000 levels"},
		{"casts to lists", "SELECT CAST(a AS " + strings.Repeat("STRUCT(a ", n) + "INT" + strings.Repeat(")", n+1), "2000 levels"},
		{"joins in parentheses", "SELECT * FROM " + strings.Repeat("(a JOIN ", n) + "a" + strings.Repeat(" ON TRUE)", n), "2000 levels"},
		{"between", "SELECT " + strings.Repeat("a BETWEEN (b) AND (", n) + "a", "2000 levels"},
		{"exists of queries", "SELECT " + strings.Repeat("EXISTS (SELECT ", n) + "a", "500 subqueries"},
		{"with", strings.Repeat("WITH t AS (", n) + "SELECT 1", "2000 levels"},
		{"unions", strings.Repeat("(SELECT 1 UNION ", n) + "SELECT 1", "2000 levels"},
		{"grouping sets", "SELECT 1 FROM a GROUP BY " + strings.Repeat("GROUPING SETS (", n) + "a", "2000 levels"},
		{"collations", "SELECT a" + strings.Repeat(" COLLATE nocase", n), "more than 150 casts"},
		{"star", "SELECT " + strings.Repeat("COLUMNS(* EXCLUDE (a) REPLACE (", n/8) + "1", "2000 levels"},
		{"queries", "SELECT " + strings.Repeat("(SELECT ", n), "500 subqueries"},
		{"derived", "SELECT * FROM " + strings.Repeat("(", n), "2000 levels"},
		{"explain", strings.Repeat("EXPLAIN ", n) + "SELECT 1", "2000 levels"},
		{"casts", "SELECT a" + strings.Repeat("::int", n), "more than 150 casts"},
		{"arrows", "SELECT a" + strings.Repeat("->a", n), "more than 150 casts"},
		{"parts", "SELECT a" + strings.Repeat(".a", n), "more than 100 parts"},
		{"plus", "SELECT a" + strings.Repeat("+a", n), "more than 1000 operators"},
		{"is", "SELECT a" + strings.Repeat(" IS NULL", n), "more than 1000 operators"},
		{"joins", "SELECT * FROM a" + strings.Repeat(" JOIN a", n), "more than 1000 tables"},
		{"subqueries", "SELECT 1" + strings.Repeat(", (SELECT 1)", 501), "more than 500 subqueries"},
		{"exists", "SELECT 1 WHERE TRUE" + strings.Repeat(" AND EXISTS (SELECT 1)", 501), "more than 500 subqueries"},
		{"some subqueries", "SELECT 1" + strings.Repeat(", (SELECT 1)", 500), ""},
		{"and", "SELECT a" + strings.Repeat(" AND NOT a", 20_000), ""},
		{"or", "SELECT a" + strings.Repeat(" OR a = 1 AND b", 20_000), ""},
		{"in", "SELECT a IN (1" + strings.Repeat(",1", n) + ")", ""},
		{"items", "SELECT a" + strings.Repeat(",a", 20_000), ""},
		{"deep", "SELECT " + strings.Repeat("(", 990) + "a" + strings.Repeat(")", 990), ""},
		{"deep calls", "SELECT " + strings.Repeat("f(a, ", 990) + "a" + strings.Repeat(")", 990), ""},
		{"deep conditions", "SELECT " + strings.Repeat("a = 1 AND NOT (b OR ", 990) + "a" + strings.Repeat(")", 990), ""},
		{"deep cases", "SELECT " + strings.Repeat("CASE a WHEN 1 THEN 2 ELSE ", 990) + "a" + strings.Repeat(" END", 990), ""},
		{"deep lists", "SELECT " + strings.Repeat("[{'a': ", 500) + "a" + strings.Repeat("}]", 500), ""},
		{"deep IN", "SELECT " + strings.Repeat("a NOT IN (2, ", 900) + "a" + strings.Repeat(")", 900), ""},
		{"deep tables", "SELECT * FROM " + strings.Repeat("(SELECT * FROM ", 990) + "a" + strings.Repeat(")", 990), ""},
		{"long", strings.Repeat("x", 4<<20+1), "longer than 4 MiB"},
	} {
		_, _, err := dialect.Parse(t.Context(), c.text)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.200v, want %q", c.name, err, c.want)
		}
	}
}
