package main

// files are the tables, as DuckDB computes them, one file of each.
var files = map[string]string{
	"keys":   "SELECT 'key' || i AS key, i FROM range(20000) t(i)",
	"groups": "SELECT (i * 7919) % 4400000 AS k, 'name of ' || ((i * 7919) % 4400000) AS s, i AS v FROM range(6000000) t(i)",
	"wide":   "SELECT i, repeat(chr((65 + i)::INT), 50000000) AS w FROM range(20) t(i)", // one page of 1 GB
	"broad":  "SELECT i, repeat('x', 9990) || lpad(i::VARCHAR, 10, '0') AS s FROM range(100000) t(i)",
}

// testCase is a query with an answer of one row, or with the same first row in both engines.
type testCase struct{ name, query, want string }

var cases = []testCase{
	{name: "REPEAT", query: "SELECT CAST(SUM(LENGTH(REPEAT(key, 100000))) AS BIGINT) FROM keys", want: "1 rows, first 14889000000"},
	{name: "MAX of LPAD", query: "SELECT LENGTH(MAX(LPAD(key, 10000000, 'ab'))) FROM keys WHERE i < 200"},
	{name: "REPLACE", query: "SELECT CAST(SUM(LENGTH(REPLACE(REPEAT('a', 10000), 'a', key))) AS BIGINT) FROM keys"},
	{name: "CONCAT_WS", query: "SELECT CAST(SUM(LENGTH(CONCAT_WS(REPEAT('-', 50000), key, key, key))) AS BIGINT) FROM keys"},
	{name: "LIST", query: "SELECT CAST(SUM(LENGTH(RANGE(100000 + i))) AS BIGINT) FROM keys WHERE i < 2000"},
	{name: "STRING_AGG", query: "SELECT LENGTH(STRING_AGG(key, REPEAT('-', 1000))) FROM keys"},
	{name: "GROUP BY number", query: "SELECT COUNT(*), CAST(SUM(c) AS BIGINT) FROM (SELECT k, COUNT(*) AS c FROM groups GROUP BY k) t"},
	{name: "GROUP BY text", query: "SELECT COUNT(*), CAST(SUM(c) AS BIGINT) FROM (SELECT s, COUNT(*) AS c FROM groups GROUP BY s) t"},
	{name: "DISTINCT", query: "SELECT COUNT(*) FROM (SELECT DISTINCT s, k FROM groups) t"},
	{name: "COUNT(DISTINCT)", query: "SELECT COUNT(DISTINCT s), COUNT(DISTINCT k) FROM groups"},
	{name: "sort", query: "SELECT s FROM groups ORDER BY s"},
	{name: "top-n", query: "SELECT s FROM groups ORDER BY s LIMIT 1000000"},
	{name: "join", query: "SELECT COUNT(*) FROM groups a JOIN groups b ON a.s = b.s"},
	{name: "window", query: "SELECT CAST(SUM(r) AS BIGINT) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY k % 1000 ORDER BY v) AS r FROM groups) t"},
	{name: "wide ORDER BY", query: "SELECT w FROM wide ORDER BY w DESC"},
	{name: "wide GROUP BY", query: "SELECT COUNT(*), CAST(SUM(LENGTH(w)) AS BIGINT) FROM (SELECT w FROM wide GROUP BY w) t"},
	{name: "wide *", query: "SELECT * FROM wide"},
	{name: "broad GROUP BY", query: "SELECT COUNT(*), CAST(SUM(LENGTH(s)) AS BIGINT) FROM (SELECT s FROM broad GROUP BY s) t"},
	{name: "broad ORDER BY", query: "SELECT s FROM broad ORDER BY s DESC"},
}
