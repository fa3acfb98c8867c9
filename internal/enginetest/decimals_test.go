package enginetest

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// TestDecimalHugeScale: a file of a few hundred bytes says that its decimals have two billion
// digits behind the point. No query writes them.
func TestDecimalHugeScale(t *testing.T) {
	const file = "decimal_huge_scale"
	before := leaktest.Allocated()
	for _, options := range []string{"?memory_limit=64MiB", "?memory_limit=64MiB&pruning=off"} {
		db := openDir(t, "testdata/files/crafted/"+file+".parquet"+options)
		for query, want := range map[string]string{
			"SELECT MIN(d)::VARCHAR || ' ' || MAX(d)::VARCHAR FROM t":             "-1.2E-2147483646 8.25110576E-2147483639",
			"SELECT CAST([d] AS VARCHAR) FROM t WHERE id = 2":                     "[5E-2147483647]",
			"SELECT TO_JSON({'d': d})::VARCHAR FROM t WHERE id = 3":               `{"d":-1.2E-2147483646}`,
			"SELECT min || ' ' || max FROM `t$columns` WHERE \"column\" = 'd'":    "-1.2E-2147483646 8.25110576E-2147483639",
			"SELECT COUNT(*) FROM `t$columns`":                                    "5",
			"SELECT COUNT(*) FROM `t$pages`":                                      "5",
			"SELECT min || ' ' || max FROM (SUMMARIZE t) WHERE column_name = 'd'": "-1.2E-2147483646 8.25110576E-2147483639",
			"SELECT STRING_AGG(id, ' ' ORDER BY d) FROM t":                        "3 4 2 1",
			"SELECT COUNT(DISTINCT d) FROM t":                                     "4",
			"SELECT SUM(d::DOUBLE) FROM t":                                        "0",
			"SELECT COUNT(*) FROM t WHERE d > 5":                                  "0",
			"SELECT COUNT(*) FROM t WHERE d < 5":                                  "4",
			"SELECT COUNT(*) FROM t WHERE d > 0.5":                                "0",
			"SELECT COUNT(*) FROM t WHERE d > -1.5":                               "4",
			"SELECT COUNT(*) FROM t WHERE d < '5'":                                "4",
			"SELECT COUNT(*) FROM t WHERE d >= 0":                                 "3",
			"SELECT COUNT(*) FROM t WHERE d IN (0, 5)":                            "1",
			"SELECT COUNT(*) FROM t WHERE d < id":                                 "4",
			"SELECT COUNT(*) FROM t WHERE d < whole":                              "2",
			"SELECT COUNT(*) FROM t WHERE exponent > d":                           "2",
			"SELECT COUNT(*) FROM t a JOIN t b ON a.d = b.whole":                  "1",
			"SELECT COUNT(*) FROM t WHERE exponent < 1 AND exponent > -1":         "4",
			"SELECT COUNT(*) FROM t WHERE digits < 0.001":                         "4",
			"SELECT COALESCE(d, 5)::VARCHAR FROM t WHERE id = 1":                  "0.0",
		} {
			query = strings.NewReplacer("FROM t", "FROM "+file, "JOIN t", "JOIN "+file, "`t$", "`"+file+"$", "SUMMARIZE t", "SUMMARIZE "+file).Replace(query)
			if got := one[string](t, db, query); got != want {
				t.Errorf("%q, %s: %s, want %s", options, query, got, want)
			}
		}
		if err := db.QueryRow("SELECT FILL(d) OVER (ORDER BY id) FROM " + file).Scan(new(any)); err == nil || !strings.Contains(err.Error(), "takes numbers") {
			t.Errorf("FILL: %v", err)
		}
	}
	if used := leaktest.Allocated() - before; used > 256<<20 { // one value with its zeros has two GiB
		t.Errorf("%d bytes allocated", used)
	}
}
