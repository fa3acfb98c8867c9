// Command variant times queries over VARIANT columns, shredded and whole, against DuckDB
// on the same files and on a JSON column with the same values, in one run, in turns.
// Both must give the same rows. The files are written once, below -data.
//
//	go run ./cmd/variant
package main

import (
	"database/sql"
	"flag"
	"fmt"
	"log"
	"math"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"
	_ "github.com/parquetsql/parquetsql"

	"github.com/parquetsql/parquetsql/bench/variants"
)

// query is a query in the SQL of parquetsql, and of DuckDB on its VARIANT and on its JSON
// column; %s is the table.
type query struct{ ours, duck, json string }

var queries = []query{
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
	{"SELECT id, v FROM %s WHERE id %% 10 = 7 LIMIT 200000",
		"SELECT id, v::JSON::VARCHAR FROM %s WHERE id %% 10 = 7 LIMIT 200000",
		"SELECT id, json_extract(v, '$')::VARCHAR FROM %s WHERE id %% 10 = 7 LIMIT 200000"},
}

func main() {
	data := flag.String("data", "data", "where the files are kept")
	rows := flag.Int("rows", 2_000_000, "rows of each file")
	runs := flag.Int("runs", 3, "how often each query runs; the fastest counts")
	only := flag.String("only", "", "run only the queries that contain this text")
	flag.Parse()
	e, err := variants.WriteEvents(*data, *rows)
	if err != nil {
		log.Fatal(err)
	}
	ours, duck := open("parquet", *data), open("duckdb", "")
	defer ours.Close()
	defer duck.Close()
	duck.SetMaxOpenConns(1)
	if _, err := duck.Exec("SET threads = 2"); err != nil {
		log.Fatal(err)
	}
	fmt.Println("milliseconds; how many times as fast as DuckDB on the file itself and on JSON")
	for _, file := range []string{e.Shredded, e.Whole} {
		fmt.Printf("\n%s\n  parquetsql      DuckDB    its JSON  query\n", filepath.Base(file))
		for _, q := range queries {
			if strings.Contains(q.ours, *only) {
				compare(ours, duck, q, file, e.JSON, *runs)
			}
		}
	}
}

func open(driver, dsn string) *sql.DB {
	db, err := sql.Open(driver, dsn)
	if err != nil {
		log.Fatal(err)
	}
	return db
}

// compare prints a line for a query.
func compare(ours, duck *sql.DB, q query, file, json string, runs int) {
	table := "`" + filepath.Base(file) + "`"
	texts := []string{fmt.Sprintf(q.ours, table), fmt.Sprintf(q.duck, "'"+filepath.ToSlash(file)+"'"), fmt.Sprintf(q.json, "'"+filepath.ToSlash(json)+"'")}
	best := [3]time.Duration{math.MaxInt64, math.MaxInt64, math.MaxInt64}
	var answers [3]string
	for range runs { // in turns, so that other load on the machine affects all
		for i, db := range []*sql.DB{ours, duck, duck} {
			took, answer := once(db, texts[i])
			best[i], answers[i] = min(best[i], took), answer
		}
	}
	if answers[0] != answers[1] || answers[0] != answers[2] {
		fmt.Printf("different answers: %.200v\n", answers)
	}
	ratio := func(i int) float64 { return float64(best[i]) / float64(best[0]) }
	fmt.Printf("%12.1f %6.0f (%4.1f) %5.0f (%4.1f)  %s\n", ms(best[0]), ms(best[1]), ratio(1), ms(best[2]), ratio(2), fmt.Sprintf(q.ours, "t"))
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// once runs a query; answer is its first rows, where they are few.
func once(db *sql.DB, text string) (took time.Duration, answer string) {
	start := time.Now()
	rows, err := db.Query(text)
	if err != nil {
		log.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	names, _ := rows.Columns()
	row, into := make([]any, len(names)), make([]any, len(names))
	for i := range row {
		into[i] = &row[i]
	}
	var out strings.Builder
	n := 0
	for ; rows.Next(); n++ {
		if err := rows.Scan(into...); err != nil {
			log.Fatalf("%s: %v", text, err)
		}
		if n < 10 && len(names) < 3 {
			for _, x := range row {
				fmt.Fprintf(&out, "%.20v ", x)
			}
		}
	}
	if err := rows.Err(); err != nil {
		log.Fatalf("%s: %v", text, err)
	}
	fmt.Fprint(&out, n)
	return time.Since(start), out.String()
}
