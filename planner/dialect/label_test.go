package dialect

import (
	"context"
	"testing"
)

// TestCutStatements parses statements that end at any byte: what encloses the tokens that a column is
// named by may not end.
func TestCutStatements(t *testing.T) {
	for _, sql := range []string{
		"SELECT ((SELECT COUNT(x) FROM t)), CASE WHEN a THEN CASE b WHEN 1 THEN 2 ELSE (c) END ELSE d END, CAST(CASE WHEN x THEN y ELSE z END AS INTEGER) AS q FROM t",
		"SELECT f(a, [1, 2], {'x': (3)}), x[1:2], (a, b)::VARCHAR, TRIM(LEADING 'x' FROM y), t.\"c\" AT TIME ZONE 'UTC', INTERVAL '1' DAY, DATE '2024-01-01' COLLATE NOCASE",
	} {
		for end := range len(sql) {
			_, _, _ = Parse(context.Background(), sql[:end])
		}
	}
}
