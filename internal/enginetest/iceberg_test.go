package enginetest

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
)

// icebergRoots are the folders with Iceberg tables: testdata/iceberg, and what a variable of the
// environment names.
func icebergRoots() (out []string) {
	for _, root := range []string{"testdata/iceberg", os.Getenv("PARQUETSQL_ICEBERG_CORPUS")} {
		if root != "" {
			out = append(out, root)
		}
	}
	return out
}

// icebergTables are the folders with Iceberg metadata below a root.
func icebergTables(t *testing.T, root string) (tables []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.Contains(d.Name(), ".metadata.json") && filepath.Base(filepath.Dir(p)) == "metadata" {
			if dir := filepath.Dir(filepath.Dir(p)); !slices.Contains(tables, dir) {
				tables = append(tables, dir)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// icebergWithout are tables of which a copy lacks data files.
var icebergWithout = map[string]bool{"iceberg_multiple_storage_locations": true}

// TestIcebergTables reads all tables: each can be read, or is refused by the name of what is not
// supported. What COUNT(*) says without opening files is what is read.
func TestIcebergTables(t *testing.T) {
	read, refused := 0, 0
	for _, root := range icebergRoots() {
		for _, dir := range icebergTables(t, root) {
			db := openAt(t, dir)
			name := "`" + filepath.Base(dir) + "`"
			_, rows, err := answerOf(db, "SELECT * FROM "+name)
			switch {
			case errors.Is(err, parquetsql.ErrUnsupported):
				refused++
				continue
			case icebergWithout[filepath.Base(dir)] && err != nil:
				continue
			case err != nil:
				t.Errorf("%s: %v", dir, err)
				continue
			}
			if n := one[int](t, db, "SELECT COUNT(*) FROM "+name); n != len(rows) {
				t.Errorf("%s: COUNT(*) is %d of %d rows", dir, n, len(rows))
			}
			read++
		}
	}
	if read < 15 {
		t.Errorf("only %d tables are read", read)
	}
	t.Logf("%d tables are read, %d refused", read, refused)
}

// impalaQuery is a query of Impala's tests and its rows.
type impalaQuery struct {
	where, text string
	rows        []string
}

// changes are statements after which a table has other rows.
var changes = regexp.MustCompile(`(?im)^\s*(insert|delete|update|merge|alter table .* execute|truncate|create view|grant)\b`)

// impalaQueries are the queries of a file with rows, but those whose rows are patterns.
func impalaQueries(t *testing.T, file string) (out []impalaQuery) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, part := range strings.Split(string(text), "\n====") {
		sections := map[string]string{}
		for s := range strings.SplitSeq(part, "\n---- ") {
			head, body, _ := strings.Cut(s, "\n")
			sections[strings.TrimPrefix(strings.TrimSpace(head), "---- ")] = strings.Trim(body, "\n")
		}
		if changes.MatchString(sections["QUERY"]) || changes.MatchString(sections["HIVE_QUERY"]) {
			return out // what follows is of other rows
		}
		rows, ok := sections["RESULTS"]
		if query := sections["QUERY"]; ok && query != "" && !strings.Contains(rows, "regex:") {
			var lines []string
			for line := range strings.SplitSeq(query, "\n") {
				if !strings.HasPrefix(strings.TrimSpace(line), "#") && !strings.HasPrefix(strings.TrimSpace(line), "--") {
					lines = append(lines, line)
				}
			}
			q := impalaQuery{where: fmt.Sprintf("%s, query %d", filepath.Base(file), i), text: strings.TrimSuffix(strings.TrimSpace(strings.Join(lines, "\n")), ";")}
			if rows != "" {
				q.rows = strings.Split(rows, "\n")
			}
			out = append(out, q)
		}
	}
	return out
}

// notHere is what only Impala has: its virtual columns and functions, statements about it, and
// metadata tables; or what its dialect has otherwise.
var notHere = regexp.MustCompile(`(?i)^(show|describe|set|explain|compute|insert|create|drop|alter|with|delete|update|merge|refresh|invalidate|truncate|load|optimize|use)\b|iceberg__|_file_row_id|_file_last_updated|partition__spec|first__row__id|tablesample|straight_join|\w+\.\w+\.\w+, |from \w+(\.\w+)*( as)? \w+, \w+\.\w+(\.\w+)* as |\.(pos|item)\b|/\*|count_star|typeof|bool_int_map_col`)

// translated has what Impala calls otherwise.
var translated = strings.NewReplacer("functional_parquet.", "", "input__file__name", "_file", "file__position", "_row", "strright(", "right(", "\nminus\n", "\nEXCEPT\n")

// TestIcebergAnswers asks tables of Impala's tests what these ask, and compares the rows.
func TestIcebergAnswers(t *testing.T) {
	compared := 0
	for _, root := range icebergRoots() {
		homes := map[string]string{} // by table the folder that it is in
		for _, dir := range icebergTables(t, filepath.Join(root, "impala", "tables")) {
			homes[filepath.Base(dir)] = filepath.Dir(dir)
		}
		expected, err := filepath.Glob(filepath.Join(root, "impala", "expected", "*.test*"))
		if err != nil || len(expected) == 0 {
			t.Fatal(expected, err)
		}
		for _, file := range expected {
			if strings.Contains(file, "-rest-") {
				continue // what a catalog lets users see
			}
			for _, q := range impalaQueries(t, file) {
				home, ok := homeOf(homes, q.text)
				if !ok || notHere.MatchString(q.text) {
					continue
				}
				query := translated.Replace(q.text)
				got, err := impalaRows(openAt(t, home), query)
				if errors.Is(err, parquetsql.ErrUnsupported) && strings.Contains(err.Error(), "files of Iceberg tables") {
					continue
				}
				if err != nil && strings.Contains(err.Error(), "no such table") && strings.Contains(q.text, ",") {
					continue // a table of a join that is not here
				}
				if err != nil {
					t.Errorf("%s: %s: %v", q.where, query, err)
					continue
				}
				want := make([]string, len(q.rows))
				for i, r := range q.rows {
					want[i] = impalaRow(r)
				}
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Errorf("%s: %s: %d rows %.600q\nwant %d rows %.600q", q.where, query, len(got), got, len(want), want)
				}
				compared++
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d answers were compared", compared)
	}
	t.Logf("%d answers compared", compared)
}

// homeOf is the folder of the tables that a query names; false if one of them is not there, or if
// they are in several.
func homeOf(homes map[string]string, query string) (string, bool) {
	home := ""
	for _, m := range regexp.MustCompile(`(?i)\b(?:from|join)\s+([a-z0-9_.]+)`).FindAllStringSubmatch(query, -1) {
		name := strings.TrimPrefix(m[1], "functional_parquet.")
		at, ok := homes[name]
		if !ok || home != "" && at != home || icebergWithout[name] {
			return "", false
		}
		home = at
	}
	return home, home != ""
}

// impalaRow is a row of an answer with its values in one form.
func impalaRow(row string) string {
	var cells []string
	for len(row) > 0 {
		var cell string
		if rest, ok := strings.CutPrefix(row, "'"); ok {
			end := strings.Index(rest, "'")
			cell, row = rest[:end], strings.TrimPrefix(rest[end+1:], ",")
		} else {
			cell, row, _ = strings.Cut(row, ",")
			if cell = strings.TrimSpace(cell); cell != "NULL" {
				if f, err := strconv.ParseFloat(cell, 64); err == nil {
					cell = fmt.Sprintf("%.6g", f)
				}
				if len(cell) == len("2006-01-02 15:04:05.000000000") {
					cell = strings.TrimSuffix(strings.TrimRight(cell, "0"), ".")
				}
			}
		}
		cells = append(cells, cell)
	}
	return strings.Join(cells, "|")
}

func impalaRows(db *sql.DB, query string) ([]string, error) {
	r, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	types, err := r.ColumnTypes()
	if err != nil {
		return nil, err
	}
	values, into := make([]any, len(types)), make([]any, len(types))
	for i := range into {
		into[i] = &values[i]
	}
	out := []string{}
	for r.Next() {
		if err := r.Scan(into...); err != nil {
			return nil, err
		}
		cells := make([]string, len(values))
		for i, v := range values {
			switch v := v.(type) {
			case nil:
				cells[i] = "NULL"
			case time.Time:
				layout := "2006-01-02 15:04:05.999999999"
				if types[i].DatabaseTypeName() == "DATE" {
					layout = "2006-01-02"
				}
				cells[i] = v.UTC().Format(layout)
			case float64, float32:
				cells[i] = fmt.Sprintf("%.6g", v)
			case int64:
				cells[i] = fmt.Sprintf("%.6g", float64(v))
			case []byte:
				cells[i] = string(v)
			default:
				cells[i] = fmt.Sprint(v)
				if f, err := strconv.ParseFloat(cells[i], 64); err == nil && types[i].DatabaseTypeName() == "DECIMAL" {
					cells[i] = fmt.Sprintf("%.6g", f)
				}
			}
		}
		out = append(out, strings.Join(cells, "|"))
	}
	slices.Sort(out)
	return out, r.Err()
}

const (
	bunnies  = "testdata/iceberg/icebird/test/files/hyperparam-iceberg/java"
	lineage  = "testdata/iceberg/impala/tables/iceberg_v3"
	equality = "testdata/iceberg/duckdb-iceberg/data/persistent/equality_deletes/warehouse/mydb"
)

// TestIcebergVersions reads snapshots by their ids, by references, by time and by metadata files. The
// numbers of rows are those of icebird's tests; the times those of the snapshot-log.
func TestIcebergVersions(t *testing.T) {
	db := openAt(t, bunnies)
	const first = int64(4951213507629824583)
	for from, want := range map[string]int{
		"bunnies": 15, "bunnies VERSION AS OF 4951213507629824583": 21, "bunnies VERSION AS OF 'main'": 15, "bunnies@v4951213507629824583": 21,
		"bunnies FOR VERSION AS OF '4951213507629824583'": 21, "bunnies AT (VERSION => 4951213507629824583)": 21,
		"bunnies TIMESTAMP AS OF '2025-03-31 08:46:23.083'": 21, "bunnies FOR SYSTEM_TIME AS OF TIMESTAMP '2030-01-01'": 15,
		"`bunnies/metadata/v2.metadata.json`": 21, "iceberg_scan('bunnies')": 15, "iceberg_scan('bunnies', snapshot_from_id => 4951213507629824583)": 21,
		"iceberg_scan('bunnies/metadata/v2.metadata.json')": 21, "iceberg_scan('bunnies', version => '2', allow_moved_paths => true) x": 21, "iceberg_scan('bunnies', version => '?')": 15,
		"iceberg_scan('bunnies', snapshot_from_timestamp => TIMESTAMP '2025-03-31 08:46:23.083')": 21,
	} {
		for _, query := range []string{"SELECT COUNT(*) FROM " + from, "SELECT COUNT(*) FROM (SELECT * FROM " + from + ")"} {
			if got := one[int](t, db, query); got != want {
				t.Errorf("%s: %d rows, want %d", query, got, want)
			}
		}
	}
	for from, want := range map[string]string{
		"bunnies VERSION AS OF 7": "bunnies$snapshots", "bunnies VERSION AS OF 'nothing'": "bunnies$refs", "bunnies TIMESTAMP AS OF '2020-01-01'": "as old", "`bunnies/metadata/v9.metadata.json`": "v9",
		"iceberg_scan('bunnies', other => 1)": "other", "iceberg_scan('nothing')": "nothing", "bunnies TIMESTAMP AS OF 7": "needs a time",
	} {
		if _, _, err := answerOf(db, "SELECT * FROM "+from); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", from, err)
		}
	}
	// The schema is that of the snapshot: a column was added after the first one.
	if _, _, err := answerOf(db, fmt.Sprintf("SELECT __happy__ FROM bunnies VERSION AS OF %d", first)); err == nil {
		t.Error("a column that was added later")
	}
	if got := one[int](t, openAt(t, bunnies+"/bunnies/metadata/v2.metadata.json"), "SELECT COUNT(*) FROM bunnies"); got != 21 {
		t.Errorf("the location is a metadata file: %d rows", got)
	}
	if _, _, err := answerOf(openAt(t, "testdata/iceberg/icebird/test/files"), "SELECT * FROM `hyperparam-iceberg`"); !errors.Is(err, parquetsql.ErrUnsupported) {
		t.Errorf("a folder above tables: %v", err)
	}
	if got := one[int](t, openAt(t, "testdata/iceberg/icebird/test/files"), "SELECT COUNT(*) FROM `hyperparam-iceberg/java/bunnies`"); got != 15 {
		t.Errorf("a table by its path: %d rows", got)
	}
}

// TestIcebergSystemTables: what the tables about an Iceberg table have is in its metadata.
func TestIcebergSystemTables(t *testing.T) {
	keep(t, openAt(t, bunnies), say(
		"SELECT snapshot_id, parent_id, operation, sequence_number FROM `bunnies$snapshots` ORDER BY committed_at", "4951213507629824583 NULL 'append' 1; 6458828015811002920 4951213507629824583 'delete' 2; 9158179788527662767 6458828015811002920 'overwrite' 3",
		"SELECT summary->>'$.total-records' FROM `bunnies$snapshots` WHERE operation = 'append'", "'21'",
		"SELECT snapshot_id, is_current_ancestor FROM `bunnies$history` ORDER BY made_current_at LIMIT 1", "4951213507629824583 true",
		"SELECT name, type, snapshot_id FROM `bunnies$refs`", "'main' 'BRANCH' 9158179788527662767",
		"SELECT content, COUNT(*), SUM(record_count) FROM `bunnies$files` GROUP BY content ORDER BY content", "0 2 22; 1 1 6; 2 1 1",
		"SELECT COUNT(*) FROM `bunnies@v4951213507629824583$files`", "1",
		"SELECT content, SUM(added_files_count + existing_files_count) FROM `bunnies$manifests` GROUP BY content ORDER BY content", "0 2; 1 2",
		"SELECT file_count, record_count, position_delete_record_count, equality_delete_record_count FROM `bunnies$partitions`", "2 22 6 1",
		"SELECT * FROM `bunnies$nothing`", "error: bunnies$nothing",
	)...)
	keep(t, openAt(t, equality), say(
		"SELECT partition, record_count FROM `mytable_partitioned$partitions` WHERE file_count > 0 ORDER BY partition LIMIT 2", `'{"name":"a"}' 1; '{"name":"b"}' 1`,
	)...)
}

// TestIcebergLineage: rows have ids and the sequence number of their last change, which the file has of
// rows that were moved, and which others inherit. The values are those of Impala's tests.
func TestIcebergLineage(t *testing.T) {
	keep(t, openAt(t, lineage), say(
		"SELECT * FROM iceberg_v3_row_lineage ORDER BY i", "1; 2; 3",
		"SELECT i, _row_id, _last_updated_sequence_number FROM iceberg_v3_row_lineage ORDER BY i", "1 0 1; 2 1 2; 3 2 3",
		"SELECT i, _row_id, _last_updated_sequence_number FROM iceberg_v3_row_lineage VERSION AS OF 2872597867664652808 ORDER BY i", "1 0 1; 2 1 2; 3 2 3",
		"SELECT i FROM iceberg_v3_row_lineage WHERE _row_id = 1", "2",
		"SELECT MIN(_row_id), MAX(_last_updated_sequence_number), COUNT(_row_id) FROM iceberg_v3_row_lineage VERSION AS OF 2872597867664652808", "0 3 3",
	)...)
}
