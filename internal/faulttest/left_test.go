package faulttest

import (
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// testdata is the folder of files that tests share.
var testdata = filepath.Join("..", "..", "testdata")

// TestNoFileLeft: all files are closed when the database is, and a read that was given up has returned.
func TestNoFileLeft(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(testdata, "movies.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	counted := &countingFS{fs: fstest.MapFS{"movies.parquet": {Data: data}}}
	connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: counted})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	for _, query := range []string{"SELECT * FROM movies", "SELECT Director, COUNT(*) FROM movies GROUP BY Director", "SELECT Title FROM movies ORDER BY Title"} {
		rows, err := db.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		rows.Next()
		rows.Close()
	}
	db.Close()
	if n := leaktest.Settled(counted.count); n != 0 {
		t.Errorf("%d files are open after Close", n)
	}
}

type countingFS struct {
	fs   fs.FS
	mu   sync.Mutex
	open int
}

func (c *countingFS) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open
}

func (c *countingFS) Open(name string) (fs.File, error) {
	f, err := c.fs.Open(name)
	if err != nil {
		return nil, err
	}
	if at, ok := f.(readerAtFile); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.open++
		return &countedFile{readerAtFile: at, of: c}, nil
	}
	return f, nil
}

type readerAtFile interface {
	fs.File
	ReadAt([]byte, int64) (int, error)
}

type countedFile struct {
	readerAtFile
	of   *countingFS
	once sync.Once
}

func (f *countedFile) Close() error {
	f.once.Do(func() {
		f.of.mu.Lock()
		defer f.of.mu.Unlock()
		f.of.open--
	})
	return f.readerAtFile.Close()
}
