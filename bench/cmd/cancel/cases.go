package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// files are the tables, as DuckDB computes them, one file of each.
var files = map[string]string{
	"wide":   "SELECT i, repeat(chr((65 + i)::INT) || 'b é', 10000000) AS w FROM range(2) t(i)",
	"lists":  "SELECT i, list_transform(range(1000000), lambda x: (x * 7919 + i) % 1000003) AS xs FROM range(4) t(i)",
	"groups": "SELECT (i * 7919) % 2000003 AS k, 'name of ' || ((i * 7919) % 2000003) AS s, i AS v FROM range(4000000) t(i)",
	"pages":  "SELECT i, repeat(chr((65 + i)::INT) || 'b é', 25000000) AS w FROM range(2) t(i)", // 100 MB each
	"points": "SELECT i, format('POINT ({} {})', (i * 7919) % 1000 / 10.0, (i * 104729) % 997 / 10.0) AS g FROM range(100000) t(i)",
	"docs":   "SELECT i, '[' || repeat('{\"a\": [1, 2, {\"b\": \"text\"}], \"c\": null}, ', 500000) || '0]' AS j FROM range(2) t(i)",
}

// options are the options of COPY for files that need some.
var options = map[string]string{"wide": ", ROW_GROUP_SIZE 2048", "pages": ", ROW_GROUP_SIZE 2048, COMPRESSION zstd", "lists": ", ROW_GROUP_SIZE 2048", "docs": ", ROW_GROUP_SIZE 2048"}

// testCase is a query that runs long enough to be cancelled.
type testCase struct{ name, query string }

var cases = []testCase{
	{"scan of texts", "SELECT SUM(LENGTH(w)) FROM wide"},
	{"scan of long pages", "SELECT SUM(LENGTH(w)) FROM pages"},
	{"footers by the thousand", "SELECT COUNT(*) FROM many WHERE i > 5"},
	{"planning of many items", "SELECT " + listed(10_000, "v + %d", ", ") + " FROM groups LIMIT 0"},
	{"planning of many conditions", "SELECT COUNT(*) FROM groups WHERE " + listed(50_000, "v + 1 = %d", " OR ") + " LIMIT 0"},
	{"texts as rows", "SELECT w FROM wide"},
	{"UPPER", "SELECT SUM(LENGTH(UPPER(w))) FROM wide"},
	{"REVERSE", "SELECT SUM(LENGTH(REVERSE(w))) FROM wide"},
	{"REPLACE", "SELECT SUM(LENGTH(REPLACE(w, 'b', 'c'))) FROM wide"},
	{"TRANSLATE", "SELECT SUM(LENGTH(TRANSLATE(w, 'b', 'c'))) FROM wide"},
	{"REGEXP_REPLACE", "SELECT SUM(LENGTH(REGEXP_REPLACE(w, '[b-d]', 'x', 'g'))) FROM wide"},
	{"REGEXP_MATCHES", "SELECT COUNT(*) FROM wide WHERE REGEXP_MATCHES(w, 'b+[^a-z]*z$')"},
	{"REGEXP_EXTRACT_ALL", "SELECT SUM(LEN(REGEXP_EXTRACT_ALL(w, '.b'))) FROM wide"},
	{"LIKE", "SELECT COUNT(*) FROM wide WHERE w LIKE '%b_é_x%'"},
	{"ILIKE", "SELECT COUNT(*) FROM wide WHERE w ILIKE '%B_é_x%'"},
	{"STRING_SPLIT", "SELECT SUM(LEN(STRING_SPLIT(w, ' '))) FROM wide"},
	{"LEVENSHTEIN", "SELECT LEVENSHTEIN(LEFT(w, 20000), RIGHT(w, 20000)) FROM wide"},
	{"MD5", "SELECT MD5(w), SHA256(w) FROM wide"},
	{"TO_BASE64", "SELECT SUM(LENGTH(TO_BASE64(w::BLOB))) FROM wide"},
	{"HEX", "SELECT SUM(LENGTH(HEX(w))) FROM wide"},
	{"concatenation", "SELECT SUM(LENGTH(w || w || w)) FROM wide"},
	{"CONCAT_WS", "SELECT SUM(LENGTH(CONCAT_WS('-', w, w))) FROM wide"},
	{"LPAD", "SELECT SUM(LENGTH(LPAD(w, 100000000, 'é'))) FROM wide"},
	{"SUBSTRING", "SELECT SUM(LENGTH(SUBSTRING(w, 2, 30000000))) FROM wide"},
	{"TRIM", "SELECT SUM(LENGTH(TRIM(w, 'Ab éBCD'))) FROM wide"},
	{"FORMAT", "SELECT SUM(LENGTH(FORMAT('{} {}', w, i))) FROM wide"},
	{"STRIP_ACCENTS", "SELECT SUM(LENGTH(STRIP_ACCENTS(w))) FROM wide"},
	{"GROUP BY REVERSE", "SELECT COUNT(*) FROM (SELECT REVERSE(w) AS r FROM wide GROUP BY r) t"},
	{"GROUP BY texts", "SELECT COUNT(*) FROM (SELECT w FROM wide GROUP BY w) t"},
	{"ORDER BY texts", "SELECT w FROM wide ORDER BY w DESC"},
	{"join of texts", "SELECT COUNT(*) FROM wide a JOIN wide b ON a.w = b.w"},
	{"MAX of texts", "SELECT LENGTH(MAX(UPPER(w))) FROM wide"},
	{"JSON", "SELECT SUM(JSON_ARRAY_LENGTH(j)) FROM docs"},
	{"JSON path", "SELECT j->>'$[499999].c' FROM docs"},
	{"JSON keys", "SELECT SUM(LENGTH(JSON_STRUCTURE(j)::VARCHAR)) FROM docs"},
	{"cast of JSON", "SELECT COUNT(j::JSON::VARIANT) FROM docs"},

	{"scan of lists", "SELECT SUM(LEN(xs)) FROM lists"},
	{"lists as rows", "SELECT xs FROM lists"},
	{"LIST_SORT", "SELECT SUM(LEN(LIST_SORT(xs))) FROM lists"},
	{"LIST_DISTINCT", "SELECT SUM(LEN(LIST_DISTINCT(xs))) FROM lists"},
	{"LIST_REVERSE", "SELECT SUM(LEN(LIST_REVERSE(xs))) FROM lists"},
	{"LIST_TRANSFORM", "SELECT SUM(LEN(LIST_TRANSFORM(xs, x -> x * 2 + 1))) FROM lists"},
	{"LIST_FILTER", "SELECT SUM(LEN(LIST_FILTER(xs, x -> x % 3 = 0))) FROM lists"},
	{"LIST_REDUCE", "SELECT SUM(LIST_REDUCE(xs, lambda a, b: (a + b) % 1000)) FROM lists"},
	{"LIST_SUM", "SELECT SUM(LIST_SUM(xs)) FROM lists"},
	{"LIST_AGGREGATE", "SELECT LIST_AGGREGATE(xs, 'median') FROM lists"},
	{"LIST_INTERSECT", "SELECT SUM(LEN(LIST_INTERSECT(xs, LIST_REVERSE(xs)))) FROM lists"},
	{"LIST_ZIP", "SELECT SUM(LEN(LIST_ZIP(xs, xs))) FROM lists"},
	{"RANGE", "SELECT SUM(LEN(RANGE(20000000 + i))) FROM lists"},
	{"ARRAY_TO_STRING", "SELECT SUM(LENGTH(ARRAY_TO_STRING(xs, ','))) FROM lists"},
	{"cast of lists", "SELECT SUM(LEN(xs::VARCHAR[])) FROM lists"},
	{"lists as texts", "SELECT SUM(LENGTH(xs::VARCHAR)) FROM lists"},
	{"UNNEST", "SELECT SUM(x) FROM (SELECT UNNEST(xs) AS x FROM lists) t"},
	{"GROUP BY lists", "SELECT COUNT(*) FROM (SELECT LIST_REVERSE(xs) AS r FROM lists GROUP BY r) t"},
	{"ORDER BY lists", "SELECT xs FROM lists ORDER BY xs DESC"},
	{"comparison of lists", "SELECT COUNT(*) FROM lists WHERE xs < LIST_REVERSE(xs)"},

	{"STRING_AGG", "SELECT LENGTH(STRING_AGG(s, ',')) FROM groups"},
	{"STRING_AGG in order", "SELECT LENGTH(STRING_AGG(s, ',' ORDER BY s DESC)) FROM groups"},
	{"ARRAY_AGG", "SELECT LEN(ARRAY_AGG(s ORDER BY v)) FROM groups"},
	{"MEDIAN", "SELECT MEDIAN(k), MEDIAN(s) FROM groups"},
	{"MODE", "SELECT MODE(s) FROM groups"},
	{"HISTOGRAM", "SELECT CARDINALITY(HISTOGRAM(k)) FROM groups"},
	{"QUANTILE", "SELECT QUANTILE_CONT(k, [0.1, 0.5, 0.9]) FROM groups"},
	{"COUNT(DISTINCT)", "SELECT COUNT(DISTINCT s), COUNT(DISTINCT k) FROM groups"},
	{"GROUP BY", "SELECT COUNT(*) FROM (SELECT s, COUNT(*) FROM groups GROUP BY s) t"},
	{"ORDER BY", "SELECT s FROM groups ORDER BY s"},
	{"top-n", "SELECT s FROM groups ORDER BY s LIMIT 500000"},
	{"join", "SELECT COUNT(*) FROM groups a JOIN groups b ON a.s = b.s"},
	{"join of pairs", "SELECT COUNT(*) FROM groups a JOIN groups b ON a.k < b.v AND a.s < b.s"},
	{"window", "SELECT SUM(r) FROM (SELECT ROW_NUMBER() OVER (ORDER BY s) AS r FROM groups) t"},
	{"window over one partition", "SELECT SUM(r) FROM (SELECT SUM(k) OVER (ORDER BY s, v) AS r FROM groups) t"},
	{"window frames", "SELECT SUM(r) FROM (SELECT MEDIAN(k) OVER (ORDER BY v ROWS 1000 PRECEDING) AS r FROM groups) t"},
	{"ST_Union_Agg", "SELECT ST_Area(ST_Union_Agg(ST_Buffer(ST_GeomFromText(g), 1))) FROM points WHERE i < 4000"},
	{"ST_Buffer", "SELECT SUM(ST_Area(ST_Buffer(ST_GeomFromText(g), 1))) FROM points"},
	{"ST_Collect", "SELECT ST_Area(ST_ConvexHull(ST_Collect(ST_GeomFromText(g)))) FROM points"},
	{"ST_Buffer of many", "SELECT ST_Area(ST_Buffer(ST_Collect(ST_GeomFromText(g)), 1)) FROM points WHERE i < 20000"},
	{"spatial join", "SELECT COUNT(*) FROM points a JOIN points b ON ST_DWithin(ST_GeomFromText(a.g), ST_GeomFromText(b.g), 2)"},
}

// limited are the cases that run with memory_limit=16MiB once more, so that they spill.
var limited = []string{"GROUP BY", "ORDER BY", "top-n", "join", "window", "COUNT(DISTINCT)", "STRING_AGG in order"}

// listed is n expressions, with what is between them.
func listed(n int, format, between string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(list, between)
}

// writeMany makes the table many, of 5,000 files that are one.
func writeMany(dir string) error {
	folder := filepath.Join(dir, "many")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for i := range 5000 {
		path := filepath.Join(folder, fmt.Sprintf("%04d.parquet", i))
		if err := os.Link(filepath.Join(dir, "points.parquet"), path); err != nil && !os.IsExist(err) {
			return err
		}
	}
	return nil
}
