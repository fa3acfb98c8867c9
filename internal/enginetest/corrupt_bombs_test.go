package enginetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// TestBombs: files of a few kilobytes have billions of rows. Reading the first rows,
// and cancelling a query over all rows, needs little memory.
func TestBombs(t *testing.T) {
	const rows = 4 * 4 * (1<<31 - 1)
	for name, column := range map[string]string{
		"bomb-42": "v", "bomb-42-optional": "v", "bomb-42-nulls": "v", "bomb-42-delta": "v", "bomb-42-text": "LENGTH(v)",
	} {
		t.Run(name, func(t *testing.T) {
			db := openDir(t, filepath.Join("testdata", "corrupt"))
			watch := watchHeap(t, 128<<20)
			defer watch()
			table := "`" + name + "`"
			if n := oneOf[int64](t, db, "SELECT COUNT(*) FROM "+table); n != rows {
				t.Errorf("COUNT(*) = %d, want %d", n, int64(rows))
			}
			for _, query := range []string{
				"SELECT v FROM %s LIMIT 10", "SELECT v FROM %s LIMIT 10 OFFSET 100000", "SELECT v FROM %s WHERE _row_group = 3 LIMIT 10",
			} {
				ctx, cancel := context.WithTimeout(context.Background(), watchdog)
				if n, err := countRows(ctx, db, fmt.Sprintf(query, table)); n != 10 || err != nil {
					t.Errorf("%s: %d rows, %v", query, n, err)
				}
				cancel()
			}
			for _, query := range []string{
				"SELECT SUM(%[2]s), COUNT(v) FROM %[1]s", "SELECT %[2]s, COUNT(*) FROM %[1]s GROUP BY 1", "SELECT COUNT(*) FROM %[1]s WHERE %[2]s = 77",
				"SELECT COUNT(*) FROM %[1]s WHERE %[2]s %% 2 = 1", "SELECT v FROM %[1]s ORDER BY %[2]s DESC LIMIT 3", "SELECT v FROM %[1]s LIMIT 3 OFFSET 30000000000",
				"SELECT v FROM %[1]s",
			} {
				checkCancel(t, db, fmt.Sprintf(query, table, column))
			}
		})
	}
}

// checkCancel cancels a query after a moment: it must end and leave nothing running.
// Without the cancellation each of these queries takes hours.
func checkCancel(t *testing.T, db *sql.DB, query string) {
	t.Helper()
	const patience = 50 * time.Millisecond
	goroutines := runtime.NumGoroutine()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := countRows(ctx, db, query)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%s: %v", query, err)
	}
	for i := 0; runtime.NumGoroutine() > goroutines+2 && i < 50; i++ {
		time.Sleep(10 * time.Millisecond)
	}
	if now := runtime.NumGoroutine(); now > goroutines+2 {
		t.Errorf("%s: %d goroutines, before it were %d", query, now, goroutines)
	}
}

// TestValidExpansion: valid files that expand a thousandfold are read in bounded
// memory, or fail with ErrMemoryLimit where there is a limit.
func TestValidExpansion(t *testing.T) {
	for _, c := range []struct {
		file, query, want string
		heap              int64
	}{
		{"delta-byte-array-prefix-grows", "SELECT COUNT(*) || ' ' || MAX(LENGTH(v)) || ' ' || SUM(LENGTH(v)) FROM %s", "30000 30000 450015000", 192 << 20},
		{"bomb-zstd", "SELECT COUNT(*) || ' ' || MAX(v) || ' ' || SUM(v) FROM %s", "49152000 0 0", 512 << 20},
	} {
		t.Run(c.file, func(t *testing.T) {
			if c.file == "bomb-zstd" && (testing.Short() || vector.BatchSize < 64) {
				t.Skip("49 million rows take too long with the race detector or a few at a time")
			}
			query := fmt.Sprintf(c.query, "`"+c.file+"`")
			func() {
				defer watchHeap(t, c.heap)()
				if got := oneOf[string](t, openDir(t, filepath.Join("testdata", "corrupt")), query); got != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
			}()
			defer watchHeap(t, 224<<20)()
			db := openDir(t, filepath.Join("testdata", "corrupt")+"?memory_limit=32MiB")
			var got string
			if err := db.QueryRow(query).Scan(&got); got != c.want && !errors.Is(err, parquetsql.ErrMemoryLimit) {
				t.Errorf("with memory_limit: %s, %v", got, err)
			}
		})
	}
}

// TestHugeRecord: one row of two billion elements is an error.
func TestHugeRecord(t *testing.T) {
	defer watchHeap(t, 1<<30)()
	db := openDir(t, filepath.Join("testdata", "corrupt"))
	ctx, cancel := context.WithTimeout(context.Background(), watchdog)
	defer cancel()
	_, err := countRows(ctx, db, "SELECT v FROM `bomb-42-list`")
	var bug *errs.PanicError
	if err == nil || errors.As(err, &bug) || ctx.Err() != nil {
		t.Errorf("got %v", err)
	}
}

func oneOf[T any](t *testing.T, db *sql.DB, query string) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), watchdog)
	defer cancel()
	var out T
	if err := db.QueryRowContext(ctx, query).Scan(&out); err != nil {
		t.Errorf("%s: %v", query, err)
	}
	return out
}

// countRows reads at most a million rows.
func countRows(ctx context.Context, db *sql.DB, query string) (int, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	n := 0
	for n < 1_000_000 && rows.Next() {
		n++
	}
	return n, errors.Join(rows.Err(), rows.Close())
}

// watchHeap measures the live heap until done is called, which fails the test if it
// grew by more than limit bytes.
func watchHeap(t *testing.T, limit int64) (done func()) {
	t.Helper()
	heap := func() int64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	runtime.GC()
	before := heap()
	var most atomic.Int64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				most.Store(max(most.Load(), heap()))
			}
		}
	}()
	return func() {
		t.Helper()
		close(stop)
		<-stopped
		if grew := most.Load() - before; grew > limit {
			t.Errorf("the heap grew by %d MiB, allowed are %d", grew>>20, limit>>20)
		}
	}
}

// TestTruncatedFiles: a file that is cut at any byte is an error.
func TestTruncatedFiles(t *testing.T) {
	for _, name := range []string{"column-index-right", "dictionary-of-empty-strings"} {
		good := readFile(t, filepath.Join("testdata", "corrupt", name+".parquet"))
		for n := range good {
			checkError(t, corpusFile{"x", good}, losesFile, truncated(t, good[:n]))
		}
		var corrupt *parquetsql.CorruptError
		if err := truncated(t, append(slices.Clone(good), '\n')); !errors.As(err, &corrupt) {
			t.Errorf("with a byte more: %v", err)
		}
	}
}

func truncated(t *testing.T, data []byte) error {
	t.Helper()
	connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: fstest.MapFS{"x.parquet": {Data: data}}, Path: "x.parquet"})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	return drainQuery(context.Background(), db, "SELECT * FROM x")
}

// TestPathsStayInside: neither a summary file nor a link nor a name leads out
// of the location.
func TestPathsStayInside(t *testing.T) {
	top := t.TempDir()
	location, outside := filepath.Join(top, "location"), filepath.Join(top, "outside")
	secret := readFile(t, filepath.Join("testdata", "corrupt", "column-index-right.parquet"))
	write := func(data []byte, parts ...string) {
		t.Helper()
		name := filepath.Join(parts...)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(secret, top, "secret.parquet")
	write(secret, outside, "secret.parquet")
	write(secret, location, "good.parquet")
	var bad []string
	for _, name := range []string{"dotdot", "inner-dotdot", "absolute", "backslash", "of-nothing"} {
		name = "file-path-" + name + ".parquet"
		write(readFile(t, filepath.Join("testdata", "corrupt", name)), location, name)
		bad = append(bad, name)
	}
	write(readFile(t, filepath.Join("testdata", "corrupt", "file-path-dotdot.parquet")), location, "_metadata")
	bad = append(bad, "_metadata", "../secret.parquet", "../outside/*.parquet", "../outside", filepath.ToSlash(filepath.Join(top, "secret.parquet")))
	for link, target := range map[string]string{
		"link.parquet": filepath.Join("..", "secret.parquet"), "folder": filepath.Join("..", "outside"), "direct.parquet": filepath.Join(top, "secret.parquet"),
		"loop": ".",
	} {
		if err := os.Symlink(target, filepath.Join(location, link)); err != nil {
			t.Logf("no links here: %v", err)
			continue
		}
		if link != "loop" {
			bad = append(bad, link)
		}
	}
	bad = append(bad, "folder/secret.parquet", "folder/*.parquet")
	db := openDir(t, location)
	for _, name := range bad {
		n, err := countRows(context.Background(), db, "SELECT * FROM `"+name+"`")
		if n > 0 || err == nil {
			t.Errorf("%s: %d rows, %v", name, n, err)
		}
		if err != nil && strings.Contains(err.Error(), "stack") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := oneOf[int64](t, db, "SELECT COUNT(*) FROM good"); n != 16 {
		t.Errorf("%d rows inside", n)
	}
	if n := oneOf[int64](t, db, "SELECT COUNT(*) FROM `[g]*.parquet`"); n != 16 {
		t.Errorf("%d rows by glob", n)
	}
}
