package floor

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/bench/answer"
)

// Reader reads again what queries over a folder have read.
type Reader struct {
	folder  *recorder
	threads int
	db      *sql.DB
}

// NewReader works with so many threads.
func NewReader(dir string, threads int) (*Reader, error) {
	r := &Reader{folder: &recorder{FS: os.DirFS(dir)}, threads: threads}
	c := parquetsql.NewConfig()
	c.FS, c.Path, c.Parallelism = r.folder, ".", threads
	connector, err := parquetsql.NewConnector(c)
	if err != nil {
		return nil, err
	}
	r.db = sql.OpenDB(connector)
	return r, nil
}

// Close closes the folder.
func (r *Reader) Close() error { return r.db.Close() }

// Time runs a query twice, and is how long it takes to read once more what the second run
// has read: footers are known then. It has the number of bytes, too.
func (r *Reader) Time(ctx context.Context, text string) (took time.Duration, size int64, err error) {
	for range 2 {
		r.folder.forget()
		if _, err := answer.Read(ctx, r.db, text); err != nil {
			return 0, 0, err
		}
	}
	ranges := r.folder.forget()
	files := map[string]fs.File{}
	for _, s := range ranges {
		size += s.length
		if files[s.file] == nil {
			if files[s.file], err = r.folder.FS.Open(s.file); err != nil {
				return 0, 0, err
			}
			defer files[s.file].Close()
		}
	}
	start := time.Now()
	err = readAll(files, ranges, r.threads)
	return time.Since(start), size, err
}

func readAll(files map[string]fs.File, ranges []span, threads int) error {
	var next atomic.Int64
	errs := make([]error, threads)
	var done sync.WaitGroup
	for i := range threads {
		done.Go(func() {
			var buffer []byte
			for {
				n := int(next.Add(1)) - 1
				if n >= len(ranges) || errs[i] != nil {
					return
				}
				s := ranges[n]
				buffer = slices.Grow(buffer[:0], int(s.length))[:s.length]
				_, errs[i] = files[s.file].(io.ReaderAt).ReadAt(buffer, s.offset)
			}
		})
	}
	done.Wait()
	return errors.Join(errs...)
}

// span is bytes of a file.
type span struct {
	file           string
	offset, length int64
}

// recorder is a folder that remembers which bytes were read.
type recorder struct {
	fs.FS
	mu   sync.Mutex
	read []span
}

func (r *recorder) Open(name string) (fs.File, error) {
	f, err := r.FS.Open(name)
	if file, ok := f.(*os.File); ok {
		return &recorded{file, name, r}, err
	}
	return f, err
}

// forget returns what was read, and begins anew.
func (r *recorder) forget() []span {
	r.mu.Lock()
	defer r.mu.Unlock()
	read := r.read
	r.read = nil
	return read
}

type recorded struct {
	*os.File
	name     string
	recorder *recorder
}

func (f *recorded) ReadAt(p []byte, offset int64) (int, error) {
	n, err := f.File.ReadAt(p, offset)
	f.recorder.mu.Lock()
	defer f.recorder.mu.Unlock()
	f.recorder.read = append(f.recorder.read, span{f.name, offset, int64(n)})
	return n, err
}
