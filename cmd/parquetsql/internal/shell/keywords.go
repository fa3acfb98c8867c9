package shell

import (
	"slices"
	"strings"
)

// reserved has the words that begin a clause or belong to an expression: a column of such
// a name needs quotes.
const reserved = `ALL AND ANY AS ASC BETWEEN BY CASE CAST CROSS DESC DISTINCT ELSE END EXCEPT EXISTS FALSE FROM FULL
GROUP HAVING IN INNER INTERSECT INTERVAL IS JOIN LATERAL LEFT LIKE LIMIT NATURAL NOT NULL OFFSET ON OR ORDER OUTER
PIVOT QUALIFY RIGHT SELECT THEN TRUE UNION UNPIVOT USING VALUES WHEN WHERE WINDOW WITH`

// others are keywords that are names as well.
const others = `ANALYZE ANTI ASOF COLUMNS CUBE DATE DESCRIBE EXCLUDE EXPLAIN FILTER FIRST FOLLOWING FUNCTIONS GLOB GROUPING
ILIKE LAST MATERIALIZED NULLS OVER PARTITION POSITIONAL PRECEDING RANGE RECURSIVE RENAME REPLACE ROLLUP ROWS SAMPLE SEMI
SETS SHOW SIMILAR SUMMARIZE TABLES TABLESAMPLE TIMESTAMP TRY_CAST UNBOUNDED UNNEST WITHIN`

func isReserved(name string) bool {
	return slices.Contains(strings.Fields(reserved), strings.ToUpper(name))
}

// isKeyword reports whether a word may be a keyword.
func isKeyword(word string) bool {
	return isReserved(word) || slices.Contains(strings.Fields(others), strings.ToUpper(word))
}

// keywords returns the keywords that begin so, in the case that the user types.
func keywords(prefix string) (found []string) {
	for _, k := range strings.Fields(reserved + " " + others) {
		if hasPrefix(k, prefix) {
			found = append(found, asTyped(k, prefix))
		}
	}
	return found
}
