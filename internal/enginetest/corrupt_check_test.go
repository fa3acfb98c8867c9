package enginetest

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// outcome is the answer of a query over a file: ids and the text of v.
type outcome struct {
	ids    []int
	values []string
	err    error
}

// session opens files with a deadline.
func session(t *testing.T, files fstest.MapFS, path string, change func(*parquetsql.Config)) (*sql.DB, context.Context) {
	t.Helper()
	config := parquetsql.NewConfig()
	config.FS, config.Path = files, path
	if change != nil {
		change(config)
	}
	connector, err := parquetsql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { _ = db.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), watchdog)
	t.Cleanup(cancel)
	return db, ctx
}

// rowsOf runs a query for id and v. The query must not hang or panic, and must
// allocate in proportion to the file.
func rowsOf(ctx context.Context, t *testing.T, db *sql.DB, size int, query string, args ...any) outcome {
	t.Helper()
	var out outcome
	before := leaktest.Allocated()
	rows, err := db.QueryContext(ctx, query, args...)
	if err == nil {
		for rows.Next() {
			var id int
			var v any
			if err = rows.Scan(&id, &v); err != nil {
				break
			}
			if b, ok := v.([]byte); ok {
				v = string(b)
			}
			out.ids, out.values = append(out.ids, id), append(out.values, fmt.Sprint(v))
		}
		err = errors.Join(err, rows.Err(), rows.Close())
	}
	out.err = err
	var bug *errs.PanicError
	switch used := leaktest.Allocated() - before; {
	case errors.As(err, &bug) || err != nil && strings.Contains(err.Error(), "internal error"):
		t.Errorf("%s: %v", query, err)
	case errors.Is(err, context.DeadlineExceeded):
		t.Errorf("%s: it hangs", query)
	case used > 64<<20+16*uint64(size):
		t.Errorf("%s: %d MiB allocated for a file of %d bytes", query, used>>20, size)
	}
	return out
}

// oneFile opens a file as a table of its own name.
func oneFile(t *testing.T, file corpusFile, change func(*parquetsql.Config)) (*sql.DB, context.Context, string) {
	t.Helper()
	db, ctx := session(t, fstest.MapFS{file.name + ".parquet": {Data: file.data}}, file.name+".parquet", change)
	return db, ctx, "`" + file.name + "`"
}

func checkFailing(t *testing.T, file corpusFile, want fate) {
	t.Helper()
	for _, change := range []func(*parquetsql.Config){nil, func(c *parquetsql.Config) { c.Parallelism, c.Pruning = 1, "off" }} {
		db, ctx, table := oneFile(t, file, change)
		got := rowsOf(ctx, t, db, len(file.data), "SELECT id, v FROM "+table)
		checkValues(t, file.name, got)
		if got.err == nil {
			if want.fails {
				t.Errorf("it %s, but there was no error and rows %v", want.name, got.ids)
			} else if !slices.Equal(got.ids, within(allRows)) && !sameSet(got.ids, within(allRows)) {
				t.Errorf("it %s, but rows were %v", want.name, got.ids)
			}
			continue
		}
		if !want.fails && !want.lenient {
			t.Errorf("it %s, but there was %v", want.name, got.err)
			continue
		}
		checkError(t, file, want, got.err)
	}
}

func checkError(t *testing.T, file corpusFile, want fate, err error) {
	t.Helper()
	var corrupt *parquetsql.CorruptError
	if !errors.As(err, &corrupt) {
		if want.other == nil || !errors.Is(err, want.other) {
			t.Errorf("it %s: got %v, want a *CorruptError", want.name, err)
		}
		return
	}
	if corrupt.File != file.name+".parquet" || corrupt.Err == nil {
		t.Errorf("File = %q, Err = %v", corrupt.File, corrupt.Err)
	}
	if want.located && (corrupt.RowGroup != 0 || !strings.HasPrefix(corrupt.Column, "v")) {
		t.Errorf("row group %d, column %q: %v", corrupt.RowGroup, corrupt.Column, corrupt)
	}
	if want.atOffset && (corrupt.Offset < 4 || corrupt.Offset >= int64(len(file.data))) {
		t.Errorf("offset %d of %d: %v", corrupt.Offset, len(file.data), corrupt)
	}
}

// skipping sets on_corrupt=skip and records what OnSkip gets.
func skipping(reported *[]*parquetsql.CorruptError) func(*parquetsql.Config) {
	var mu sync.Mutex
	return func(c *parquetsql.Config) {
		c.OnCorrupt = parquetsql.OnCorruptSkip
		c.OnSkip = func(err *parquetsql.CorruptError) {
			mu.Lock()
			defer mu.Unlock()
			*reported = append(*reported, err)
		}
	}
}

func checkSkipping(t *testing.T, file corpusFile, want fate) {
	t.Helper()
	var reported []*parquetsql.CorruptError
	db, ctx, table := oneFile(t, file, skipping(&reported))
	got := rowsOf(ctx, t, db, len(file.data), "SELECT id, v FROM "+table)
	checkValues(t, file.name, got)
	if want.file {
		if got.err == nil {
			t.Errorf("skipping: it %s, but there are rows %v", want.name, got.ids)
		}
		return
	}
	if got.err != nil {
		if want.other == nil || !errors.Is(got.err, want.other) {
			t.Errorf("skipping: %v", got.err)
		}
		return
	}
	for _, id := range within(want.keeps) {
		if !slices.Contains(got.ids, id) {
			t.Errorf("skipping: it %s, but row %d is missing from %v", want.name, id, got.ids)
			break
		}
	}
	for _, id := range within(want.loses) {
		if slices.Contains(got.ids, id) {
			t.Errorf("skipping: it %s, but row %d is among %v", want.name, id, got.ids)
			break
		}
	}
	counted := skippedPages(ctx, t, db, "SELECT id, v FROM "+table)
	if (len(got.ids) < 16 || want.fails) != (counted > 0) || (counted > 0) != (len(reported) > 0) {
		t.Errorf("skipping: %d rows, %d units counted, %d reported", len(got.ids), counted, len(reported))
	}
	for _, where := range []string{"id >= 6", "id % 3 = 2", "v IS NOT NULL AND id <> 5"} {
		some := rowsOf(ctx, t, db, len(file.data), "SELECT id, v FROM "+table+" WHERE "+where)
		checkValues(t, file.name, some)
		if some.err != nil && want.other == nil {
			t.Errorf("skipping, WHERE %s: %v", where, some.err)
		}
	}
	for _, err := range reported {
		if err.RowGroup <= 0 { // want describes the damage in the first of the two
			checkError(t, file, fate{located: want.located, atOffset: want.atOffset}, err)
		}
	}
}

// skippedPages is the count of EXPLAIN ANALYZE.
func skippedPages(ctx context.Context, t *testing.T, db *sql.DB, query string) int {
	t.Helper()
	var plan struct {
		Scans []struct {
			Skipped int `json:"pages_skipped_corrupt"`
		}
	}
	var text string
	if err := db.QueryRowContext(ctx, "EXPLAIN ANALYZE FORMAT=JSON "+query).Scan(&text); err != nil {
		t.Errorf("EXPLAIN ANALYZE: %v", err)
		return 0
	}
	if err := json.Unmarshal([]byte(text), &plan); err != nil || len(plan.Scans) != 1 {
		t.Errorf("%v in %s", err, text)
		return 0
	}
	return plan.Scans[0].Skipped
}

// checkBesideGood reads a table of a good file and one that cannot be read at all.
func checkBesideGood(t *testing.T, file corpusFile, want fate) {
	t.Helper()
	if want.other != nil || strings.HasPrefix(file.name, "file-path-") {
		return
	}
	good := readFile(t, filepath.Join("testdata", "corrupt", "column-index-right.parquet"))
	var reported []*parquetsql.CorruptError
	db, ctx := session(t, fstest.MapFS{"t/a.parquet": {Data: good}, "t/b.parquet": {Data: file.data}}, ".", skipping(&reported))
	got := rowsOf(ctx, t, db, len(file.data)+len(good), "SELECT id, v FROM t")
	if got.err != nil || !sameSet(got.ids, within(allRows)) || len(reported) == 0 || reported[0].File != "t/b.parquet" {
		t.Errorf("beside a good file: %v, %v, reported %v", got.ids, got.err, reported)
	}
}

// checkOtherColumn reads the column that is not damaged.
func checkOtherColumn(t *testing.T, file corpusFile) {
	t.Helper()
	db, ctx, table := oneFile(t, file, nil)
	got := rowsOf(ctx, t, db, len(file.data), "SELECT id, id + 100 FROM "+table)
	if got.err != nil || !sameSet(got.ids, within(allRows)) {
		t.Errorf("the other column: %v, %v", got.ids, got.err)
	}
}

var digits = regexp.MustCompile(`\d+`)

// checkValues checks that each value of the answer is right.
func checkValues(t *testing.T, name string, got outcome) {
	t.Helper()
	if name == "wkb-counts-lie" {
		return
	}
	seen := map[int]bool{}
	for i, id := range got.ids {
		if seen[id] {
			t.Errorf("row %d comes twice: %v", id, got.ids)
			return
		}
		seen[id] = true
		if id >= 4 && id < 8 && (name == "lists-of-unequal-length" || got.err != nil && strings.HasPrefix(name, "dictionary-index-")) {
			continue // what the page has before the damage is not id+100
		}
		numbers := digits.FindAllString(got.values[i], -1)
		wrong := func(s string) bool { return s != strconv.Itoa(id+100) }
		if len(numbers) == 0 || slices.ContainsFunc(numbers, wrong) {
			t.Errorf("row %d has v = %s", id, got.values[i])
			return
		}
	}
}

func within(ranges [][2]int) []int {
	var out []int
	for _, r := range ranges {
		for i := r[0]; i <= r[1]; i++ {
			out = append(out, i)
		}
	}
	return out
}

func sameSet(a, b []int) bool { return slices.Equal(slices.Sorted(slices.Values(a)), b) }

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
