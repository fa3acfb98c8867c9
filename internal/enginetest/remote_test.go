package enginetest

import (
	"database/sql"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
)

// remoteFS is a file system whose reads are requests. It counts them, and the longest chain of
// requests that wait for each other: a request is one longer than the longest chain that had
// ended when it began. Each takes long enough for others to begin meanwhile.
type remoteFS struct {
	fs.FS
	mu                  sync.Mutex
	reads, lists, stats int
	ended, chain        int
	log                 []string
	listed              []string
}

func (r *remoteFS) request(f func()) {
	r.mu.Lock()
	at := r.ended + 1
	r.mu.Unlock()
	time.Sleep(2 * time.Millisecond)
	f()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = max(r.ended, at)
	r.chain = max(r.chain, at)
}

func (r *remoteFS) Open(name string) (fs.File, error) {
	f, err := r.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return &remoteFile{f, r, name}, nil
}

func (r *remoteFS) Stat(name string) (fs.FileInfo, error) {
	r.mu.Lock()
	r.stats++
	r.mu.Unlock()
	return fs.Stat(r.FS, name)
}

func (r *remoteFS) ReadDir(name string) ([]fs.DirEntry, error) {
	r.mu.Lock()
	r.lists++
	r.listed = append(r.listed, name)
	r.mu.Unlock()
	return fs.ReadDir(r.FS, name)
}

type remoteFile struct {
	fs.File
	fs   *remoteFS
	name string
}

func (f *remoteFile) ReadAt(p []byte, off int64) (n int, err error) {
	f.fs.mu.Lock()
	f.fs.reads++
	f.fs.log = append(f.fs.log, fmt.Sprintf("%s %d+%d chain %d", f.name, off, len(p), f.fs.ended+1))
	f.fs.mu.Unlock()
	f.fs.request(func() { n, err = f.File.(io.ReaderAt).ReadAt(p, off) })
	return n, err
}

// remote is a database in a remoteFS.
func remote(t *testing.T, dir string) (*sql.DB, *remoteFS) {
	t.Helper()
	files := &remoteFS{FS: os.DirFS(dir)}
	c, err := parquetsql.NewConnector(&parquetsql.Config{FS: files, Parallelism: 2})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(c)
	t.Cleanup(func() { db.Close() })
	return db, files
}

// TestRemoteReads: how many requests queries take of files whose reads are requests, and how
// long the longest chain of them is that wait for each other.
func TestRemoteReads(t *testing.T) {
	for _, c := range []struct {
		file, query          string
		rows, reads, chained int // the last two are at most
	}{
		{"penguins.parquet", "SELECT COUNT(*) FROM penguins", 1, 1, 1},
		{"penguins.parquet", "SELECT * FROM penguins", 344, 2, 2},
		{"files/parquet-testing/data/alltypes_tiny_pages.parquet", "SELECT COUNT(*), MIN(id), MAX(id) FROM alltypes_tiny_pages", 1, 1, 1},
		// The footer; the page indexes; the pages of id; the page of each other column.
		{"files/parquet-testing/data/alltypes_tiny_pages.parquet", "SELECT * FROM alltypes_tiny_pages WHERE id = 3000", 1, 4, 4},
		{"files/parquet-testing/data/alltypes_tiny_pages.parquet", "SELECT * FROM alltypes_tiny_pages", 7300, 2, 2},
		// To see whether all pages are of the dictionary would take a read of each header.
		{"files/parquet-go/matrix_v1_uncompressed.parquet", "SELECT int64_rle_dictionary FROM matrix_v1_uncompressed WHERE int64_rle_dictionary = 5", 1, 3, 3},
	} {
		dir := t.TempDir()
		data, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(c.file)))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(c.file)), data, 0o600); err != nil {
			t.Fatal(err)
		}
		db, files := remote(t, dir)
		n, err := countRows(t.Context(), db, c.query)
		if err != nil {
			t.Fatalf("%s: %v", c.query, err)
		}
		if n != c.rows || files.reads > c.reads || files.chain > c.chained {
			t.Errorf("%s: %d rows, want %d; %d reads in a chain of %d, at most %d in %d:\n%s", c.query, n, c.rows, files.reads, files.chain, c.reads, c.chained, strings.Join(files.log, "\n"))
		}
	}
}
