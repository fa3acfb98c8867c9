package main

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"
)

// duckdbTypes writes every SQL type that DuckDB maps to Parquet, by both page
// versions that it knows.
func (g *generator) duckdbTypes() {
	db := value(sql.Open("duckdb", ""))
	defer db.Close()
	const query = `SELECT i::TINYINT - 60 AS tinyint, (i * 200 - 12000)::SMALLINT AS smallint, i * 10000000 - 600000000 AS int,
		i::BIGINT * 70000000000000000 AS bigint, (i * 2)::UTINYINT AS utinyint, (i * 500)::USMALLINT AS usmallint,
		(i::BIGINT * 35000000)::UINTEGER AS uinteger, (i::HUGEINT * 150000000000000000)::UBIGINT AS ubigint,
		i % 3 = 0 AS boolean, (i * 1.5 - 7)::FLOAT AS float, sqrt(i) AS double,
		(i / 10.0)::DECIMAL(4, 1) AS decimal4, (i * 1234.567)::DECIMAL(9, 3) AS decimal9, (i * -98765432.1234)::DECIMAL(18, 4) AS decimal18,
		(i * 123456789012345678.123)::DECIMAL(38, 10) AS decimal38,
		DATE '1969-12-01' + i::INT AS date, TIME '00:00:00' + INTERVAL (i::BIGINT * 719123457) MICROSECOND AS time,
		TIMESTAMP '1969-12-31 23:59:58.123456' + INTERVAL (i::BIGINT * 50000003) MICROSECOND AS timestamp,
		(TIMESTAMP '2001-01-01' + INTERVAL (i) DAY)::TIMESTAMP_MS AS timestamp_ms, make_timestamp_ns(i::BIGINT * 1000000007) AS timestamp_ns,
		(TIMESTAMP '2020-02-28 22:00:00' + INTERVAL (i) HOUR)::TIMESTAMPTZ AS timestamptz,
		'text ' || (i % 10) AS varchar, (['red', 'green', 'blue'])[i % 3 + 1]::ENUM ('red', 'green', 'blue') AS enum,
		encode('b' || i) AS blob, ('00000000-0000-4000-8000-' || lpad(i::VARCHAR, 12, '0'))::UUID AS uuid
		FROM (SELECT range::INT AS i FROM range(120)) t`
	names := value(db.Query("DESCRIBE " + query))
	var columns []string
	for names.Next() {
		var name string
		var rest [5]any
		must(names.Scan(&name, &rest[0], &rest[1], &rest[2], &rest[3], &rest[4]))
		columns = append(columns, fmt.Sprintf(`CASE WHEN (row_number() OVER ()) %% 5 = 0 THEN NULL ELSE "%s" END AS "%s"`, name, name))
	}
	withNulls := "SELECT " + strings.Join(columns, ", ") + " FROM (" + query + ")"
	for _, f := range []struct{ name, query, options string }{
		{"types_v1_snappy", withNulls, "PARQUET_VERSION V1, COMPRESSION snappy"},
		{"types_v2_zstd", withNulls, "PARQUET_VERSION V2, COMPRESSION zstd"},
		{"types_v2_plain", query, "PARQUET_VERSION V2, COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 1"},
		{"types_v1_brotli", query, "PARQUET_VERSION V1, COMPRESSION brotli"},
		{"types_v1_lz4raw", query, "PARQUET_VERSION V1, COMPRESSION lz4_raw"},
	} {
		file := "files/duckdb/" + f.name + ".parquet"
		copyTo(db, f.query, g.path(file), f.options)
		g.add(file, "duckdb", "testdata/gen/duckdb.go: "+f.options, duckAnswer(db, g.path(file)), "")
	}
}

// duckdbCase writes two files of one table whose names differ in case, at each level of nesting.
func (g *generator) duckdbCase() {
	db := value(sql.Open("duckdb", ""))
	defer db.Close()
	for i, query := range []string{
		"SELECT 1 AS id, {'A': 1, 'L': [{'X': 10, 'y': 'p'}], 'M': MAP {'k': {'Q': 7}}} AS s, [{'Aa': 1, 'B': 2}, {'Aa': 3, 'B': 4}] AS l",
		"SELECT 2 AS ID, {'l': [{'x': 20, 'Y': 'q'}], 'a': 2, 'm': MAP {'k': {'q': 8}}} AS S, [{'aA': 5, 'c': 6}] AS \"L\"",
	} {
		file := fmt.Sprintf("files/regress/case/f%d.parquet", i+1)
		copyTo(db, query, g.path(file), "COMPRESSION snappy")
		sum := sha256.Sum256(value(os.ReadFile(g.path(file))))
		g.files = append(g.files, made{File: file, Writer: "duckdb " + version("duckdb"), How: "testdata/gen/duckdb.go", SHA256: hex.EncodeToString(sum[:])})
	}
}

// duckAnswer is what DuckDB's own reader gives for a file.
func duckAnswer(db *sql.DB, file string) *answer {
	rows := value(db.Query("SELECT * FROM read_parquet('" + file + "')"))
	defer rows.Close()
	types := value(rows.ColumnTypes())
	a := &answer{}
	for _, t := range types {
		name := t.DatabaseTypeName()
		switch {
		case strings.HasPrefix(name, "DECIMAL"):
			name = "DECIMAL"
		case strings.HasPrefix(name, "TIMESTAMP_"):
			name = "TIMESTAMP"
		}
		a.columns = append(a.columns, column{t.Name(), name, true})
	}
	for rows.Next() {
		row := make([]any, len(types))
		targets := make([]any, len(types))
		for i := range row {
			targets[i] = &row[i]
		}
		must(rows.Scan(targets...))
		for i := range row {
			row[i] = duckValue(row[i], a.columns[i].Type)
		}
		a.rows = append(a.rows, row)
	}
	must(rows.Err())
	return a
}

func duckValue(v any, kind string) any {
	switch x := v.(type) {
	case float32:
		return number(float64(x), 32)
	case float64:
		return number(x, 64)
	case *big.Int:
		return json.Number(x.String())
	case duckdb.Decimal:
		return decimalText(x)
	case []byte:
		if kind == "UUID" {
			return fmt.Sprintf("%x-%x-%x-%x-%x", x[:4], x[4:6], x[6:8], x[8:10], x[10:])
		}
		return hexOf(x)
	case time.Time:
		if kind == "TIME" {
			return x.Format("15:04:05.000000")
		}
		return map[string]string{"time": x.UTC().Format(time.RFC3339Nano)}
	}
	return v
}

// decimalText is the value with all its scale digits.
func decimalText(d duckdb.Decimal) string {
	r := new(big.Rat).SetFrac(d.Value, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.Scale)), nil))
	return r.FloatString(int(d.Scale))
}
