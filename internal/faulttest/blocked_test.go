package faulttest

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// blockingFS has one read, over all files, that does not return until it is let go.
type blockingFS struct {
	fs.FS
	left    atomic.Int64
	blocked chan struct{} // closed by the read that blocks
	let     chan struct{}
}

func (b *blockingFS) Open(name string) (fs.File, error) {
	file, err := b.FS.Open(name)
	if _, ok := file.(io.ReaderAt); ok && err == nil {
		return &blockingFile{file, b}, nil
	}
	return file, err
}

type blockingFile struct {
	fs.File
	of *blockingFS
}

func (f *blockingFile) ReadAt(p []byte, off int64) (int, error) {
	if f.of.left.Add(-1) == 0 {
		close(f.of.blocked)
		<-f.of.let
	}
	return f.File.(io.ReaderAt).ReadAt(p, off)
}

// TestBlockedRead: a query whose read does not return ends when it is cancelled, wherever
// it is; when the read returns at last, nothing is left of it.
func TestBlockedRead(t *testing.T) {
	leaktest.Check(t)
	const patience = 20 * time.Second
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "airports.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	reads := 0
	for _, workers := range []int{1, 4} {
		for k := int64(1); ; k++ {
			b := &blockingFS{FS: fstest.MapFS{"t.parquet": {Data: data}}, blocked: make(chan struct{}), let: make(chan struct{})}
			b.left.Store(k)
			connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: b, Path: ".", Parallelism: workers})
			if err != nil {
				t.Fatal(err)
			}
			db := sql.OpenDB(connector)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				var n, longest int
				done <- db.QueryRowContext(ctx, "SELECT COUNT(*), MAX(LENGTH(name)) FROM t WHERE state < 'M'").Scan(&n, &longest)
			}()
			ended := false
			select {
			case err := <-done: // there are fewer reads
				if ended = true; err != nil {
					t.Error(err)
				}
			case <-b.blocked:
				reads++
				cancel()
				select {
				case err := <-done:
					if !errors.Is(err, context.Canceled) {
						t.Errorf("%d workers, read %d: %v", workers, k, err)
					}
				case <-time.After(patience):
					t.Errorf("%d workers: the query waits for read %d", workers, k)
					ended = true
				}
			}
			close(b.let)
			cancel()
			if err := db.Close(); err != nil {
				t.Error(err)
			}
			if ended {
				break
			}
		}
	}
	if reads < 6 {
		t.Errorf("only %d reads blocked", reads)
	}
}
