package main

import "strings"

// scans read, and do little else.
var scans = []testCase{
	{"scan of texts", "SELECT SUM(LENGTH(w)) FROM wide"},
	{"scan of long pages", "SELECT SUM(LENGTH(w)) FROM pages"},
	{"footers by the thousand", "SELECT COUNT(*) FROM many WHERE i > 5"},
	{"texts as rows", "SELECT w FROM wide"},
	{"scan of lists", "SELECT SUM(LEN(xs)) FROM lists"},
	{"lists as rows", "SELECT xs FROM lists"},
}

// planned are long statements.
var planned = []testCase{
	{"planning of many items", "SELECT " + listed(10_000, "v + %d", ", ") + " FROM groups LIMIT 0"},
	{"planning of many conditions", "SELECT COUNT(*) FROM groups WHERE " + listed(50_000, "v + 1 = %d", " OR ") + " LIMIT 0"},
	{"planning of a long IN", "SELECT COUNT(*) FROM groups WHERE k IN (" + listed(300_000, "%d", ", ") + ")"},
	{"planning of many arguments", "SELECT COALESCE(" + listed(300_000, "k+%d", ", ") + ") FROM groups LIMIT 0"},
	{"planning of a long list", "SELECT LEN([" + listed(300_000, "k+%d", ", ") + "]) FROM groups LIMIT 0"},
	{"planning of a long CONCAT", "SELECT CONCAT(" + listed(300_000, "v*%d", ", ") + ") FROM groups LIMIT 0"},
	{"planning of a long CASE", "SELECT CASE " + listed(100_000, "WHEN v=%d THEN k", " ") + " END FROM groups LIMIT 0"},
	{"planning of a long switch", "SELECT CASE v " + listed(100_000, "WHEN %[1]d THEN '%[1]d'", " ") + " END FROM groups LIMIT 0"},
	{"planning of many predicates", "SELECT COUNT(*) FROM groups WHERE " + listed(100_000, "v <> %d", " AND ")},
	{"planning of many likes", "SELECT COUNT(*) FROM groups WHERE " + listed(50_000, "s LIKE '%%%d%%'", " OR ")},
	{"planning of many groups", "SELECT COUNT(*) FROM groups GROUP BY " + listed(20_000, "v + %d", ", ") + " LIMIT 0"},
	{"planning of many sort keys", "SELECT k FROM groups ORDER BY " + listed(20_000, "v + %d", ", ") + " LIMIT 0"},
	{"planning of many aggregates", "SELECT " + listed(20_000, "SUM(v + %d)", ", ") + " FROM groups LIMIT 0"},
	{"planning of many windows", "SELECT " + listed(1_000, "SUM(v) OVER (ORDER BY k + %d)", ", ") + " FROM groups LIMIT 0"},
	{"planning of many tables", "SELECT COUNT(*) FROM " + listed(900, "groups AS t%d", ", ") + " WHERE " + listed(899, "t%d.k = t0.k", " AND ") + " LIMIT 0"},
	{"planning of many unions", "SELECT COUNT(*) FROM (" + listed(900, "SELECT k + %d FROM groups", " UNION ALL ") + ") LIMIT 0"},
	{"planning of many CTEs", "WITH t0 AS (SELECT k FROM groups), " + chained(900, "t%d AS (SELECT a.k FROM t%d a)") + " SELECT COUNT(*) FROM t900 LIMIT 0"},
	{"planning of many subqueries", "SELECT " + listed(450, "(SELECT MAX(k) FROM groups b WHERE b.v = a.v + %d)", ", ") + " FROM groups a LIMIT 0"},
	{"planning of many rows", "SELECT COUNT(*) FROM (VALUES " + listed(200_000, "(%d, 'a')", ", ") + ") t(a, b)"},
	{"planning of many sets", "SELECT COUNT(*) FROM groups GROUP BY CUBE (" + listed(12, "v + %d", ", ") + ") LIMIT 0"},
	{"planning of a long PIVOT", "PIVOT groups ON v IN (" + listed(1_900, "%d", ", ") + ") USING SUM(k) GROUP BY s LIMIT 0"},
	{"planning of a long struct", "SELECT {" + listed(50_000, "a%[1]d: k + %[1]d", ", ") + "} FROM groups LIMIT 0"},
	{"planning of a long constant", "SELECT LENGTH(REPEAT('" + strings.Repeat("é", 1_500_000) + "', 1)) FROM groups LIMIT 0"},
	{"planning of long patterns", "SELECT COUNT(*) FROM groups WHERE REGEXP_MATCHES(s, '" + listed(50_000, "name%d", "|") + "')"},
}
