package faulttest

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

var errFault = errors.New("the disk is tired")

// call is what a file system is asked for.
type call string

const (
	opening call = "Open"
	statted call = "Stat"
	listing call = "ReadDir"
)

// failingFS has one call of a kind, over all files, that fails.
type failingFS struct {
	fs   fs.FS
	kind call
	left atomic.Int64
	open atomic.Int64 // files that are open
	name atomic.Value // string: the file of the call that failed
}

// fails counts a call and reports whether it is the one that fails.
func (f *failingFS) fails(kind call, name string) bool {
	if kind != f.kind || f.left.Add(-1) != 0 {
		return false
	}
	f.name.Store(name)
	return true
}

func (f *failingFS) Open(name string) (fs.File, error) {
	if f.fails(opening, name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errFault}
	}
	file, err := f.fs.Open(name)
	if err != nil {
		return nil, err
	}
	f.open.Add(1)
	failing := &failingFile{File: file, of: f, name: name}
	if _, ok := file.(io.ReaderAt); ok {
		return readableFile{failing}, nil
	}
	return failing, nil
}

// readableFile is one that is no folder.
type readableFile struct{ *failingFile }

func (f readableFile) ReadAt(p []byte, off int64) (int, error) {
	return f.File.(io.ReaderAt).ReadAt(p, off)
}

type failingFile struct {
	fs.File
	of   *failingFS
	name string
	once sync.Once
}

func (f *failingFile) Stat() (fs.FileInfo, error) {
	if f.of.fails(statted, f.name) {
		return nil, &fs.PathError{Op: "stat", Path: f.name, Err: errFault}
	}
	return f.File.Stat()
}

func (f *failingFile) Close() error {
	f.once.Do(func() { f.of.open.Add(-1) })
	return f.File.Close()
}

// ReadDir implements fs.ReadDirFS.
func (f *failingFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if f.fails(listing, name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errFault}
	}
	return fs.ReadDir(f.fs, name)
}

// TestFailingCalls lets each call of a kind fail: the query fails with an error that names
// the file, or has the right rows, and no file stays open but while a read that was given up goes on.
func TestFailingCalls(t *testing.T) {
	leaktest.Check(t)
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "penguins.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, name := range []string{"t/year=2023/a.parquet", "t/year=2023/b.parquet", "t/year=2024/c.parquet"} {
		files[name] = &fstest.MapFile{Data: data}
	}
	failures := map[call]int{}
	for _, query := range []string{
		"SELECT COUNT(*), SUM(year), MIN(Species) FROM t WHERE Species < 'B'",
		"SELECT COUNT(*), MAX(year), MAX(Species) FROM 't/*/[abc].parquet'",
	} {
		for _, kind := range []call{opening, statted, listing} {
			for _, workers := range []int{1, 4} {
				want, _ := one(t, files, query, workers, kind, 0)
				if want.err != nil {
					t.Fatal(want.err)
				}
				for k := int64(1); ; k++ {
					got, f := one(t, files, query, workers, kind, k)
					if f.left.Load() > 0 {
						break // there are fewer calls
					}
					name := f.name.Load().(string)
					switch {
					case got.err == nil && got.row != want.row:
						t.Errorf("%s, %d workers: %s %d of %s fails: %s, want %s", query, workers, kind, k, name, got.row, want.row)
					case got.err != nil && !errors.Is(got.err, errFault):
						t.Errorf("%s, %d workers: %s %d of %s fails: %v", query, workers, kind, k, name, got.err)
					case got.err != nil && !strings.Contains(got.err.Error(), name):
						t.Errorf("%s, %d workers: %s %d of %s fails: %v does not name it", query, workers, kind, k, name, got.err)
					}
					if got.err != nil {
						failures[kind]++
					}
					if n := leaktest.Settled(func() int { return int(f.open.Load()) }); n != 0 {
						t.Errorf("%s, %d workers: %s %d of %s fails: %d files are open", query, workers, kind, k, name, n)
					}
				}
			}
		}
	}
	for _, kind := range []call{opening, statted, listing} {
		if failures[kind] < 4 {
			t.Errorf("only %d calls of %s failed", failures[kind], kind)
		}
	}
}

type answer struct {
	row string
	err error
}

func one(t *testing.T, files fs.FS, query string, workers int, kind call, k int64) (answer, *failingFS) {
	f := &failingFS{fs: files, kind: kind}
	f.left.Store(k)
	connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: f, Path: ".", Parallelism: workers})
	if err != nil {
		return answer{err: err}, f
	}
	db := sql.OpenDB(connector)
	var a, b, c sql.NullString
	err = db.QueryRow(query).Scan(&a, &b, &c)
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	return answer{fmt.Sprint(a, b, c), err}, f
}
