package enginetest

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestClaims: metadata that says of the pages what is not so loses no row.
func TestClaims(t *testing.T) {
	for _, options := range []string{"", "?pruning=off"} {
		db := openDir(t, "testdata/files/crafted/claims_dictionary.parquet"+options)
		for _, column := range []string{"few", `"all"`, "v2", "encodings"} {
			for condition, want := range map[string]string{
				"%s = 'c'": "4", "%s IN ('dd', 'x')": "6", "%s LIKE 'd%%'": "6", "%s = ''": "7", "LENGTH(%s) <> 1": "13", "%s = 'b'": "41", "%s NOT IN ('a', 'b')": "17",
			} {
				query := "SELECT SUM(id) FROM claims_dictionary WHERE " + fmt.Sprintf(condition, column)
				if got := one[string](t, db, query); got != want {
					t.Errorf("%q, %s: %s, want %s", options, query, got, want)
				}
			}
		}
		db = openDir(t, "testdata/files/crafted/claims_nulls.parquet"+options)
		for _, column := range []string{"right", "low", "all_low", "high", "null_pages", "histogram"} {
			for condition, want := range map[string]string{`"%s" IS NULL`: "6", `"%s" IS NOT NULL`: "6", `"%s" > 1`: "5", `"%s" < 3 OR "%[1]s" IS NULL`: "8", `COALESCE("%s", 0) = 0`: "6"} {
				query := "SELECT COUNT(*) FROM claims_nulls WHERE " + fmt.Sprintf(condition, column)
				if got := one[string](t, db, query); got != want {
					t.Errorf("%q, %s: %s, want %s", options, query, got, want)
				}
			}
		}
	}
	// Where the claims are right they still prune.
	var counts struct {
		Scans []struct {
			Pruned int64 `json:"pages_pruned"`
		}
	}
	plan := one[string](t, openDir(t, "testdata/files/crafted/claims_nulls.parquet"), `EXPLAIN ANALYZE FORMAT=JSON SELECT "right" FROM claims_nulls WHERE "right" IS NULL`)
	if err := json.Unmarshal([]byte(plan), &counts); err != nil || len(counts.Scans) != 1 || counts.Scans[0].Pruned != 1 {
		t.Errorf("%s, %v", plan, err)
	}
}
