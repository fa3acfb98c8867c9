package deltas

import (
	"database/sql"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/parquetsql/parquetsql"
)

// TestRandom compares random tables, version by version, with their model.
// PARQUETSQL_DELTA_SEED and PARQUETSQL_DELTA_TABLES repeat and lengthen it.
func TestRandom(t *testing.T) {
	seed, tables, versions := time.Now().UnixNano(), 6, 40
	if testing.Short() {
		tables = 2
	}
	if s, err := strconv.ParseInt(os.Getenv("PARQUETSQL_DELTA_SEED"), 10, 64); err == nil {
		seed = s
	}
	if n, err := strconv.Atoi(os.Getenv("PARQUETSQL_DELTA_TABLES")); err == nil {
		tables = n
	}
	read := 0
	for i := range tables {
		r := rand.New(rand.NewSource(seed + int64(i)))
		if !oneTable(t, r, versions, &read) {
			t.Fatalf("seed %d (PARQUETSQL_DELTA_SEED=%d PARQUETSQL_DELTA_TABLES=1)", seed+int64(i), seed+int64(i))
		}
	}
	t.Logf("seed %d: %d versions were read", seed, read)
}

func oneTable(t *testing.T, r *rand.Rand, versions int, read *int) bool {
	dir := filepath.Join(t.TempDir(), "t")
	table, err := New(r, dir)
	if err != nil {
		t.Fatal(err)
	}
	db := open(t, dir)
	for v := range versions {
		if v > 0 {
			if err := table.Step(); err != nil {
				t.Fatal(err)
			}
		}
		if r.Intn(8) == 0 {
			db = open(t, dir)
		}
		*read++
		if !compare(t, db, r, "t", table.States[v]) {
			return false
		}
		if old := table.First + r.Intn(v-table.First+1); r.Intn(3) == 0 {
			*read++
			if !compare(t, db, r, fmt.Sprintf("t VERSION AS OF %d", old), table.States[old]) {
				return false
			}
		}
	}
	return true
}

func open(t *testing.T, dir string) *sql.DB {
	db, err := sql.Open("parquet", dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// compare asks for all rows, and for some and for aggregates.
func compare(t *testing.T, db *sql.DB, r *rand.Rand, from string, want *State) bool {
	names, rows, err := answer(db, "SELECT * FROM "+from)
	if err != nil || !slices.Equal(names, want.Names) || !slices.Equal(rows, want.Rows) {
		t.Errorf("%s: %v\ncolumns %q, want %q\n%d rows, want %d", from, err, names, want.Names, len(rows), len(want.Rows))
		for i := range min(len(rows), len(want.Rows)) {
			if rows[i] != want.Rows[i] {
				t.Errorf("row %d: %s\nwant %s", i, rows[i], want.Rows[i])
				break
			}
		}
		return false
	}
	ask := func(query, want string) bool {
		_, rows, err := answer(db, query)
		if err != nil || len(rows) != 1 || rows[0] != want {
			t.Errorf("%s: %q, %v, want %s", query, rows, err, want)
			return false
		}
		return true
	}
	ok := ask("SELECT COUNT(*) FROM "+from, fmt.Sprintf("%d|", len(want.Rows)))
	if name, low, high, is := want.Extremes(r); is {
		ok = ask(fmt.Sprintf("SELECT MIN(%s), MAX(%s) FROM %s", name, name, from), fmt.Sprintf("%v|%v|", low, high)) && ok
	}
	for range 2 {
		if where, n, is := want.Condition(r); is {
			ok = ask(fmt.Sprintf("SELECT COUNT(*) FROM %s WHERE %s", from, where), fmt.Sprintf("%d|", n)) && ok
		}
	}
	return ok
}

// answer is the columns and the sorted rows of a query.
func answer(db *sql.DB, query string) (names, out []string, err error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	if names, err = rows.Columns(); err != nil {
		return nil, nil, err
	}
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, nil, err
	}
	values, into := make([]any, len(names)), make([]any, len(names))
	for i := range into {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, nil, err
		}
		var text strings.Builder
		for i, v := range values {
			if at, ok := v.(time.Time); ok {
				form := timestampForm
				if types[i].DatabaseTypeName() == "DATE" {
					form = time.DateOnly
				}
				v = at.UTC().Format(form)
			}
			fmt.Fprintf(&text, "%v|", v)
		}
		out = append(out, text.String())
	}
	slices.Sort(out)
	return names, out, rows.Err()
}

// BenchmarkReplay opens a table of 300,000 files and counts its rows, which takes the log alone.
func BenchmarkReplay(b *testing.B) {
	dir := b.TempDir()
	if err := Big(dir+"/t", Log{Files: 300_000, Partitions: 1000, Columns: 20, Parts: 1}); err != nil {
		b.Fatal(err)
	}
	for _, query := range []struct{ name, text string }{
		{"count", "SELECT COUNT(*) FROM t"},
		{"partition", "SELECT COUNT(*) FROM t WHERE day = 'day-0007'"},
		{"bounds", "SELECT COUNT(*) FROM t WHERE c7 > 3000010"},
	} {
		for _, warm := range []bool{false, true} {
			name := query.name + "/first"
			if warm {
				name = query.name + "/again"
			}
			b.Run(name, func(b *testing.B) {
				var db *sql.DB
				var took int64
				for b.Loop() {
					b.StopTimer()
					if db == nil || !warm {
						var err error
						if db, err = sql.Open("parquet", dir); err != nil {
							b.Fatal(err)
						}
						defer db.Close()
						if warm {
							ask(b, db, query.text)
						}
					}
					before := processor()
					b.StartTimer()
					ask(b, db, query.text)
					took += processor() - before
				}
				b.ReportMetric(float64(took)/float64(b.N)/1e6, "cpu-ms/op")
			})
		}
	}
}

// BenchmarkKernel counts the rows of a table whose checkpoint has 1.3 million actions in 13 parts, by the log:
// as the table of BenchmarkParallelCheckpointReading in delta-io/delta; and of one with 300,000 in 3.
func BenchmarkKernel(b *testing.B) {
	for _, parts := range []int{3, 13} {
		files := parts * 100_000
		b.Run(strconv.Itoa(files), func(b *testing.B) {
			dir := b.TempDir()
			if err := Big(dir+"/t", Log{Files: files, Partitions: 100_000, Columns: 1, Parts: parts}); err != nil {
				b.Fatal(err)
			}
			var took int64
			for b.Loop() {
				before := processor()
				db, err := sql.Open("parquet", dir)
				if err != nil {
					b.Fatal(err)
				}
				ask(b, db, "SELECT COUNT(*) FROM t")
				db.Close()
				took += processor() - before
			}
			b.ReportMetric(float64(took)/float64(b.N)/1e6, "cpu-ms/op")
		})
	}
}

func ask(tb testing.TB, db *sql.DB, query string) {
	tb.Helper()
	rows, err := db.Query(query)
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkDeletes scans a table of which one row in a hundred is deleted, and the same without, in
// turn: processor time, as the machine may be busy.
func BenchmarkDeletes(b *testing.B) {
	dir := b.TempDir()
	for name, part := range map[string]float64{"none": 0, "some": 0.01} {
		if err := Deleted(filepath.Join(dir, name), 4_000_000, part); err != nil {
			b.Fatal(err)
		}
	}
	db, err := sql.Open("parquet", dir)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for _, query := range []string{
		"SELECT SUM(id), SUM(value) FROM %s",
		"SELECT grp, COUNT(*), MAX(text) FROM %s GROUP BY grp",
		"SELECT SUM(value) FROM %s WHERE grp < 10",
		"SELECT COUNT(*) FROM %s WHERE text LIKE '%%a%%' AND value > 0",
		"SELECT COUNT(*) FROM (SELECT id, value, text FROM %s ORDER BY value LIMIT 100000)",
	} {
		b.Run(query, func(b *testing.B) {
			texts := []string{fmt.Sprintf(query, "none"), fmt.Sprintf(query, "some")}
			for _, text := range texts {
				ask(b, db, text)
			}
			var took [2]int64
			for b.Loop() {
				for i, text := range texts {
					before := processor()
					ask(b, db, text)
					took[i] += processor() - before
				}
			}
			for i, name := range []string{"none-ms", "some-ms"} {
				b.ReportMetric(float64(took[i])/float64(b.N)/1e6, name)
			}
			b.ReportMetric(100*(float64(took[1])/float64(took[0])-1), "more-%")
		})
	}
}

// processor is the processor time of this process, in nanoseconds.
func processor() int64 {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return used.Utime.Nano() + used.Stime.Nano()
}
