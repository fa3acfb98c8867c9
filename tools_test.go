package parquetsql_test

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// all reads the rows of a query as text, columns divided by "|".
func all(t *testing.T, db *sql.DB, text string, args ...any) []string {
	t.Helper()
	rows, err := db.Query(text, args...)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return nil
	}
	defer rows.Close()
	names, _ := rows.Columns()
	row, into := make([]sql.NullString, len(names)), make([]any, len(names))
	for i := range row {
		into[i] = &row[i]
	}
	var out []string
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		var cells []string
		for _, v := range row {
			if !v.Valid {
				v.String = "NULL"
			}
			cells = append(cells, v.String)
		}
		out = append(out, strings.Join(cells, "|"))
	}
	if err := rows.Err(); err != nil {
		t.Errorf("%s: %v", text, err)
	}
	return out
}

// TestWhatToolsAsk has statements that libraries and GUIs send when they connect and list.
func TestWhatToolsAsk(t *testing.T) {
	db := openDir(t, "testdata")
	for text, want := range map[string]string{
		"SELECT @@version_comment LIMIT 1":                        "parquetsql",
		"SELECT @@session.auto_increment_increment, @@autocommit": "1|1",
		"SHOW VARIABLES LIKE 'lower_case_%'":                      "lower_case_table_names|2",
		"SHOW SESSION VARIABLES LIKE 'time_zone'":                 "time_zone|UTC",
		"SHOW search_path":                                        "main",
		"SHOW TIME ZONE":                                          "UTC",
		"SHOW TRANSACTION ISOLATION LEVEL":                        "SERIALIZABLE",
		"SELECT CURRENT_USER, USER(), CURRENT_SCHEMA, CURRENT_DATABASE(), CONNECTION_ID()": "parquet|parquet|main|parquet|1",
		"SELECT current_setting('server_version_num')::INT >= 90000":                       "true",
		"SELECT nspname FROM pg_catalog.pg_namespace WHERE oid = 2200":                     "main",
		// gorm's postgres dialector, Migrator().ColumnTypes
		`SELECT c.column_name, c.is_nullable = 'YES', c.udt_name, c.character_maximum_length, c.numeric_precision, c.numeric_precision_radix, c.numeric_scale, c.datetime_precision, 8 * typlen, c.column_default, pd.description, c.identity_increment
			FROM information_schema.columns AS c JOIN pg_type AS pgt ON c.udt_name = pgt.typname
			LEFT JOIN pg_catalog.pg_description as pd ON pd.objsubid = c.ordinal_position AND pd.objoid = (SELECT oid FROM pg_catalog.pg_class WHERE relname = c.table_name AND relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = c.table_schema))
			WHERE table_catalog = 'parquet' AND table_schema = 'main' AND table_name = 'penguins' AND c.ordinal_position = 5`: "Flipper Length (mm)|true|int8|NULL|64|2|0|NULL|64|NULL|NULL|NULL",
		`SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a JOIN pg_class b ON a.attrelid = b.oid AND relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = 'main')
			WHERE a.attnum = 3 AND NOT a.attisdropped AND b.relname = 'penguins'`: "Beak Length (mm)|double precision",
		// gorm's mysql dialector
		`SELECT column_name, column_default, is_nullable = 'YES', data_type, character_maximum_length, column_type, column_key, extra, column_comment, numeric_precision, numeric_scale, datetime_precision
			FROM information_schema.columns WHERE table_schema = 'main' AND table_name = 'penguins' AND ordinal_position = 1`: "Species|NULL|true|VARCHAR|NULL|VARCHAR||||NULL|NULL|NULL",
		// psql's \dt
		`SELECT n.nspname, c.relname, CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' END, pg_catalog.pg_get_userbyid(c.relowner) FROM pg_catalog.pg_class c
			LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r','p','v','m','S','f','') AND n.nspname <> 'pg_catalog' AND n.nspname !~ '^pg_toast' AND c.relname = 'penguins'
			AND n.nspname <> 'information_schema' AND pg_catalog.pg_table_is_visible(c.oid) ORDER BY 1,2`: "main|penguins|table|parquet",
		"SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'movies'": "movies",
	} {
		if got := all(t, db, text); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{
		"SET NAMES utf8mb4", "SET NAMES 'utf8' COLLATE 'utf8_general_ci'", "SET autocommit = 1", "SET @@session.sql_mode = 'ANSI', autocommit=ON", "SET TIME ZONE 'UTC'", "SET search_path TO main, public",
		"SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY, ISOLATION LEVEL REPEATABLE READ", "SET TRANSACTION ISOLATION LEVEL READ COMMITTED", "SET extra_float_digits = 3", "SET application_name = 'x y'",
		"SET client_encoding TO 'UTF8'", "SET character_set_results = NULL", "USE main",
		"SHOW WARNINGS", "SHOW KEYS FROM penguins", "SHOW INDEX FROM penguins WHERE Key_name = 'PRIMARY'", "SHOW STATUS LIKE 'x'", "SHOW ENGINES",
		"SELECT * FROM information_schema.table_constraints tc JOIN information_schema.constraint_column_usage AS ccu USING (constraint_schema, constraint_catalog, table_name, constraint_name)",
		"SELECT * FROM INFORMATION_SCHEMA.STATISTICS WHERE table_schema = 'main'", "SELECT * FROM pg_index", "SELECT * FROM parquet.pg_catalog.pg_constraint WHERE conkey[1] = 1",
	} {
		if got := all(t, db, text); len(got) != 0 {
			t.Errorf("%s: %q, want no rows", text, got)
		}
		if strings.HasPrefix(text, "SET") {
			if _, err := db.Exec(text); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	for text, part := range map[string]string{
		"SET memory_limit = '1GB'":          "the option memory_limit in the DSN",
		"SET threads TO 4":                  "parallelism",
		"SET TimeZone = 'Europe/Berlin'":    "always UTC",
		"SET autocommit = 0":                "autocommit",
		"SET no_such_thing = 1":             "no such setting",
		"SET search_path = elsewhere":       "always main",
		"SET TRANSACTION READ WRITE":        "READ ONLY",
		"SET a":                             "a value",
		"SELECT @@no_such":                  "no such setting",
		"SELECT current_setting('no such')": "no such setting",
		"SHOW no_such":                      "no such table",
		"USE elsewhere":                     "main",
	} {
		if _, err := db.Exec(text); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v, want an error with %q", text, err, part)
		}
	}
	if _, err := db.Exec("SET TimeZone = 'Europe/Berlin'"); !errors.Is(err, parquetsql.ErrUnsupported) {
		t.Errorf("%v", err)
	}
	if got := all(t, db, "DESCRIBE pg_catalog.pg_am"); fmt.Sprint(got) != "[oid|BIGINT|NO|NULL|NULL|NULL amname|VARCHAR|NO|NULL|NULL|NULL amhandler|VARCHAR|NO|NULL|NULL|NULL amtype|VARCHAR|NO|NULL|NULL|NULL]" {
		t.Errorf("%q", got)
	}
}

// TestDistinctNames: only where the option asks.
func TestDistinctNames(t *testing.T) {
	const text = "SELECT 1 AS a, 2 AS a, 3 AS a_1, 4 AS b, 5 AS a"
	for options, want := range map[string]string{"": "[a a a_1 b a]", "?distinct_names=true": "[a a_2 a_1 b a_3]"} {
		rows, err := openDir(t, "testdata"+options).Query(text)
		if err != nil {
			t.Fatal(err)
		}
		names, err := rows.Columns()
		if err != nil || fmt.Sprint(names) != want {
			t.Errorf("%q: %v, %v", options, names, err)
		}
		rows.Close()
	}
}
