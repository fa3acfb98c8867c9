package main

// windows are over one partition of four million rows, with each kind of frame.
var windows = []testCase{
	{"window of offsets", "SELECT MAX(a) FROM (SELECT LAG(s, 1000, 'x') OVER (ORDER BY k) AS a, LEAD(v, 7) OVER (ORDER BY k) AS b FROM groups) t WHERE b > 0"},
	{"window of peers", "SELECT SUM(a + b) FROM (SELECT CUME_DIST() OVER (ORDER BY s) AS a, PERCENT_RANK() OVER (ORDER BY s) AS b FROM groups) t"},
	{"window frames of GROUPS", "SELECT SUM(r) FROM (SELECT SUM(v) OVER (ORDER BY k GROUPS BETWEEN 100 PRECEDING AND 100 FOLLOWING) AS r FROM groups) t"},
	{"window frames without a row", "SELECT SUM(r) FROM (SELECT SUM(v) OVER (ORDER BY k ROWS BETWEEN 100 PRECEDING AND 100 FOLLOWING EXCLUDE CURRENT ROW) AS r FROM groups) t"},
	{"window frames without a group", "SELECT MAX(r) FROM (SELECT MAX(v) OVER (ORDER BY k RANGE BETWEEN 100 PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE GROUP) AS r FROM groups) t"},
	{"window of nth values", "SELECT MAX(r) FROM (SELECT NTH_VALUE(s, 5) OVER (ORDER BY v ROWS BETWEEN 10 PRECEDING AND 10 FOLLOWING) AS r FROM groups) t"},
	{"window of the whole", "SELECT SUM(a), MAX(b) FROM (SELECT SUM(v) OVER () AS a, MAX(s) OVER () AS b FROM groups) t"},
	{"windows of several orders", "SELECT SUM(a + b + c) FROM (SELECT RANK() OVER (ORDER BY s) AS a, RANK() OVER (ORDER BY v DESC) AS b, RANK() OVER (PARTITION BY k % 7 ORDER BY s DESC) AS c FROM groups) t"},
}

// described are tables of what is known of files, of which there are 5,000.
var described = []testCase{
	{"files of many", "SELECT COUNT(*) FROM `many$files`"},
	{"columns of many", "SELECT COUNT(*) FROM `many$columns`"},
	{"pages of many", "SELECT COUNT(*) FROM `many$pages`"},
	{"metadata of many", "SELECT COUNT(*) FROM parquet_metadata('many/*.parquet')"},
	{"schema of many", "SELECT COUNT(*) FROM parquet_schema('many/*.parquet')"},
	{"DESCRIBE of many", "DESCRIBE many"},
	{"SUMMARIZE of many", "SUMMARIZE many"},
	{"EXPLAIN ANALYZE of a sort", "EXPLAIN ANALYZE SELECT s FROM groups ORDER BY s"},
}

// trees are what JSON, Variants and lists of a million elements become.
var trees = []testCase{
	{"json_tree", "SELECT COUNT(*) FROM docs, json_tree(docs.j) t"},
	{"json_each", "SELECT COUNT(*) FROM docs, json_each(docs.j) t"},
	{"JSON to VARIANT", "SELECT SUM(CARDINALITY(j::JSON::VARIANT)) FROM docs"},
	{"VARIANT to JSON", "SELECT SUM(LENGTH(j::JSON::VARIANT::VARCHAR)) FROM docs"},
	{"VARIANTs in order", "SELECT COUNT(*) FROM (SELECT j::JSON::VARIANT AS x FROM docs ORDER BY x) t"},
	{"VARIANT entries", "SELECT COUNT(*) FROM docs, UNNEST(VARIANT_ENTRIES(j::JSON::VARIANT)) t(e)"},
	{"JSON to lists", "SELECT SUM(LEN(FROM_JSON(j, '[\"JSON\"]'))) FROM docs"},
	{"lists to JSON", "SELECT SUM(LENGTH(TO_JSON(xs)::VARCHAR)) FROM lists"},
	{"GROUP BY of lists", "SELECT COUNT(*) FROM (SELECT xs, COUNT(*) FROM lists GROUP BY xs) t"},
	{"join of lists", "SELECT COUNT(*) FROM lists a JOIN lists b ON a.xs = b.xs"},
	{"ORDER BY of lists", "SELECT LEN(xs) FROM lists ORDER BY LIST_REVERSE(xs), xs"},
	{"UNNEST and GROUP BY", "SELECT COUNT(*) FROM (SELECT x, COUNT(*) FROM lists, UNNEST(xs) u(x) GROUP BY x) t"},
}

// sides are joins of geometries and of ranges.
var sides = []testCase{
	{"overlays of a grid", "SELECT SUM(ST_Area(ST_Intersection(s.g, ST_MakeEnvelope(x, y, x + 5, y + 5)))) FROM (SELECT ST_GeomFromText(g) AS g FROM shapes) s, RANGE(0, 100, 5) a(x), RANGE(0, 100, 5) b(y)"},
	{"differences of a grid", "SELECT SUM(ST_Area(ST_Difference(s.g, ST_Buffer(ST_Point(x, y), 2)))) FROM (SELECT ST_GeomFromText(g) AS g FROM shapes) s, RANGE(0, 100, 10) a(x), RANGE(0, 100, 10) b(y)"},
	{"shapes near points", "SELECT COUNT(*) FROM points p JOIN shapes s ON ST_DWithin(ST_GeomFromText(s.g), ST_GeomFromText(p.g), 0.01)"},
	{"ranges that overlap", "SELECT COUNT(*) FROM groups a JOIN groups b ON a.v < b.k + 3 AND b.v < a.k + 3"},
	{"ranges of a group", "SELECT COUNT(*) FROM groups a JOIN groups b ON a.v % 1000 = b.v % 1000 AND a.k BETWEEN b.v AND b.v + 1000"},
}
