package parquetsql_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
)

// replacedFS replaces a file with a newer version of it, as often as it is told
// to, each time when the pages of the file are read.
type replacedFS struct {
	mu    sync.Mutex
	files fstest.MapFS
	left  int
	data  []byte
	last  string // the file that was replaced last
}

func (r *replacedFS) Open(name string) (fs.File, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f, err := r.files.Open(name)
	if read, ok := f.(file); ok && err == nil {
		return &replacedFile{read, r, name}, nil
	}
	return f, err
}

// replace is the file with other data and a later time.
func (r *replacedFS) replace(name string) {
	old := r.files[name]
	r.files[name] = &fstest.MapFile{Data: r.data, ModTime: old.ModTime.Add(time.Second)}
}

// replaced is the file that was replaced last.
func (r *replacedFS) replaced() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

type file interface {
	fs.File
	ReadAt(p []byte, off int64) (int, error)
}

type replacedFile struct {
	file
	fs   *replacedFS
	name string
}

func (f *replacedFile) ReadAt(p []byte, off int64) (int, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if off == 4 && f.fs.left > 0 { // the first page
		f.fs.left--
		f.fs.last = f.name
		f.fs.replace(f.name)
	}
	return f.file.ReadAt(p, off)
}

// changing is a table of four files, of which each is replaced when it is read, as
// often as left says.
func changing(t *testing.T, left int) (*sql.DB, *replacedFS) {
	t.Helper()
	data, err := os.ReadFile("testdata/penguins.parquet")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1e9, 0)
	files := &replacedFS{data: data, left: left, files: fstest.MapFS{}}
	for _, name := range []string{"a", "b", "c", "d"} {
		files.files["t/"+name+".parquet"] = &fstest.MapFile{Data: data, ModTime: at}
	}
	connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: files, Parallelism: 1})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	return db, files
}

// isChanged reports whether an error is that of a changed file.
func isChanged(err error, file string) bool {
	var changed *parquetsql.ChangedError
	return errors.Is(err, parquetsql.ErrChanged) && errors.As(err, &changed) && changed.File == file
}

// TestChangedFile: a file that is replaced while no row was handed out makes the
// query run again, once.
func TestChangedFile(t *testing.T) {
	const query = "SELECT COUNT(*) FROM t WHERE Species <> Island"
	count := func(db interface {
		QueryRowContext(context.Context, string, ...any) *sql.Row
	}) (n int, err error) {
		err = db.QueryRowContext(t.Context(), query).Scan(&n)
		return n, err
	}
	db, _ := changing(t, 0)
	want, err := count(db)
	if err != nil || want == 0 {
		t.Fatal(want, err)
	}
	db, files := changing(t, 1)
	if n, err := count(db); n != want || err != nil || files.left != 0 {
		t.Errorf("one change: %d rows, %v, want %d", n, err, want)
	}
	db, _ = changing(t, 1<<30)
	if _, err := count(db); !isChanged(err, "t/a.parquet") && !isChanged(err, "t/b.parquet") { // b is read ahead
		t.Errorf("a change at each read: %v", err)
	}
	// Within a transaction the list of files does not change.
	db, files = changing(t, 1)
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := count(tx); !isChanged(err, files.replaced()) {
		t.Errorf("in a transaction: %v", err)
	}
}

// TestChangedAfterRows: once rows were handed out, they cannot be taken back.
func TestChangedAfterRows(t *testing.T) {
	for _, remove := range []bool{false, true} {
		db, files := changing(t, 0)
		rows, err := db.Query("SELECT Species FROM t")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		if !rows.Next() {
			t.Fatal(rows.Err())
		}
		files.mu.Lock() // the next file may have been read ahead, the last one was not
		if files.replace("t/d.parquet"); remove {
			delete(files.files, "t/d.parquet")
		}
		files.mu.Unlock()
		for rows.Next() {
		}
		if err := rows.Err(); !isChanged(err, "t/d.parquet") {
			t.Errorf("removed %v: %v", remove, err)
		}
	}
}
