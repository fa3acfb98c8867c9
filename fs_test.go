package parquetsql_test

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
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

// zipped is an archive with a compressed file of testdata.
func zipped(t *testing.T, name string) fs.FS {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	file, err := w.Create(name)
	if err == nil {
		_, err = file.Write(data)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestConfigsThatCannotBeRight checks what is found before the first query.
func TestConfigsThatCannotBeRight(t *testing.T) {
	archive := zipped(t, "penguins.parquet")
	for _, test := range []struct {
		config *parquetsql.Config
		want   string
	}{
		{nil, "Config is nil"},
		{&parquetsql.Config{FS: archive, TempDir: "/nosuch"}, `option temp_dir: "/nosuch"`},
		{&parquetsql.Config{Path: "testdata", TempDir: "go.mod"}, "no folder"},
		{&parquetsql.Config{Path: "testdata?parallelism=2"}, "ParseDSN"},
		{&parquetsql.Config{FS: archive, Path: "penguins.parquet?parallelism=2"}, "ParseDSN"},
		{&parquetsql.Config{FS: archive, Path: "/sales"}, "neither / nor .."},
		{&parquetsql.Config{FS: archive, Path: "/sales/*.parquet"}, "neither / nor .."},
		{&parquetsql.Config{FS: archive, Path: "../x"}, "neither / nor .."},
	} {
		connector, err := parquetsql.NewConnector(test.config)
		if err == nil {
			db := sql.OpenDB(connector)
			err = errors.Join(db.Ping(), db.Close())
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v", test.config, err)
		}
	}
	for dsn, want := range map[string]string{"testdata?temp_dir=/nosuch": `option temp_dir: "/nosuch"`, "testdata/penguins.parquet?parallelism": "parallelism has no value"} {
		if _, err := sql.Open("parquet", dsn); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", dsn, err)
		}
	}
}

// TestFileSystemsOfOthers reads files of which no byte can be asked for by its place.
func TestFileSystemsOfOthers(t *testing.T) {
	for name, files := range map[string]fs.FS{
		"net/http":            overHTTP{http.Dir("testdata")},
		"read only":           onlyRead{os.DirFS("testdata")},
		"net/http over a zip": overHTTP{http.FS(zipped(t, "penguins.parquet"))}, // its Seek fails
	} {
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
