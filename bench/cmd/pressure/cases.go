package main

import (
	"fmt"
	"slices"
	"strings"
)

// files are the tables, as DuckDB computes them, one file of each.
var files = map[string]string{
	"keys":   "SELECT 'key' || i AS key, i FROM range(20000) t(i)",
	"groups": "SELECT (i * 7919) % 4400000 AS k, 'name of ' || ((i * 7919) % 4400000) AS s, i AS v FROM range(6000000) t(i)",
	"wide":   "SELECT i, repeat(chr((65 + i)::INT), 50000000) AS w FROM range(20) t(i)", // one page of 1 GB
	"many":   "SELECT (i * 7919) % 12600000 AS k, i % 1000 AS j, 'row ' || i AS s FROM range(12600000) t(i)",
	"lists":  "SELECT i, range(i % 100 + 500) AS l FROM range(40000) t(i)", // 22 million elements
	"nested": "SELECT [(i * 7919) % 500000, i % 3] AS l, {'a': (i * 7919) % 500000, 'b': 'name of ' || ((i * 7919) % 500000)} AS s FROM range(1000000) t(i)",
	"fields": "SELECT " + listed(10000, "(i + %d) %% 1000 AS c%[1]d") + " FROM range(2000) t(i)",
	"broad":  "SELECT i, repeat('x', 9990) || lpad(i::VARCHAR, 10, '0') AS s FROM range(100000) t(i)",
}

// copies are tables of testdata/corrupt: pages that expand, or claim to, to much more than they should.
var copies = map[string]string{"zeros": "zstd-bomb.parquet", "claim": "page-uncompressed-2gib-zstd.parquet"}

// testCase is a query with an answer of one row, or with the same first row in both engines. Its
// name is that of a row of the table, as Markdown.
type testCase struct{ name, query, want string }

// refused is what is wanted of a query that must be an error.
const refused = "an error"

// all are the cases in the order of the table.
var all = slices.Concat(cases, broad)

var cases = []testCase{
	{name: "REPEAT", query: "SELECT CAST(SUM(LENGTH(REPEAT(key, 100000))) AS BIGINT) FROM keys", want: "1 rows, first 14889000000"},
	{name: "`MAX(LPAD(key, 10000000, 'ab'))`", query: "SELECT LENGTH(MAX(LPAD(key, 10000000, 'ab'))) FROM keys WHERE i < 200"},
	{name: "REPLACE", query: "SELECT CAST(SUM(LENGTH(REPLACE(REPEAT('a', 10000), 'a', key))) AS BIGINT) FROM keys"},
	{name: "CONCAT_WS", query: "SELECT CAST(SUM(LENGTH(CONCAT_WS(REPEAT('-', 50000), key, key, key))) AS BIGINT) FROM keys"},
	{name: "SPACE", query: "SELECT CAST(SUM(LENGTH(SPACE(100000 + i))) AS BIGINT) FROM keys", want: "1 rows, first 2199990000"},
	{name: "STRFTIME", query: "SELECT CAST(SUM(LENGTH(STRFTIME(DATE '2024-01-01' + CAST(i AS INTEGER), REPEAT('%Y-', 20000)))) AS BIGINT) FROM keys", want: "1 rows, first 2000000000"},
	{name: "`\\|\\|`", query: "SELECT CAST(SUM(LENGTH(REPEAT(key, 10000) || REPEAT(key, 10000))) AS BIGINT) FROM keys", want: "1 rows, first 2977800000"},
	{name: "REGEXP_REPLACE", query: "SELECT CAST(SUM(LENGTH(REGEXP_REPLACE(REPEAT('a', 10000), 'a', key, 'g'))) AS BIGINT) FROM keys WHERE i < 100"},
	{name: "LIST", query: "SELECT CAST(SUM(LENGTH(RANGE(100000 + i))) AS BIGINT) FROM keys WHERE i < 2000"},
	{name: "`STRING_AGG(key, REPEAT('-', 1000))`, 20 MB", query: "SELECT LENGTH(STRING_AGG(key, REPEAT('-', 1000))) FROM keys"},
	{name: "`GROUP BY k`, 4.4 million groups", query: "SELECT COUNT(*), CAST(SUM(c) AS BIGINT) FROM (SELECT k, COUNT(*) AS c FROM groups GROUP BY k) t"},
	{name: "`GROUP BY s`, 4.4 million texts", query: "SELECT COUNT(*), CAST(SUM(c) AS BIGINT) FROM (SELECT s, COUNT(*) AS c FROM groups GROUP BY s) t"},
	{name: "`GROUP BY k, j, s`, 12.6 million groups", query: "SELECT COUNT(*), CAST(SUM(c) AS BIGINT) FROM (SELECT k, j, s, COUNT(*) AS c FROM many GROUP BY k, j, s) t"},
	{name: "`SELECT DISTINCT s, k`", query: "SELECT COUNT(*) FROM (SELECT DISTINCT s, k FROM groups) t"},
	{name: "`COUNT(DISTINCT s), COUNT(DISTINCT k)`", query: "SELECT COUNT(DISTINCT s), COUNT(DISTINCT k) FROM groups"},
	{name: "sort: `ORDER BY s`, 6 million texts", query: "SELECT s FROM groups ORDER BY s"},
	{name: "top-n: the first million of them", query: "SELECT s FROM groups ORDER BY s LIMIT 1000000"},
	{name: "join: `a.s = b.s`, 6 million texts with 6 million", query: "SELECT COUNT(*) FROM groups a JOIN groups b ON a.s = b.s"},
	{name: "join: 100,000 texts of 10 KB with 6 million rows", query: "SELECT MAX(b.s), MAX(a.s) FROM broad b LEFT JOIN groups a ON a.v = b.i"},
	{name: "window: `ROW_NUMBER() OVER (PARTITION BY … ORDER BY …)`, 6 million rows", query: "SELECT CAST(SUM(r) AS BIGINT) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY k % 1000 ORDER BY v) AS r FROM groups) t"},
	{name: "`ORDER BY` of 20 texts of 50 MB, in pages of 100 MB", query: "SELECT w FROM wide ORDER BY w DESC"},
	{name: "`GROUP BY` of them", query: "SELECT COUNT(*), CAST(SUM(LENGTH(w)) AS BIGINT) FROM (SELECT w FROM wide GROUP BY w) t"},
	{name: "`SELECT *` of them", query: "SELECT * FROM wide"},
	{name: "`GROUP BY` of 100,000 texts of 10 KB, in one page for each row group", query: "SELECT COUNT(*), CAST(SUM(LENGTH(s)) AS BIGINT) FROM (SELECT s FROM broad GROUP BY s) t"},
	{name: "`ORDER BY` of those", query: "SELECT s FROM broad ORDER BY s DESC"},
	{name: "the last 50,000 of them", query: "SELECT s FROM broad ORDER BY s DESC LIMIT 50000"},
	{name: "`ROLLUP` of them", query: "SELECT COUNT(*), MAX(c) FROM (SELECT s, i % 3, COUNT(*) AS c FROM broad GROUP BY ROLLUP (s, i % 3)) t"},
	{name: "`DISTINCT ON (i % 50000) … ORDER BY …` of them", query: "SELECT COUNT(*), MAX(s) FROM (SELECT DISTINCT ON (i % 50000) s FROM broad ORDER BY i % 50000, i) t"},
	{name: "ASOF join of them with themselves", query: "SELECT COUNT(*), MAX(b.s) FROM broad a ASOF JOIN broad b ON a.i >= b.i"},
	{name: "`FULL JOIN` of them with themselves", query: "SELECT COUNT(*), MAX(a.s) FROM broad a FULL JOIN broad b ON a.s = b.s"},
	{name: "`s IN (SELECT s …)` of them", query: "SELECT COUNT(*) FROM broad WHERE s IN (SELECT s FROM broad WHERE i > 7)"},
	{name: "1,000 columns of a result", query: "SELECT " + listed(1000, "i + %d") + " FROM keys"},
	{name: "10,000 columns of a file", query: "SELECT * FROM fields"},
	{name: "10,000 columns of a file, sorted", query: "SELECT * FROM fields ORDER BY c17, c18"},
	{name: "10,000 columns of a result", query: "SELECT " + listed(10000, "i + %d") + " FROM keys WHERE i < 2000"},
	{name: "20,000 conditions", query: "SELECT COUNT(*) FROM keys WHERE " + joined(20000, "(3 * i + %d) %% 1000003 <> 7", " AND "), want: "1 rows, first 19997"},
	{name: "`ORDER BY` 500 keys", query: "SELECT v FROM groups WHERE v < 50000 ORDER BY " + listed(500, "(v * 7919 + %d) %% 3") + ", v"},
	{name: "`GROUP BY` 500 keys", query: "SELECT COUNT(*), CAST(SUM(c) AS BIGINT) FROM (SELECT COUNT(*) AS c FROM groups WHERE v < 100000 GROUP BY " + listed(500, "(v %% 50000 + %d) %% 50023") + ") t"},
	{name: "`STRING_AGG` of 6 million texts in 500,000 groups", query: "SELECT COUNT(*), CAST(SUM(LENGTH(t)) AS BIGINT) FROM (SELECT STRING_AGG(s, ',') AS t FROM groups GROUP BY k % 500000) t"},
	{name: "`LIST` of those", query: "SELECT COUNT(*), CAST(SUM(LENGTH(t)) AS BIGINT) FROM (SELECT LIST(s) AS t FROM groups GROUP BY k % 500000) t"},
	{name: "`MEDIAN` of numbers in 500,000 groups", query: "SELECT COUNT(*), CAST(SUM(m) AS BIGINT) FROM (SELECT MEDIAN(k) AS m FROM groups GROUP BY k % 500000) t"},
	{name: "`COUNT(DISTINCT s)` in 1,000 groups", query: "SELECT COUNT(*), CAST(SUM(c) AS BIGINT) FROM (SELECT COUNT(DISTINCT s) AS c FROM groups GROUP BY k % 1000) t"},
	{name: "`COUNT(DISTINCT s)` in `ROLLUP`", query: "SELECT COUNT(*), CAST(SUM(c) AS BIGINT) FROM (SELECT k % 1000 AS a, v % 7 AS b, COUNT(DISTINCT s) AS c FROM groups GROUP BY ROLLUP (a, b)) t"},
	{name: "`UNNEST`, 22 million elements", query: "SELECT COUNT(*), CAST(SUM(x) AS BIGINT) FROM (SELECT UNNEST(l) AS x FROM lists) t"},
	{name: "`GROUP BY` of those", query: "SELECT COUNT(*), CAST(SUM(x * c) AS BIGINT) FROM (SELECT x, COUNT(*) AS c FROM (SELECT UNNEST(l) AS x FROM lists) t GROUP BY x) t"},
	{name: "`LAG` of 100,000 texts of 10 KB", query: "SELECT CAST(SUM(LENGTH(p)) AS BIGINT) FROM (SELECT LAG(s) OVER (ORDER BY i) AS p FROM broad) t"},
	{name: "`LAG` and `LEAD` of them over other partitions", query: "SELECT CAST(SUM(LENGTH(p) + LENGTH(q)) AS BIGINT) FROM (SELECT LAG(s) OVER (PARTITION BY i % 10 ORDER BY i) AS p, LEAD(s) OVER (PARTITION BY i % 7 ORDER BY i) AS q FROM broad) t"},
	{name: "`ROW_NUMBER()` of those, with them", query: "SELECT CAST(SUM(LENGTH(s) + r) AS BIGINT) FROM (SELECT s, ROW_NUMBER() OVER (ORDER BY i) AS r FROM broad) t"},
	{name: "`MAX(s) OVER (ORDER BY i)` of those", query: "SELECT CAST(SUM(LENGTH(m)) AS BIGINT), MAX(m[9990:]) FROM (SELECT MAX(s) OVER (ORDER BY i) AS m FROM broad) t"},
	{name: "`ROW_NUMBER() OVER (ORDER BY v)`, 6 million rows in one partition", query: "SELECT CAST(SUM(r * (v % 100)) AS BIGINT) FROM (SELECT v, ROW_NUMBER() OVER (ORDER BY v) AS r FROM groups) t"},
	{name: "`RANK`, `DENSE_RANK` and `NTILE` of them", query: "SELECT CAST(SUM(a) AS BIGINT), CAST(SUM(b) AS BIGINT), CAST(SUM(c * (v % 100)) AS BIGINT) FROM (SELECT v, RANK() OVER (ORDER BY v / 10) AS a, DENSE_RANK() OVER (ORDER BY v / 10) AS b, NTILE(1000) OVER (ORDER BY v) AS c FROM groups) t"},
	{name: "`SUM(v) OVER (ORDER BY v)` of them", query: "SELECT CAST(SUM(x % 1000) AS BIGINT) FROM (SELECT SUM(v) OVER (ORDER BY v) AS x FROM groups) t"},
	{name: "`COUNT(*) OVER ()` and `MAX(s) OVER ()` of them", query: "SELECT MAX(m), CAST(SUM(c) AS BIGINT) FROM (SELECT COUNT(*) OVER () AS c, MAX(s) OVER () AS m FROM groups) t"},
	{name: "`AVG(k)` over `ROWS 1000 PRECEDING` of them", query: "SELECT CAST(SUM(CAST(x AS BIGINT)) AS BIGINT) FROM (SELECT AVG(CAST(k AS DOUBLE)) OVER (ORDER BY v ROWS 1000 PRECEDING) AS x FROM groups) t"},
	{name: "`MIN(s)` over all rows behind them", query: "SELECT CAST(SUM(LENGTH(x)) AS BIGINT) FROM (SELECT MIN(s) OVER (ORDER BY v ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS x FROM groups) t"},
	{name: "`SUM(k)` over `RANGE 100000 PRECEDING` of them", query: "SELECT CAST(SUM(x % 1000) AS BIGINT) FROM (SELECT SUM(k) OVER (ORDER BY v RANGE BETWEEN 100000 PRECEDING AND 10 PRECEDING) AS x FROM groups) t"},
	{name: "`MEDIAN(k)` and `COUNT(DISTINCT k % 100)` over `ROWS 100 PRECEDING` of them", query: "SELECT CAST(SUM(CAST(x * 2 AS BIGINT)) AS BIGINT), CAST(SUM(d) AS BIGINT) FROM (SELECT MEDIAN(k) OVER (ORDER BY v ROWS 100 PRECEDING) AS x, COUNT(DISTINCT k % 100) OVER (ORDER BY v ROWS 100 PRECEDING) AS d FROM groups) t"},
	{name: "`FIRST_VALUE` and `LAST_VALUE`, `IGNORE NULLS`, of them", query: "SELECT CAST(SUM(LENGTH(a)) AS BIGINT), CAST(SUM(b) AS BIGINT) FROM (SELECT FIRST_VALUE(s) OVER (ORDER BY v) AS a, LAST_VALUE(CASE WHEN k % 1000 = 0 THEN k END IGNORE NULLS) OVER (ORDER BY v) AS b FROM groups) t"},
	{name: "`DISTINCT ON (s) … ORDER BY s, v`, 6 million rows", query: "SELECT COUNT(*), CAST(SUM(v) AS BIGINT) FROM (SELECT DISTINCT ON (s) v FROM groups ORDER BY s, v) t"},
	{name: "`WITH RECURSIVE … UNION`, 3 million rows", query: "WITH RECURSIVE r(n, s) AS (SELECT 0, s FROM groups WHERE v < 1000000 UNION SELECT n + 1, s FROM r WHERE n < 2) SELECT COUNT(*), CAST(SUM(LENGTH(s)) AS BIGINT) FROM r"},
	{name: "`WITH RECURSIVE … UNION ALL`, 3 million rows", query: "WITH RECURSIVE r(n, s) AS (SELECT 0, s FROM groups WHERE v < 1000000 UNION ALL SELECT n + 1, s FROM r WHERE n < 2) SELECT COUNT(*), CAST(SUM(LENGTH(s)) AS BIGINT) FROM r"},
	{name: "`WITH … AS MATERIALIZED`, 6 million rows, read twice", query: "WITH c AS MATERIALIZED (SELECT s, v FROM groups) SELECT COUNT(*) FROM c a JOIN c b ON a.v = b.v"},
	{name: "`WITH … AS MATERIALIZED`, 100,000 texts of 10 KB, read twice", query: "WITH c AS MATERIALIZED (SELECT s, i FROM broad) SELECT COUNT(*), MAX(a.s) FROM c a JOIN c b ON a.i = b.i + 1"},
	{name: "`WITH RECURSIVE … UNION ALL` of those", query: "WITH RECURSIVE r(n, s) AS (SELECT 0, s FROM broad UNION ALL SELECT n + 1, s FROM r WHERE n < 1) SELECT COUNT(*), MAX(s) FROM r"},
	{name: "`PIVOT` of 200,000 groups and 50 columns", query: "SELECT COUNT(*) FROM (PIVOT (SELECT k % 200000 AS g, v % 50 AS p, v FROM groups) ON p USING SUM(v) GROUP BY g) t"},
	{name: "`UNION` of 20 SELECTs of texts", query: "SELECT COUNT(*) FROM (" + joined(20, "SELECT s FROM groups WHERE v %% 20 = %d", " UNION ") + ") t"},
	{name: "`EXCEPT` of 6 million texts", query: "SELECT COUNT(*) FROM (SELECT s FROM groups EXCEPT SELECT s FROM groups WHERE v % 2 = 0) t"},
	{name: "`GROUP BY` a list and a struct, a million", query: "SELECT COUNT(*), CAST(SUM(c) AS BIGINT) FROM (SELECT l, s, COUNT(*) AS c FROM nested GROUP BY l, s) t"},
	{name: "`ORDER BY` those", query: "SELECT l[1] FROM nested ORDER BY s, l"},
	{name: "`GROUP BY` in an encrypted file, a million texts", query: "SELECT COUNT(*), CAST(SUM(c) AS BIGINT) FROM (SELECT s, COUNT(*) AS c FROM hidden GROUP BY s) t", want: "1 rows, first 1000000 2000000"},
	{name: "`ORDER BY` in it", query: "SELECT s FROM hidden ORDER BY s", want: "2000000 rows, first name of 0"},
	{name: "ASOF join with 6 million rows", query: "SELECT COUNT(*), CAST(SUM(LENGTH(b.s)) AS BIGINT) FROM (SELECT k FROM groups WHERE v < 1000000) a ASOF JOIN groups b ON a.k >= b.v"},
	{name: "`ST_Intersects` of 300,000 points and 1,000 boxes", query: "SELECT COUNT(*) FROM (SELECT ST_Point(k % 1000, k % 997) AS p FROM groups WHERE v < 300000) a JOIN (SELECT ST_MakeEnvelope(i, 0, i + 0.5, 1000) AS e FROM keys WHERE i < 1000) b ON ST_Intersects(a.p, b.e)", want: "1 rows, first 300000"},
	{name: "`json_tree` of a million values", query: "SELECT COUNT(*) FROM json_tree('[' || REPEAT('1,', 999999) || '1]')", want: "1 rows, first 1000001"},
	{name: "`MODE` of 6 million texts in 500,000 groups", query: "SELECT COUNT(*) FROM (SELECT MODE(s) AS m FROM groups GROUP BY k % 500000) t WHERE m LIKE 'name of %'"},
	{name: "`MEDIAN` of 2 million texts", query: "SELECT MEDIAN(s) FROM groups WHERE v % 3 = 0"},
	{name: "`HISTOGRAM` of 2 million texts", query: "SELECT CARDINALITY(HISTOGRAM(s)) FROM groups WHERE v < 2000000"},
	{name: "`LIST` of a million structs in 1,000 groups", query: "SELECT COUNT(*), CAST(SUM(LENGTH(l)) AS BIGINT) FROM (SELECT LIST(s) AS l FROM nested GROUP BY s.a % 1000) t"},
	{name: "functions of lists, 22 million elements", query: "SELECT CAST(SUM(LIST_SUM(l) + LENGTH(LIST_DISTINCT(l)) + LENGTH(LIST_REVERSE_SORT(l))) AS BIGINT) FROM lists"},
	{name: "100,000 nested IN", query: "SELECT 1 WHERE " + strings.Repeat("1 IN (", 100000) + "1" + strings.Repeat(")", 100000), want: refused},
	{name: "footer of 4 million empty structs", query: "SELECT COUNT(*) FROM footer", want: "1 rows, first 20000"},
	{name: "page that expands", query: "SELECT * FROM zeros", want: refused},
	{name: "page that claims 2 GiB", query: "SELECT * FROM claim", want: refused},
}

// listed is n expressions with commas between them.
func listed(n int, format string) string { return joined(n, format, ", ") }

// joined is n texts with their numbers.
func joined(n int, format, between string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(list, between)
}
