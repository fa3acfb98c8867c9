package faulttest

import (
	"database/sql"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// faultyFS gives files whose k-th read, over all files, goes wrong.
type faultyFS struct {
	countingFS
	fault func(read func() (int, error), n int) (int, error)
	left  atomic.Int64
}

func (f *faultyFS) Open(name string) (fs.File, error) {
	file, err := f.countingFS.Open(name)
	if counted, ok := file.(*countedFile); ok {
		return &faultyFile{counted, f}, err
	}
	return file, err
}

type faultyFile struct {
	*countedFile
	of *faultyFS
}

func (f *faultyFile) ReadAt(p []byte, off int64) (int, error) {
	read := func() (int, error) { return f.countedFile.ReadAt(p, off) }
	if f.of.left.Add(-1) == 0 {
		return f.of.fault(read, len(p))
	}
	return read()
}

// faults are what a read may do that io.ReaderAt does not allow, or that it allows and
// nobody expects.
var faults = map[string]func(read func() (int, error), n int) (int, error){
	"an error":                 func(func() (int, error), int) (int, error) { return 0, errFault },
	"an error after all bytes": func(_ func() (int, error), n int) (int, error) { return n, errFault },
	"nothing":                  func(func() (int, error), int) (int, error) { return 0, nil },
	"too much":                 func(_ func() (int, error), n int) (int, error) { return n + 1, nil },
	"less than nothing":        func(func() (int, error), int) (int, error) { return -1, errFault },
	"a panic":                  func(func() (int, error), int) (int, error) { panic(errFault) },
	"EOF with all bytes": func(read func() (int, error), n int) (int, error) {
		got, err := read()
		if err == nil {
			err = io.EOF
		}
		return got, err
	},
}

// TestFaultyReads lets each read of some queries fail in each way: the query fails or has
// the right rows, and no file stays open.
func TestFaultyReads(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{"penguins.parquet", "airports.parquet"} {
		data, err := os.ReadFile(filepath.Join(testdata, name))
		if err != nil {
			t.Fatal(err)
		}
		files["all/a-"+name[:1]+".parquet"], files[name] = &fstest.MapFile{Data: data}, &fstest.MapFile{Data: data}
	}
	delete(files, "all/a-a.parquet")
	files["all/b.parquet"] = files["penguins.parquet"]
	for _, query := range []string{
		"SELECT COUNT(*), MIN(iata), MAX(name) FROM airports WHERE state = 'TX' AND iata <> 'x'",
		"SELECT COUNT(*), SUM(LENGTH(Species || Island)), COUNT(*) FROM `all`",
	} {
		for name, fault := range faults {
			for _, workers := range []int{1, 4} {
				faultyReads(t, files, query, workers, name, fault)
			}
		}
	}
}

func faultyReads(t *testing.T, files fs.FS, query string, workers int, name string, fault func(read func() (int, error), n int) (int, error)) {
	t.Helper()
	var want string
	for k := int64(-1); k == -1 || k > 0; k++ {
		if k == -1 {
			k = 0 // no fault: the answer
		}
		faulty := &faultyFS{countingFS: countingFS{fs: files}, fault: fault}
		faulty.left.Store(k)
		connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: faulty, Path: ".", Parallelism: workers})
		if err != nil {
			t.Fatal(err)
		}
		db := sql.OpenDB(connector)
		var a, b, c sql.NullString
		err = db.QueryRow(query).Scan(&a, &b, &c)
		db.Close()
		got := fmt.Sprint(a, b, c)
		switch {
		case k == 0:
			if want = got; err != nil {
				t.Fatal(err)
			}
		case err == nil && got != want:
			t.Errorf("%s, %d workers: read %d gives %s: %s, want %s", query, workers, k, name, got, want)
		}
		if n := leaktest.Settled(faulty.count); n != 0 {
			t.Errorf("%s, %d workers: read %d gives %s: %d files are open", query, workers, k, name, n)
		}
		if k > 0 && faulty.left.Load() > 0 {
			return // there are fewer reads
		}
	}
}

// TestHandleBudget: of a table of many files few are open at a time, also where a query
// plans them all before it reads the first.
func TestHandleBudget(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(testdata, "penguins.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for i := range 400 {
		files[fmt.Sprintf("many/%d.parquet", i)] = &fstest.MapFile{Data: data}
	}
	for query, want := range map[string]string{
		"SELECT MAX(Species) FROM many":                                         "Gentoo",
		"SELECT Species FROM many WHERE Species < 'B' ORDER BY Species LIMIT 1": "Adelie",
		"SELECT COUNT(DISTINCT Species) FROM many":                              "3",
	} {
		counted := &peakFS{countingFS: countingFS{fs: files}}
		connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: counted, Path: ".", Parallelism: 4})
		if err != nil {
			t.Fatal(err)
		}
		db := sql.OpenDB(connector)
		var got string
		if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", query, got, err, want)
		}
		db.Close()
		if n := counted.peak.Load(); n > 128+64 || counted.count() != 0 {
			t.Errorf("%s: %d files were open at a time, %d are", query, n, counted.count())
		}
	}
}

// peakFS notes how many files were open at a time.
type peakFS struct {
	countingFS
	peak atomic.Int64
}

func (p *peakFS) Open(name string) (fs.File, error) {
	f, err := p.countingFS.Open(name)
	for n := int64(p.count()); ; {
		if old := p.peak.Load(); n <= old || p.peak.CompareAndSwap(old, n) {
			return f, err
		}
	}
}
