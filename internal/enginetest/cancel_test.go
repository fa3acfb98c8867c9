package enginetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// cancels ends running queries at random: any read of a file may end any of them.
type cancels struct {
	mu      sync.Mutex
	rng     *rand.Rand
	running map[int]context.CancelFunc
	made    int
}

// add returns a context that tick may end.
func (c *cancels) add() (ctx context.Context, remove func()) {
	ctx, cancel := context.WithCancel(context.Background())
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made++
	id := c.made
	c.running[id] = cancel
	return ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.running, id)
		cancel()
	}
}

// tick ends one of the queries, once in so many calls.
func (c *cancels) tick(every int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rng.Intn(every) > 0 {
		return
	}
	for _, cancel := range c.running {
		cancel()
		return
	}
}

func (c *cancels) intn(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rng.Intn(n)
}

// tickingFS is a file system each read of which may end queries.
type tickingFS struct {
	fs.FS
	*cancels
}

type tickingFile struct {
	fs.File
	*cancels
}

func (f tickingFS) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if _, reads := file.(io.ReaderAt); !reads {
		return file, err // a folder
	}
	return tickingFile{file, f.cancels}, err
}

func (f tickingFile) ReadAt(p []byte, off int64) (int, error) {
	f.tick(60)
	n, err := f.File.(io.ReaderAt).ReadAt(p, off)
	f.tick(60)
	return n, err
}

const (
	cancelFiles = 40
	cancelRows  = 50 // of a file
)

// cancelQueries have one row of one value each. The ids are 0 to 1999.
var cancelQueries = []struct{ query, want string }{
	{"SELECT SUM(n) FROM (SELECT id AS n FROM t)", "1999000"},
	{"SELECT COUNT(*) || ' ' || SUM(id) FROM t WHERE id % 2 = 0", "1000 999000"},
	{"SELECT STRING_AGG(id, ' ') FROM (SELECT id FROM t LIMIT 3 OFFSET 120)", "120 121 122"},
	{"SELECT STRING_AGG(id, ' ') FROM (SELECT id FROM t ORDER BY s DESC, id LIMIT 2)", "9 19"},
	{"WITH c AS MATERIALIZED (SELECT id FROM t WHERE id % 4 = 1) SELECT (SELECT COUNT(*) FROM c) || ' ' || (SELECT MAX(id) FROM c)", "500 1997"},
	{"SELECT COUNT(*) FROM t a JOIN t b ON a.id = b.id + 1", "1999"},
	{"SELECT COUNT(*) || ' ' || MIN(n) FROM (SELECT s, COUNT(*) AS n FROM t GROUP BY s)", "10 200"},
	{"SELECT SUM(n) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY s ORDER BY id) AS n FROM t)", "201000"},
	{"SELECT COUNT(*) FROM (SELECT id FROM t UNION ALL SELECT id FROM t UNION ALL SELECT id + 1 FROM t)", "6000"},
	{"WITH RECURSIVE r(n) AS (SELECT MIN(id) FROM t UNION ALL SELECT n + 1 FROM r WHERE n < (SELECT COUNT(*) FROM t) - 1990) SELECT SUM(n) FROM r", "55"},
	{"SELECT SUM(rows) FROM `t$files`", "2000"},
	{"SELECT COUNT(*) || ' ' || MIN(id) || ' ' || MAX(id) FROM t", "2000 0 1999"},
}

// TestCancelIsOnlyTheCancellers: queries run at the same time on one connector, whose cache of
// footers has no room, and some of them are cancelled wherever they are. Only these end with
// the context's error, and all others have the right rows.
func TestCancelIsOnlyTheCancellers(t *testing.T) {
	leaktest.Check(t)
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	data := map[string][]byte{}
	for f := range cancelFiles {
		var id, s []any
		for r := range cancelRows {
			id, s = append(id, int64(f*cancelRows+r)), append(s, fmt.Sprint(r%10))
		}
		data[fmt.Sprintf("%03d.parquet", f)] = parquetOf(longs("id", id...), texts("s", s...))
	}
	dir, given := t.TempDir(), fstest.MapFS{}
	if err := os.Mkdir(filepath.Join(dir, "t"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, b := range data {
		if err := os.WriteFile(filepath.Join(dir, "t", name), b, 0o644); err != nil {
			t.Fatal(err)
		}
		given["t/"+name] = &fstest.MapFile{Data: b}
	}
	for i, c := range []parquetsql.Config{{Path: dir}, {Path: dir, Parallelism: 1}, {Path: dir, MemoryLimit: 4 << 20}, {FS: given}} {
		ends := &cancels{rng: rand.New(rand.NewSource(seed + int64(i))), running: map[int]context.CancelFunc{}}
		if c.FS != nil {
			c.FS = tickingFS{c.FS, ends}
		}
		c.FooterCache, c.TempDir = 1, t.TempDir()
		connector, err := parquetsql.NewConnector(&c)
		if err != nil {
			t.Fatal(err)
		}
		cancelled := cancelAtRandom(t, sql.OpenDB(connector), ends)
		t.Logf("%d queries were cancelled", cancelled)
		if c.FS != nil && cancelled == 0 { // those of local files may all be faster than their canceller
			t.Errorf("configuration %d: no query was cancelled", i)
		}
	}
}

// cancelAtRandom runs the queries and closes the database; it returns how many were cancelled.
func cancelAtRandom(t *testing.T, db *sql.DB, ends *cancels) (cancelled int) {
	defer db.Close()
	rounds := 40
	if testing.Short() {
		rounds = 10
	}
	var mu sync.Mutex
	var workers sync.WaitGroup
	for worker := range 6 {
		workers.Go(func() {
			for range rounds {
				c := cancelQueries[ends.intn(len(cancelQueries))]
				if worker%2 == 0 { // is never cancelled
					var got string
					if err := db.QueryRow(c.query).Scan(&got); err != nil || got != c.want {
						t.Errorf("%s: %s, %v; want %s", c.query, got, err, c.want)
					}
					continue
				}
				ctx, remove := ends.add()
				var own sync.WaitGroup
				own.Go(func() { // reads of a local file do not tick
					for range ends.intn(400) {
						runtime.Gosched()
					}
					ends.tick(1)
				})
				var got string
				err := db.QueryRowContext(ctx, c.query).Scan(&got)
				asked := ctx.Err() != nil
				remove()
				own.Wait()
				switch {
				case err == nil && got != c.want:
					t.Errorf("%s: %s, want %s", c.query, got, c.want)
				case err != nil && (!asked || !errors.Is(err, context.Canceled)):
					t.Errorf("%s: %v; cancelled: %v", c.query, err, asked)
				case err != nil:
					mu.Lock()
					cancelled++
					mu.Unlock()
				}
			}
		})
	}
	workers.Wait()
	return cancelled
}
