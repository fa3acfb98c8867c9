package parquetsql_test

import (
	"database/sql"
	"io/fs"
	"net/http"
	"os"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// overHTTP is a file system of package net/http, whose files have Seek and no ReadAt.
type overHTTP struct{ http.FileSystem }

// Open implements fs.FS.
func (f overHTTP) Open(name string) (fs.File, error) {
	file, err := f.FileSystem.Open("/" + name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || info.IsDir() {
		return file, err
	}
	return struct{ http.File }{file}, nil
}

// onlyRead is a file system whose files have neither.
type onlyRead struct{ fs.FS }

// Open implements fs.FS.
func (f onlyRead) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || info.IsDir() {
		return file, err
	}
	return struct{ fs.File }{file}, nil
}

// TestFileSystemsOfOthers reads files of which no byte can be asked for by its place.
func TestFileSystemsOfOthers(t *testing.T) {
	for name, files := range map[string]fs.FS{"net/http": overHTTP{http.Dir("testdata")}, "read only": onlyRead{os.DirFS("testdata")}} {
		connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: files})
		if err != nil {
			t.Fatal(err)
		}
		db := sql.OpenDB(connector)
		var n, heavy int
		if err := db.QueryRow(`SELECT COUNT(*), COUNT(*) FILTER (WHERE "Body Mass (g)" > 6000) FROM penguins`).Scan(&n, &heavy); err != nil || n != 344 || heavy != 2 {
			t.Errorf("%s: %d rows, %d heavy, %v", name, n, heavy, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
