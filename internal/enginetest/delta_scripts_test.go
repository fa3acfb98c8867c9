package enginetest

import (
	"database/sql"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDeltaScripts runs the scripts of duckdb-delta (*.test, in the format of sqllogictest) below the
// folder that PARQUETSQL_DELTA_CORPUS names: of each the queries over tables that are there. Those of
// one label have the same rows, and of the others the rows stand behind them.
func TestDeltaScripts(t *testing.T) {
	root := os.Getenv("PARQUETSQL_DELTA_CORPUS")
	if root == "" {
		t.Skip("PARQUETSQL_DELTA_CORPUS names no folder with tables and scripts")
	}
	runForeign(t, root, func(s *foreignScript) func(string) (string, bool) { return s.deltaQuery })
}

// runForeign runs the scripts below a folder. own is what makes a query one over the tables that are there.
func runForeign(t *testing.T, root string, own func(*foreignScript) func(query string) (string, bool)) {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(root, func(p string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(p, ".test") || strings.HasSuffix(p, ".test_slow") {
			paths = append(paths, p)
		}
		return err
	})
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	db := openAt(t, root)
	var all foreignCounts
	for _, p := range paths {
		t.Run(strings.TrimPrefix(p, root), func(t *testing.T) {
			text, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			s := &foreignScript{t: t, db: db, root: root, labels: map[string][]string{}, copies: map[string]string{}, attached: map[string]string{}, counts: &all}
			s.own = own(s)
			for record := range strings.SplitSeq(foreignHeads.ReplaceAllString(strings.ReplaceAll(string(text), "\r", ""), "\x00$1"), "\x00") {
				s.record(record)
			}
		})
	}
	t.Logf("%d queries are right, %d differ on purpose, %d are refused, of %d the tables are not there", all.right, all.differ, all.refused, all.absent)
}

// foreignDifferences are queries whose answers differ on purpose: docs/dialect.md says why.
var foreignDifferences = []string{
	"select * from delta_scan('duckdb-delta/data/inlined/variant/basic')",              // the text of a VARIANT is JSON
	"select variant_typeof(data) from delta_scan('duckdb-delta/data/inlined/variant",   // without the fields of an object
	"select variant_typeof(data.b) from delta_scan('duckdb-delta/data/inlined/variant", // without the length of an array
}

// foreignCounts counts queries.
type foreignCounts struct{ right, differ, refused, absent int }

// foreignScript is a script of another project.
type foreignScript struct {
	t        *testing.T
	db       *sql.DB
	root     string
	own      func(query string) (string, bool) // over the tables that are there; false: one is not there
	labels   map[string][]string               // the rows of a label
	copies   map[string]string                 // folders that a statement has copied
	attached map[string]string                 // names of tables
	written  bool                              // a statement has written, so that what follows is of other tables
	counts   *foreignCounts
}

var (
	foreignCopy   = regexp.MustCompile(`(?i)copy_dir\('([^']*)', *'([^']*)'\)`)
	foreignAttach = regexp.MustCompile(`(?i)^ATTACH '([^']*)' AS (\w+) \(TYPE delta`)
	foreignTable  = regexp.MustCompile(`'([^']*/[^']*)'`)
	foreignWrites = regexp.MustCompile(`(?i)^(insert|create|update|delete|begin|use|drop|checkpoint)`)
	foreignView   = regexp.MustCompile(`(?i)^create view (\S+) as select \* from iceberg_scan\('([^']*)'\)$`)
	foreignFrame  = regexp.MustCompile(`(?i)^create schema`)
	foreignHeads  = regexp.MustCompile(`(?m)^(query|statement|require|mode|foreach|loop|endloop)\b`)
)

// record runs a record: its first line, its SQL and, behind a line of ----, its rows.
func (s *foreignScript) record(text string) {
	var lines []string
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	if len(lines) < 2 {
		return
	}
	head := strings.Fields(lines[0])
	query, rows, _ := strings.Cut(strings.Join(lines[1:], "\n")+"\n", "----\n")
	rows, _, _ = strings.Cut(rows, "\n\n")
	query = strings.TrimSuffix(strings.TrimSpace(query), ";")
	if len(head) == 0 || head[0] != "query" {
		s.statement(query)
		return
	}
	query, there := s.own(query)
	if !there || s.written || strings.HasPrefix(strings.ToUpper(query), "EXPLAIN") {
		s.counts.absent++
		return
	}
	s.query(query, head, rows)
}

// statement notes what a statement does to names of tables.
func (s *foreignScript) statement(text string) {
	if m := foreignCopy.FindStringSubmatch(text); m != nil {
		s.copies[m[2]] = m[1]
	}
	if m := foreignAttach.FindStringSubmatch(text); m != nil {
		s.attached[m[2]] = m[1]
	}
	if m := foreignView.FindStringSubmatch(text); m != nil {
		s.attached[m[1]] = m[2]
		return
	}
	s.written = s.written || foreignWrites.MatchString(text) && !foreignFrame.MatchString(text)
}

// deltaQuery is the query over the tables of the folder; false where one is not there.
func (s *foreignScript) deltaQuery(query string) (string, bool) {
	for name, path := range s.attached {
		query = regexp.MustCompile(`(?i)\b(FROM|DESCRIBE) `+name+`\b(\.\w+)*`).ReplaceAllString(query, "${1} delta_scan('"+strings.ReplaceAll(path, "$", "$$")+"')")
	}
	found := true
	query = foreignTable.ReplaceAllStringFunc(query, func(quoted string) string {
		path := strings.Trim(quoted, "'")
		for _, from := range slices.Sorted(maps.Keys(s.copies)) {
			path = strings.Replace(path, from, s.copies[from], 1)
		}
		for from, to := range map[string]string{"{DAT_PATH}/out/reader_tests/generated": "dat", "{GOLDEN_TABLES_PATH}": "golden", "./data/": "duckdb-delta/data/"} {
			path = strings.Replace(path, from, to, 1)
		}
		path = strings.TrimSuffix(regexp.MustCompile(`^data/`).ReplaceAllString(path, "duckdb-delta/data/"), "/")
		choices := []string{path}
		if rest, ok := strings.CutPrefix(path, "{DELTA_KERNEL_TESTS_PATH}/"); ok {
			choices = nil
			for _, in := range []string{"kernel-rs-data/", "delta-rs/", "golden/", "dat/"} {
				choices = append(choices, in+rest, in+rest+"/delta")
			}
		}
		for _, within := range []string{"_delta_log", ""} {
			for _, c := range choices {
				folder, _, _ := strings.Cut(c, "/*")
				if _, err := os.Stat(filepath.Join(s.root, folder, within)); err == nil {
					return "'" + c + "'"
				}
			}
		}
		found = false
		return quoted
	})
	return query, found && foreignTable.MatchString(query)
}

// query compares the rows of a query.
func (s *foreignScript) query(query string, head []string, want string) {
	if strings.TrimSpace(want) == "" && len(head) > 3 {
		names, got, err := answerOf(s.db, query)
		if err != nil {
			s.refuse(query, err)
			return
		}
		got = append([]string{fmt.Sprint(names)}, got...)
		label := head[3]
		if known, ok := s.labels[label]; ok && !slices.Equal(known, got) {
			s.t.Errorf("%s\n%d rows %.400q\nwant %d rows %.400q", query, len(got)-1, got, len(known)-1, known)
		}
		s.labels[label] = got
		s.counts.right++
		return
	}
	got, err := foreignRows(s.db, query)
	if err != nil {
		s.refuse(query, err)
		return
	}
	var rows []string
	for line := range strings.SplitSeq(strings.Trim(want, "\n"), "\n") {
		if line != "" {
			rows = append(rows, line)
		}
	}
	if slices.ContainsFunc(foreignDifferences, func(d string) bool { return strings.HasPrefix(query, d) }) {
		s.counts.differ++
		return
	}
	slices.Sort(got)
	slices.Sort(rows)
	if !slices.Equal(got, rows) {
		s.t.Errorf("%s\n%.600q\nwant %.600q", query, got, rows)
		return
	}
	s.counts.right++
}

func (s *foreignScript) refuse(query string, err error) {
	s.counts.refused++
	s.t.Logf("%s\n%v", query, err)
}

// foreignRows are rows as texts as DuckDB shows them, with tabs between the values.
func foreignRows(db *sql.DB, query string) ([]string, error) {
	r, err := db.Query("SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (" + query + ")")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	names, err := r.Columns()
	if err != nil {
		return nil, err
	}
	values, into := make([]sql.NullString, len(names)), make([]any, len(names))
	for i := range into {
		into[i] = &values[i]
	}
	var out []string
	for r.Next() {
		if err := r.Scan(into...); err != nil {
			return nil, err
		}
		texts := make([]string, len(values))
		for i, v := range values {
			if texts[i] = v.String; !v.Valid {
				texts[i] = "NULL"
			}
		}
		out = append(out, strings.Join(texts, "\t"))
	}
	return out, r.Err()
}
