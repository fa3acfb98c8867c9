package desugar

import (
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// absent are table functions of DuckDB that are not here, by lower-case name, and what says the same.
var absent = map[string]string{
	"parquet_bloom_probe":    "EXPLAIN ANALYZE SELECT … WHERE x = 1 counts the row groups that bloom filters rule out",
	"read_csv":               "a location has Parquet files alone",
	"read_csv_auto":          "a location has Parquet files alone",
	"read_json":              "a location has Parquet files alone",
	"read_json_auto":         "a location has Parquet files alone",
	"read_json_objects":      "a location has Parquet files alone",
	"read_ndjson":            "a location has Parquet files alone",
	"read_text":              "a location has Parquet files alone",
	"read_blob":              "a location has Parquet files alone",
	"sniff_csv":              "a location has Parquet files alone",
	"iceberg_snapshots":      "the table `t$snapshots` of a table t has them",
	"iceberg_metadata":       "the tables `t$files` and `t$manifests` of a table t have it",
	"duckdb_functions":       "SHOW FUNCTIONS and information_schema.routines list them",
	"duckdb_tables":          "SHOW TABLES and information_schema.tables list them",
	"duckdb_views":           "SHOW TABLES and information_schema.tables list them",
	"duckdb_columns":         "information_schema.columns lists them",
	"duckdb_schemas":         "information_schema.schemata lists them",
	"duckdb_databases":       "information_schema.schemata has the only one",
	"duckdb_settings":        "SHOW VARIABLES lists them",
	"duckdb_variables":       "there are no variables; use placeholders",
	"duckdb_types":           "pg_catalog.pg_type lists them",
	"duckdb_memory":          "Config.OnQuery is told what a query has held",
	"duckdb_temporary_files": "Config.OnQuery is told what a query has spilled",
	"pragma_database_size":   "FROM `t$files` has the size of each file of t",
	"pragma_storage_info":    "FROM `t$columns` and `t$pages` tell how t is stored",
	"pragma_collations":      "there are NOCASE, NOACCENT, NFC and BINARY",
	"pg_timezone_names":      "AT TIME ZONE takes the names of the IANA database",
	"icu_calendar_names":     "there is the Gregorian calendar alone",
}

// Unsupported is the error of a table function that does not exist.
func Unsupported(name string) error {
	if instead, known := absent[strings.ToLower(name)]; known {
		return errs.Unsupported("the table function %s; %s", name, instead)
	}
	return errs.Unsupported("the table function %s; there are read_parquet, delta_scan, iceberg_scan, query, histogram, histogram_values, range, generate_series, json_each, json_tree, UNNEST, %s", name, names)
}
