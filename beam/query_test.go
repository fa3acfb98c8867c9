package parquetbeam_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"

	"github.com/parquetsql/parquetsql"
	parquetbeam "github.com/parquetsql/parquetsql/beam"
)

func TestMain(m *testing.M) {
	beam.Init()
	os.Exit(m.Run())
}

func init() { register.Function1x2(line) }

// line is a row as JSON.
func line(r parquetbeam.Row) (string, error) {
	text, err := json.Marshal(r.Values)
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

// runner runs a query as a pipeline that writes its rows into a file.
type runner func(t *testing.T, location, query string, o parquetsql.StageOptions, exchange, out string) error

var limit = regexp.MustCompile(`(?i)\s+LIMIT \d+( OFFSET \d+)?$`)

// compare runs a query and compares the rows with the driver's. Nothing of the exchange is left.
func compare(t *testing.T, location, query string, o parquetsql.StageOptions, run runner) {
	t.Helper()
	exchange, out := t.TempDir(), filepath.Join(t.TempDir(), "rows")
	if err := run(t, location, query, o, exchange, out); err != nil {
		t.Errorf("%s: %v", query, err)
		return
	}
	got, want := got(t, out), want(t, location, query)
	if whole := limit.ReplaceAllString(query, ""); whole != query && len(got) == len(want) && !slices.Equal(got, want) {
		compare(t, location, whole, o, run) // of rows with the same keys any may be the first ones
	} else if !slices.Equal(got, want) {
		t.Errorf("%s\n%s\nwant\n%s", query, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if left, err := os.ReadDir(exchange); err != nil || len(left) > 0 {
		t.Errorf("%s: %d files of the exchange are left, error %v", query, len(left), err)
	}
}

// onPrism is a runner with a worker within this process (LOOPBACK).
func onPrism(t *testing.T, location, query string, o parquetsql.StageOptions, exchange, out string) error {
	p, s := beam.NewPipelineWithRoot()
	rows, err := parquetbeam.TryQuery(s, location, query, append(argumentsOf(query), parquetbeam.Exchange(exchange), o)...)
	if err != nil {
		return err
	}
	textio.Write(s, out, beam.ParDo(s, line, rows))
	_, err = prism.Execute(t.Context(), p)
	return err
}

// TestPrism runs queries on Prism.
func TestPrism(t *testing.T) {
	for _, query := range queries {
		compare(t, location, query, options, onPrism)
	}
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

// unquoted is a program for Prism's PROCESS environment: the SDK's boot program behind the quotes that Prism
// of v2.77.0 puts around its identity.
const unquoted = `#!/bin/sh
id=${1#--id=\'}
shift
exec "$(dirname "$0")/boot" --id="${id%\'}" "$@"
`

// built is the folder of the command and of what starts its workers.
type built string

// programs builds them.
func programs(t *testing.T) built {
	t.Helper()
	folder := t.TempDir()
	for name, of := range map[string]string{"parquetbeam": "./cmd/parquetbeam", "boot": "github.com/apache/beam/sdks/v2/go/container"} {
		build := exec.Command("go", "build", "-o", filepath.Join(folder, name), of)
		if text, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "worker"), []byte(unquoted), 0o755); err != nil {
		t.Fatal(err)
	}
	return built(folder)
}

// run is a runner: the command on Prism, with workers that are processes of their own (PROCESS).
func (b built) run(t *testing.T, location, query string, o parquetsql.StageOptions, exchange, out string) error {
	program := filepath.Join(string(b), "parquetbeam")
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, program, "-runner", "prism", "-environment_type", "PROCESS", "-worker_binary", program,
		"-environment_config", `{"command": "`+filepath.Join(string(b), "worker")+`"}`, "-dsn", location, "-exchange", exchange, "-out", out,
		"-split", strconv.FormatInt(o.SplitBytes, 10), "-partitions", strconv.Itoa(o.Partitions), "-allow-gather="+strconv.FormatBool(o.AllowGather), "-sql", query)
	var log bytes.Buffer
	c.Stdout, c.Stderr, c.WaitDelay = &log, &log, time.Second // workers may outlive it
	if err := c.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("%w\n%s", err, &log)
	}
	return nil
}

// TestProcesses runs queries with the command.
func TestProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds two programs")
	}
	b := programs(t)
	for _, query := range queries[:3] {
		compare(t, location, query, options, b.run)
	}
}
