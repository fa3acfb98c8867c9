package main

// broad are queries over 100,000 texts of 10 KB: one batch of them is 20 MB, so that whoever keeps
// a batch that is not charged is past the promise.
var broad = []testCase{
	{name: "texts of 10 KB: `UNION` of them", query: "SELECT COUNT(*) FROM (SELECT s FROM broad WHERE i % 2 = 0 UNION SELECT s FROM broad) t"},
	{name: "texts of 10 KB: `EXCEPT` of them", query: "SELECT COUNT(*) FROM (SELECT s FROM broad EXCEPT SELECT s FROM broad WHERE i < 5) t"},
	{name: "texts of 10 KB: `MAX(s)` of 50,000 groups", query: "SELECT COUNT(*), MAX(m) FROM (SELECT MAX(s) AS m FROM broad GROUP BY i % 50000) t"},
	{name: "texts of 10 KB: `FIRST(s ORDER BY i DESC)` of them", query: "SELECT COUNT(*), MAX(m) FROM (SELECT FIRST(s ORDER BY i DESC) AS m FROM broad GROUP BY i % 50000) t"},
	{name: "texts of 10 KB: `ARG_MAX(s, i)` of them", query: "SELECT COUNT(*), MAX(m) FROM (SELECT ARG_MAX(s, i) AS m FROM broad GROUP BY i % 50000) t"},
	{name: "texts of 10 KB: `LIST(s)` of 1,000 groups", query: "SELECT COUNT(*), MAX(LEN(m)) FROM (SELECT LIST(s) AS m FROM broad GROUP BY i % 1000) t"},
	{name: "texts of 10 KB: `STRING_AGG(s, ',')` of them", query: "SELECT COUNT(*), MAX(LENGTH(m)) FROM (SELECT STRING_AGG(s, ',') AS m FROM broad GROUP BY i % 1000) t"},
	{name: "texts of 10 KB: `MODE(s)` of them", query: "SELECT COUNT(*), MAX(LENGTH(m)) FROM (SELECT MODE(s) AS m FROM broad GROUP BY i % 1000) t"},
	{name: "texts of 10 KB: `COUNT(DISTINCT s)`", query: "SELECT COUNT(DISTINCT s) FROM broad"},
	{name: "texts of 10 KB: `COUNT(DISTINCT s)` of 100 groups", query: "SELECT COUNT(*), MAX(c) FROM (SELECT COUNT(DISTINCT s) AS c FROM broad GROUP BY i % 100) t"},
	{name: "texts of 10 KB: `ORDER BY i DESC LIMIT 10 OFFSET 90000`", query: "SELECT s FROM broad ORDER BY i DESC LIMIT 10 OFFSET 90000"},
	{name: "texts of 10 KB: `ROW_NUMBER() OVER (PARTITION BY s ORDER BY i)`", query: "SELECT COUNT(*), MAX(r) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY s ORDER BY i) AS r FROM broad) t"},
	{name: "texts of 10 KB: `s \\|\\| s`", query: "SELECT s || s FROM broad"},
	{name: "texts of 10 KB: `SELECT DISTINCT s`", query: "SELECT COUNT(*), MAX(s) FROM (SELECT DISTINCT s FROM broad) t"},
	{name: "texts of 10 KB: `MAX` of structs in 7 groups", query: "SELECT t.b % 7 AS g, COUNT(*), MAX(t.a) FROM (SELECT {'a': s, 'b': i} AS t FROM broad) x GROUP BY t.b % 7 ORDER BY g"},
	{name: "texts of 10 KB: `GROUP BY` structs", query: "SELECT COUNT(*) FROM (SELECT {'a': s, 'b': i} AS t, COUNT(*) FROM broad GROUP BY t) x"},
	{name: "texts of 10 KB: structs and lists, sorted", query: "SELECT t.a FROM (SELECT {'a': s, 'b': [s]} AS t, i FROM broad) x ORDER BY i DESC"},
	{name: "texts of 10 KB: `POSITIONAL JOIN`", query: "SELECT COUNT(*), MAX(b.s) FROM (SELECT i FROM broad) a POSITIONAL JOIN broad b"},
	{name: "texts of 10 KB: a product", query: "SELECT COUNT(*), MAX(b.s || a.key) FROM keys a, broad b WHERE a.i < 3"},
	{name: "texts of 10 KB: `UNNEST([s, s, s])`", query: "SELECT COUNT(*), MAX(x) FROM (SELECT UNNEST([s, s, s]) AS x FROM broad) t"},
	{name: "texts of 10 KB: `JSON_OBJECT('a', s, 'b', i)`", query: "SELECT COUNT(*), MAX(LENGTH(j::VARCHAR)) FROM (SELECT JSON_OBJECT('a', s, 'b', i) AS j FROM broad) t"},
	{name: "texts of 10 KB: a join by `BETWEEN`", query: "SELECT COUNT(*), MAX(a.s) FROM broad a JOIN broad b ON a.i BETWEEN b.i AND b.i + 1"},
	{name: "texts of 10 KB: `UPPER`, `REPLACE`", query: "SELECT SUM(LENGTH(UPPER(s)))::BIGINT, SUM(LENGTH(REPLACE(s, 'x', 'yy')))::BIGINT FROM broad"},
	{name: "texts of 10 KB: those behind 60,000 rows", query: "SELECT COUNT(*), MAX(s) FROM broad WHERE i > 60000"},
	{name: "texts of 10 KB: a join in which 60,000 rows have one key", query: "SELECT COUNT(*), MAX(a.s) FROM broad a JOIN (SELECT CASE WHEN i < 60000 THEN 7 ELSE i END AS i, s FROM broad) b ON a.i = b.i"},
	{name: "texts of 10 KB: `SELECT *`", query: "SELECT * FROM broad"},
}
