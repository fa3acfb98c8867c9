// Package planning has statements that are long, and tables of many files and columns: what is asked
// takes no time to answer, so that the times are those of reading the statement, binding and planning it.
package planning

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/duckdb/duckdb-go/v2" // writes the files
)

// Write writes the tables into a folder that exists: t, which is small, wide with n columns and files,
// which is n files.
func Write(dir string, n int) error {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer db.Close()
	small := filepath.Join(dir, "t.parquet")
	columns := list(n, ", ", "range + %d AS c%[1]d")
	for file, query := range map[string]string{small: "SELECT range AS k FROM range(100)", filepath.Join(dir, "wide.parquet"): "SELECT " + columns + " FROM range(10)"} {
		if _, err := db.Exec(fmt.Sprintf("COPY (%s) TO '%s' (FORMAT parquet)", query, filepath.ToSlash(file))); err != nil {
			return err
		}
	}
	data, err := os.ReadFile(small)
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(dir, "files"), 0o755); err != nil {
		return err
	}
	for i := range n {
		if err := os.WriteFile(filepath.Join(dir, "files", fmt.Sprintf("%05d.parquet", i)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Queries are statements with n parts, or over n files or columns. The parts that have a bound in parquetsql, and
// those that are queries themselves, are fewer.
func Queries(n int) []string {
	some, few := max(n/20, 1), max(n/100, 1)
	return []string{
		"SELECT count(*) FROM files",
		"SELECT max(k) FROM files WHERE k > 1000",
		"SELECT k FROM files LIMIT 1",
		"SELECT * FROM wide LIMIT 1",
		"SELECT c1, c5 FROM wide",
		"SELECT sum(COLUMNS(*)) FROM wide",
		"SELECT count(*) FROM t WHERE " + list(n, " AND ", "k <> %d"),
		"SELECT count(*) FROM t WHERE " + list(n, " AND ", "k + %d >= %[1]d"),
		"SELECT count(*) FROM t WHERE " + list(n, " OR ", "k = 3 * %d"),
		"SELECT count(*) FROM t WHERE " + list(n, " OR ", "k + %d < %[1]d"),
		"SELECT count(*) FROM t WHERE " + list(n, " OR ", "(k > %d AND k < %[1]d + 2)"),
		"SELECT count(*) FROM t WHERE k IN (" + list(n, ", ", "%d") + ")",
		"SELECT " + list(n, ", ", "k + %d") + " FROM t LIMIT 1",
		"SELECT c0, c1 FROM (SELECT " + list(n, ", ", "k + %d AS c%[1]d") + " FROM t)",
		"SELECT * FROM (SELECT " + list(n, ", ", "k + %d AS c%[1]d") + " FROM t) WHERE c1 > 3 ORDER BY c0 LIMIT 1",
		"SELECT " + list(n, ", ", "sum(k + %d)") + " FROM t",
		"SELECT count(*) FROM t GROUP BY " + list(few, ", ", "k + %d") + " LIMIT 1",
		"SELECT k FROM t ORDER BY " + list(few, ", ", "k + %d") + " LIMIT 1",
		"SELECT sum(CASE " + list(n, " ", "WHEN k = %d THEN 2 * %[1]d") + " END) FROM t",
		"SELECT max(concat(" + list(n, ", ", "'%d'") + ", k)) FROM t",
		"SELECT {" + list(n, ", ", "'f%d': k") + "} FROM t LIMIT 1",
		"SELECT [" + list(n, ", ", "k + %d") + "] FROM t LIMIT 1",
		list(n, " UNION ALL ", "SELECT %d"),
		"SELECT count(*) FROM (" + list(n, " UNION ALL ", "SELECT k FROM t WHERE k = %d") + ")",
		"SELECT count(*) FROM (VALUES " + list(n, ", ", "(%d, 'a%[1]d')") + ") v(a, b)",
		"WITH c0 AS (SELECT k FROM t), " + chain(some) + fmt.Sprintf(" SELECT sum(k) FROM c%d", some),
		"WITH " + list(some, ", ", "c%d AS (SELECT k FROM t WHERE k = %[1]d)") + " SELECT count(*) FROM (" + list(some, " UNION ALL ", "SELECT k FROM c%d") + ")",
		"SELECT " + list(few, " + ", "(SELECT max(k) FROM t WHERE k <= %d)"),
		"SELECT count(*) FROM t WHERE " + list(few, " AND ", "EXISTS (SELECT 1 FROM t u WHERE u.k = t.k - %d)"),
		"SELECT count(*) FROM t" + list(few, "", " JOIN t t%d ON t.k = t%[1]d.k"),
	}
}

// list is n parts, each of the format with its number.
func list(n int, separator, format string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(separator)
		}
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// chain is n CTEs, each over the one before.
func chain(n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf("c%d AS (SELECT k + 1 AS k FROM c%d)", i+1, i)
	}
	return strings.Join(parts, ", ")
}
