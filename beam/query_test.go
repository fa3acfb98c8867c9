package parquetbeam_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"

	"github.com/parquetsql/parquetsql"
	parquetbeam "github.com/parquetsql/parquetsql/beam"
)

// TestMain is a worker of Beam where the boot program has begun it as one.
func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	os.Exit(main(m))
}

// main runs the tests. What Prism keeps of each pipeline as its worker's binary is a script that begins this one.
func main(m *testing.M) int {
	folder, err := os.MkdirTemp("", "worker-")
	if err == nil {
		defer os.RemoveAll(folder)
		var own string
		if own, err = os.Executable(); err == nil {
			*jobopts.WorkerBinary, err = recorded(folder, own)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

func init() { register.Function1x2(line) }

// line is a row as JSON, which has no NaN. Doubles have 12 digits: sums are added in another order.
func line(r parquetbeam.Row) (string, error) {
	values := slices.Clone(r.Values)
	for i, v := range values {
		switch f := v.(type) {
		case float64:
			values[i] = strconv.FormatFloat(f, 'g', 12, 64)
		case float32:
			values[i] = strconv.FormatFloat(float64(f), 'g', -1, 32)
		}
	}
	text, err := json.Marshal(values)
	return string(text), err
}

const location = "../testdata"

// queries have one of each way of cutting: by states, by hash, by broadcast, and all rows in one task.
var queries = []string{
	`SELECT species, COUNT(*), AVG("Body Mass (g)"), MIN(island), STDDEV("Body Mass (g)") FROM penguins GROUP BY species`,
	`SELECT COUNT(*), SUM(price), COUNT(DISTINCT state) FROM (SELECT length(name) price, state FROM airports)`,
	`SELECT state, STRING_AGG(iata, ',' ORDER BY iata), MEDIAN(latitude) FROM airports GROUP BY state`,
	`SELECT name, latitude FROM airports ORDER BY latitude DESC, iata LIMIT 7`,
	`SELECT DISTINCT island, sex FROM penguins`,
	`SELECT iata, state, RANK() OVER (PARTITION BY state ORDER BY longitude, iata) FROM airports WHERE latitude > 60`,
	`SELECT p.species, q.island, COUNT(*) FROM penguins p JOIN penguins q ON p.species = q.species AND p.sex = q.sex GROUP BY ALL`,
	`SELECT weather, MAX(date), SUM(precipitation) FROM seattle_weather WHERE wind > 2.5 GROUP BY weather HAVING COUNT(*) > 10`,
	`SELECT state FROM airports EXCEPT SELECT state FROM airports WHERE latitude < 45`,
	`SELECT COUNT(*) FROM airports a WHERE EXISTS (SELECT 1 FROM airports b WHERE b.state = a.state AND b.latitude > a.latitude + 3)`,
	`WITH big AS (SELECT * FROM airports WHERE longitude < -100) SELECT 'a', COUNT(*) FROM big UNION ALL SELECT state, COUNT(*) FROM big GROUP BY state`,
	`SELECT 1, NULL, 'a', TIMESTAMP '2024-01-02 03:04:05.678901', [1, 2], 1.50`,
	`SELECT iata FROM airports WHERE iata < ? AND state = ?`,
}

// argumentsOf are those of the last query.
func argumentsOf(query string) []any {
	if strings.HasSuffix(query, "= ?") {
		return []any{"B", "AK"}
	}
	return nil
}

// want are the rows as the driver gives them, sorted.
func want(t *testing.T, location, query string) []string {
	t.Helper()
	db, err := sql.Open("parquet", location)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), query, argumentsOf(query)...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for rows.Next() {
		row, at := parquetbeam.Row{Values: make([]any, len(columns))}, make([]any, len(columns))
		for i := range at {
			at[i] = &row.Values[i]
		}
		if err := rows.Scan(at...); err != nil {
			t.Fatal(err)
		}
		text, err := line(row)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

// got reads the lines that a pipeline has written, sorted.
func got(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) { // no rows, no file
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if lines[0] == "" {
		return nil
	}
	slices.Sort(lines)
	return lines
}

// options make several tasks of small files.
var options = parquetsql.StageOptions{SplitBytes: 1, Partitions: 3}

// runner runs queries, the rows of each into a file of a folder that has its number.
type runner func(t *testing.T, location string, queries []string, o parquetsql.StageOptions, exchange, out string) error

var limit = regexp.MustCompile(`(?i)\s+LIMIT \d+( OFFSET \d+)?$`)

// ofPrism is in the error where Prism of v2.77.0 asks a step that it runs itself for its progress, which is on a busy
// machine: that step has no worker.
const ofPrism = "panic in stage.Execute bundle processing goroutine"

// compare runs queries and compares their rows with the driver's. Nothing of the exchange is left.
func compare(t *testing.T, location string, queries []string, o parquetsql.StageOptions, run runner) {
	t.Helper()
	exchange, out := t.TempDir(), t.TempDir()
	if err := run(t, location, queries, o, exchange, out); err != nil {
		if len(queries) > 1 && strings.Contains(err.Error(), ofPrism) {
			t.Logf("%d queries again, as two pipelines: Prism fails", len(queries))
			compare(t, location, queries[:len(queries)/2], o, run)
			compare(t, location, queries[len(queries)/2:], o, run)
			return
		}
		t.Errorf("%s: %v", strings.Join(queries, ";\n"), err)
		return
	}
	var again []string
	for i, query := range queries {
		got, want := got(t, filepath.Join(out, strconv.Itoa(i))), want(t, location, query)
		if whole := limit.ReplaceAllString(query, ""); whole != query && len(got) == len(want) && !slices.Equal(got, want) {
			again = append(again, whole) // of rows with the same keys any may be the first ones
		} else if !slices.Equal(got, want) {
			t.Errorf("%s\n%s\nwant\n%s", query, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if left, err := os.ReadDir(exchange); err != nil || len(left) > 0 {
		t.Errorf("%d files of the exchange are left, error %v", len(left), err)
	}
	if len(again) > 0 {
		compare(t, location, again, o, run)
	}
}

// onPrism is a runner: one pipeline on Prism, with a worker within this process (LOOPBACK) unless the options of
// Beam say otherwise.
func onPrism(t *testing.T, location string, queries []string, o parquetsql.StageOptions, exchange, out string) error {
	p, s := beam.NewPipelineWithRoot()
	for i, query := range queries {
		rows, err := parquetbeam.TryQuery(s, location, query, append(argumentsOf(query), parquetbeam.Exchange(exchange), o)...)
		if err != nil {
			return err
		}
		textio.Write(s, filepath.Join(out, strconv.Itoa(i)), beam.ParDo(s, line, rows))
	}
	_, err := prism.Execute(t.Context(), p)
	return errors.Join(err, endRecorded(*jobopts.WorkerBinary))
}

// TestPrism runs queries on Prism, each a pipeline of its own, and then all as one.
func TestPrism(t *testing.T) {
	for _, query := range queries {
		compare(t, location, []string{query}, options, onPrism)
	}
	compare(t, location, queries, options, onPrism)
}

// TestErrors are those at the time when the pipeline is made.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		query string
		args  []any
		want  string
	}{
		{"SELECT 1", nil, "Exchange"},
		{"SELECT nam FROM airports", []any{parquetbeam.Exchange(t.TempDir())}, "nam"},
		{"SELECT SUM(latitude) OVER (ORDER BY iata) FROM airports", []any{parquetbeam.Exchange(t.TempDir()), options}, "allow_gather"},
	} {
		_, s := beam.NewPipelineWithRoot()
		if _, err := parquetbeam.TryQuery(s, location, c.query, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.query, err)
		}
	}
}
