package enginetest

import (
	"strings"
	"testing"
)

// TestDeep asks what tools write with several hundred levels: 990 of expressions, 400 of derived
// tables, 100 of subqueries, which become joins.
func TestDeep(t *testing.T) {
	db := openDir(t, t.TempDir())
	for _, c := range []struct {
		open, inner, close string
		levels             int
		want               int64
	}{
		{"(", "7", ")", 990, 7},
		{"(x + ", "x", ")", 990, 991},
		{"ABS(-", "x", ")", 990, 1},
		{"CASE WHEN x = 2 THEN 3 ELSE ", "x", " END", 990, 1},
		{"COALESCE(NULLIF(x, 1), ", "x", ")", 900, 1},
		{"(NOT ", "x = 1", ")::INT", 40, 1},
		{"IF(x = 2 OR NOT (x < 0), ", "5", ", 6)", 900, 5},
		{"(SELECT ", "x", ")", 100, 1},
	} {
		text := "SELECT " + strings.Repeat(c.open, c.levels) + c.inner + strings.Repeat(c.close, c.levels) + " FROM (VALUES (1)) v(x)"
		var got int64
		if err := db.QueryRowContext(t.Context(), text).Scan(&got); err != nil || got != c.want {
			t.Errorf("%d times %q: %d, %.200v, want %d", c.levels, c.open, got, err, c.want)
		}
	}
	text := "SELECT MAX(x) FROM " + strings.Repeat("(SELECT x + 1 AS x FROM ", 400) + "(VALUES (1)) v(x)" + strings.Repeat(")", 400)
	if got := one[int64](t, db, text); got != 401 {
		t.Errorf("400 derived tables: %d, want 401", got)
	}
}
