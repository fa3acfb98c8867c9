package parquetsql_test

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// openWith opens testdata with some fields of a Config.
func openWith(t *testing.T, set func(c *parquetsql.Config)) *sql.DB {
	t.Helper()
	c := parquetsql.NewConfig()
	c.Path = "testdata"
	set(c)
	connector, err := parquetsql.NewConnector(c)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	return db
}

// TestOnQuery looks at the statistics of queries that end, fail, and are closed early.
func TestOnQuery(t *testing.T) {
	var told []parquetsql.QueryStats
	db := openWith(t, func(c *parquetsql.Config) { c.OnQuery = func(s parquetsql.QueryStats) { told = append(told, s) } })
	last := func() parquetsql.QueryStats {
		t.Helper()
		if len(told) != 1 {
			t.Fatalf("told %d times: %+v", len(told), told)
		}
		s := told[0]
		told = nil
		if !s.Done || s.Began.IsZero() || s.Duration <= 0 {
			t.Errorf("%+v", s)
		}
		return s
	}

	const text = "SELECT Species FROM penguins"
	if _, err := db.Exec(text); err != nil {
		t.Fatal(err)
	}
	s := last()
	if s.Text != text || s.Err != nil || s.Rows != 344 || s.Files != 1 || s.FilesOpened != 1 || s.RowsPassed != 344 || s.RowsPlanned != 344 ||
		s.BytesRead == 0 || s.BytesPlanned == 0 || s.RowGroups == 0 || s.Fraction() != 1 {
		t.Errorf("%+v", s)
	}

	rows, err := db.Query(text)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if !rows.Next() {
			t.Fatal(rows.Err())
		}
	}
	rows.Close()
	if s := last(); s.Err != nil || s.Rows != 10 {
		t.Errorf("closed early: %+v", s)
	}

	if _, err := db.Query("SELECT nothing FROM penguins"); err == nil {
		t.Fatal("no error")
	}
	if s := last(); s.Err == nil {
		t.Errorf("a column that does not exist: %+v", s)
	}

	ctx, cancel := context.WithCancel(context.Background())
	if rows, err = db.QueryContext(ctx, text); err != nil {
		t.Fatal(err)
	}
	cancel()
	for rows.Next() {
	}
	rows.Close()
	if s := last(); !errors.Is(s.Err, context.Canceled) {
		t.Errorf("cancelled: %+v", s)
	}
}

// TestSpilledBytes: a sort that does not fit says what it held and wrote.
func TestSpilledBytes(t *testing.T) {
	var s parquetsql.QueryStats
	db := openWith(t, func(c *parquetsql.Config) {
		c.OnQuery, c.MemoryLimit, c.TempDir = func(got parquetsql.QueryStats) { s = got }, 8<<20, leaktest.Folder(t)
	})
	if _, err := db.Exec("SELECT REPEAT(MD5(a::VARCHAR), 10) FROM range(50000) t(a) ORDER BY 1"); err != nil {
		t.Fatal(err)
	}
	if s.Rows != 50_000 || s.SpilledBytes < 1_000_000 || s.PeakMemory < 1<<20 || s.PeakMemory > 8<<20 {
		t.Errorf("%+v", s)
	}
}

// TestWatch looks at a query while it runs.
func TestWatch(t *testing.T) {
	db := openWith(t, func(*parquetsql.Config) {})
	ctx, watcher := parquetsql.Watch(context.Background())
	if s := watcher.Stats(); s.Text != "" || s.Fraction() != 0 {
		t.Errorf("before the query: %+v", s)
	}
	rows, err := db.QueryContext(ctx, "SELECT * FROM penguins")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	if s := watcher.Stats(); s.Done || s.Rows == 0 || s.BytesRead == 0 || s.Fraction() <= 0 {
		t.Errorf("while it runs: %+v", s)
	}
	for rows.Next() {
	}
	if s := watcher.Stats(); !s.Done || s.Rows != 344 || s.Fraction() != 1 {
		t.Errorf("at the end: %+v", s)
	}
}

// TestSecondRead: a window that has no memory for its rows reads them again. The plan has one scan of both, statistics count
// what both have read, and the progress does not go back.
func TestSecondRead(t *testing.T) {
	const text = "SELECT name, MAX(REPEAT(name, 200)) OVER (PARTITION BY iata, state) AS s FROM airports"
	read := func(limit int64, query string) (s parquetsql.QueryStats, lines []string) {
		t.Helper()
		db := openWith(t, func(c *parquetsql.Config) { c.MemoryLimit, c.TempDir, c.Parallelism = limit, leaktest.Folder(t), 1 })
		ctx, watcher := parquetsql.Watch(context.Background())
		rows, err := db.QueryContext(ctx, query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		columns, _ := rows.Columns()
		values := make([]any, len(columns))
		var line string
		values[0] = &line
		for i := range values[1:] {
			values[i+1] = new(any)
		}
		for last := 0.0; rows.Next(); {
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, line)
			s = watcher.Stats()
			if f := s.Fraction(); f < last || f > 1 {
				t.Fatalf("the fraction goes from %g to %g", last, f)
			} else {
				last = f
			}
		}
		if rows.Err() != nil {
			t.Fatal(rows.Err())
		}
		return watcher.Stats(), lines
	}
	once, rows := read(0, text)
	twice, again := read(8<<20, text)
	if len(rows) != 3376 || len(again) != 3376 {
		t.Fatalf("%d and %d rows", len(rows), len(again))
	}
	if once.RowsPassed != 3376 || twice.RowsPassed <= 3376 || twice.RowsPassed > twice.RowsPlanned || twice.RowsPlanned != 2*3376 {
		t.Errorf("%d rows are read once; twice: %d of %d", once.RowsPassed, twice.RowsPassed, twice.RowsPlanned)
	}
	if twice.BytesRead <= once.BytesRead || twice.BytesRead > 2*once.BytesRead {
		t.Errorf("%d bytes are read once, %d twice", once.BytesRead, twice.BytesRead)
	}
	if twice.Files != 1 || twice.FilesOpened != 1 || twice.RowGroups != once.RowGroups || twice.Pages != once.Pages || once.Fraction() != 1 || twice.Fraction() != 1 {
		t.Errorf("once %+v, twice %+v", once, twice)
	}

	_, plan := read(8<<20, "EXPLAIN ANALYZE "+text)
	shown := strings.Join(plan, "\n")
	returned := regexp.MustCompile(`([0-9,]+) rows decoded, ([0-9,]+) returned`).FindStringSubmatch(shown)
	n := 0
	if returned != nil {
		n, _ = strconv.Atoi(strings.ReplaceAll(returned[2], ",", ""))
	}
	if n <= 3376 || strings.Count(shown, "Scan airports") != 1 || strings.Count(shown, "pages ") != 1 {
		t.Errorf("the plan has not one scan with both reads:\n%s", shown)
	}
}
