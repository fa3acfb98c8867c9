package queries

import "fmt"

// variants are queries over a table of package variants: in the SQL of parquetsql, and of
// DuckDB on its VARIANT and on its JSON column; %s is the table.
var variants = []struct{ ours, duck, json string }{
	{"SELECT COUNT(*) FROM %s WHERE v.price BETWEEN 990 AND 995",
		"SELECT COUNT(*) FROM %s WHERE TRY_CAST(v.price AS DOUBLE) BETWEEN 990 AND 995",
		"SELECT COUNT(*) FROM %s WHERE TRY_CAST(v->>'$.price' AS DOUBLE) BETWEEN 990 AND 995"},
	{"SELECT COUNT(*), SUM(id) FROM %s WHERE v.user.name = 'user77'",
		"SELECT COUNT(*), SUM(id) FROM %s WHERE v.user.name::VARCHAR = 'user77'",
		"SELECT COUNT(*), SUM(id) FROM %s WHERE v->>'$.user.name' = 'user77'"},
	{"SELECT COUNT(*) FROM %s WHERE v.kind = 'error' AND v.status = 500 AND v.user.age < 30",
		"SELECT COUNT(*) FROM %s WHERE v.kind::VARCHAR = 'error' AND v.status::BIGINT = 500 AND v.user.age::BIGINT < 30",
		"SELECT COUNT(*) FROM %s WHERE v->>'$.kind' = 'error' AND (v->>'$.status')::BIGINT = 500 AND (v->>'$.user.age')::BIGINT < 30"},
	{"SELECT v->>'$.kind', COUNT(*) FROM %s GROUP BY 1 ORDER BY 1",
		"SELECT v.kind::VARCHAR, COUNT(*) FROM %s GROUP BY 1 ORDER BY 1",
		"SELECT v->>'$.kind', COUNT(*) FROM %s GROUP BY 1 ORDER BY 1"},
	{"SELECT VARIANT_GET(v, '$.status', 'BIGINT'), COUNT(*), AVG(TRY_VARIANT_GET(v, '$.price', 'DOUBLE')) FROM %s GROUP BY 1 ORDER BY 1",
		"SELECT v.status::BIGINT, COUNT(*), AVG(TRY_CAST(v.price AS DOUBLE)) FROM %s GROUP BY 1 ORDER BY 1",
		"SELECT (v->>'$.status')::BIGINT, COUNT(*), AVG(TRY_CAST(v->>'$.price' AS DOUBLE)) FROM %s GROUP BY 1 ORDER BY 1"},
	{"SELECT v.user.name::VARCHAR, COUNT(*) FROM %s GROUP BY v.user.name ORDER BY 1 LIMIT 5",
		"SELECT v.user.name::VARCHAR, COUNT(*) FROM %s GROUP BY 1 ORDER BY 1 LIMIT 5",
		"SELECT v->>'$.user.name', COUNT(*) FROM %s GROUP BY 1 ORDER BY 1 LIMIT 5"},
	{"SELECT COUNT(*) FROM %s WHERE v.message LIKE '%%timeout socket%%'",
		"SELECT COUNT(*) FROM %s WHERE v.message::VARCHAR LIKE '%%timeout socket%%'",
		"SELECT COUNT(*) FROM %s WHERE v->>'$.message' LIKE '%%timeout socket%%'"},
	// The JSON column is text as it is, unless it is parsed.
	{"SELECT SUM(LENGTH(v::VARCHAR)) > 0 FROM %s",
		"SELECT SUM(LENGTH(v::JSON::VARCHAR)) > 0 FROM %s",
		"SELECT SUM(LENGTH(json_extract(v, '$')::VARCHAR)) > 0 FROM %s"},
	{"SELECT id, LENGTH(v::VARCHAR) > 0 FROM %s WHERE id %% 10 = 7",
		"SELECT id, LENGTH(v::JSON::VARCHAR) > 0 FROM %s WHERE id %% 10 = 7",
		"SELECT id, LENGTH(json_extract(v, '$')::VARCHAR) > 0 FROM %s WHERE id %% 10 = 7"},
}

// Variants has each query over the table shredded and then each over the table whole,
// for DuckDB on its VARIANT or, with json, over the table json.
func Variants(json bool) []Pair {
	var out []Pair
	for _, table := range []string{"shredded", "whole"} {
		for _, q := range variants {
			duck := fmt.Sprintf(q.duck, table)
			if json {
				duck = fmt.Sprintf(q.json, "json")
			}
			out = append(out, Pair{Ours: fmt.Sprintf(q.ours, table), Duck: duck})
		}
	}
	return out
}
