package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql/scan/scantest"
	"github.com/parquetsql/parquetsql/storage"
)

// openFS counts how many files were opened and how many are open.
type openFS struct {
	fstest.MapFS
	mu                sync.Mutex
	opened, notClosed int
}

type openedFile struct {
	fs.File
	of *openFS
}

func (s *openFS) Open(name string) (fs.File, error) {
	f, err := s.MapFS.Open(name)
	if info, e := fs.Stat(s.MapFS, name); err != nil || e != nil || info.IsDir() {
		return f, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened, s.notClosed = s.opened+1, s.notClosed+1
	return &openedFile{f, s}, nil
}

func (f *openedFile) ReadAt(p []byte, off int64) (int, error) {
	return f.File.(interface {
		ReadAt([]byte, int64) (int, error)
	}).ReadAt(p, off)
}

func (f *openedFile) Close() error {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	f.of.notClosed--
	return f.File.Close()
}

// waitClosed waits for reads that were given up, which close their file when they return.
func (s *openFS) waitClosed(t *testing.T) {
	t.Helper()
	for range 1000 {
		s.mu.Lock()
		n := s.notClosed
		s.mu.Unlock()
		if n == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("files stay open")
}

func manyFiles(n int) (*openFS, []*File) {
	one := scantest.File([]scantest.Field{scantest.Int32("a")})
	data := map[string][]byte{}
	for i := range n {
		data[fmt.Sprintf("t/%04d.parquet", i)] = one
	}
	fsys := &openFS{MapFS: scantest.FS(data)}
	store := storage.NewFS(fsys, ".", false, storage.NewHandles(storage.MaxHandles, ""))
	footers := NewCache(Options{CacheBytes: 1}).Footers()
	out := make([]*File, n)
	for i := range out {
		name := fmt.Sprintf("t/%04d.parquet", i)
		out[i] = footers.File(store, storage.Entry{Name: name, Size: int64(len(one)), Time: fsys.MapFS[name].ModTime}, name)
	}
	return fsys, out
}

// TestOpenerOpensAhead: the Opener opens exactly as many files ahead as the bound allows.
func TestOpenerOpensAhead(t *testing.T) {
	fsys, list := manyFiles(100)
	o := NewOpener(t.Context(), list, true)
	defer o.Close()
	for i, f := range list {
		opened, err := o.Open(t.Context(), f)
		if err != nil || opened.table != f {
			t.Fatalf("file %d: %v", i, err)
		}
		opened.Close()
		want := min(100, i+1+min(i, maxAhead))
		for n := 0; n < want; time.Sleep(time.Millisecond) { // files ahead are opened in the background
			fsys.mu.Lock()
			n = fsys.opened
			fsys.mu.Unlock()
			if n > want {
				t.Fatalf("after %d files, %d were opened, want %d", i+1, n, want)
			}
		}
	}
}

// TestOpenerClose: Close leaves no file open and no goroutine running, whenever it is
// called. A scan that asks for one file opens no other.
func TestOpenerClose(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, ahead := range []bool{false, true} {
		for asked := range 30 {
			fsys, list := manyFiles(60)
			o := NewOpener(t.Context(), list, ahead)
			for _, f := range list[:asked] {
				opened, err := o.Open(t.Context(), f)
				if err != nil {
					t.Fatal(err)
				}
				opened.Close()
			}
			for range 2 {
				if err := o.Close(); err != nil {
					t.Fatal(err)
				}
			}
			fsys.waitClosed(t)
			if most := 2*asked - 1; fsys.opened > max(0, most) || !ahead && fsys.opened != asked {
				t.Errorf("asked for %d files, opened %d", asked, fsys.opened)
			}
		}
	}
	for i := 0; runtime.NumGoroutine() > before && i < 100; i++ {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

// TestOpenerOfSeveral: several readers share an Opener and ask for files in any order;
// each file is opened once.
func TestOpenerOfSeveral(t *testing.T) {
	fsys, list := manyFiles(200)
	o := NewOpener(t.Context(), list, true)
	var readers sync.WaitGroup
	next := make(chan *File)
	for range 7 {
		readers.Go(func() {
			for f := range next {
				opened, err := o.Open(t.Context(), f)
				if err != nil || opened.table != f {
					t.Errorf("%s: %v", f.Path, err)
					continue
				}
				opened.Close()
			}
		})
	}
	for _, f := range list {
		next <- f
	}
	close(next)
	readers.Wait()
	if err := o.Close(); err != nil || fsys.opened != 200 {
		t.Errorf("%v: %d files opened", err, fsys.opened)
	}
	fsys.waitClosed(t)
}

// TestOpenerContext: the context of one who asks does not end the opening of files for others,
// and a file that was asked for in vain is there for the next.
func TestOpenerContext(t *testing.T) {
	fsys, list := manyFiles(40)
	o := NewOpener(t.Context(), list, true)
	for i, f := range list {
		ctx, cancel := context.WithCancel(t.Context())
		if i%3 == 1 {
			cancel()
		}
		opened, err := o.Open(ctx, f)
		cancel()
		if i%3 == 1 && errors.Is(err, context.Canceled) {
			opened, err = o.Open(t.Context(), f)
		}
		if err != nil || opened.table != f {
			t.Fatalf("file %d: %v", i, err)
		}
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := o.Close(); err != nil || fsys.opened < 40 {
		t.Errorf("%v: %d files opened", err, fsys.opened)
	}
	fsys.waitClosed(t)
}

// TestOpenerCloseMeanwhile: each file is closed once, by who got it or by Close.
func TestOpenerCloseMeanwhile(t *testing.T) {
	for range 50 {
		fsys, list := manyFiles(20)
		o := NewOpener(t.Context(), list, true)
		var readers sync.WaitGroup
		for _, f := range list {
			readers.Go(func() {
				opened, err := o.Open(t.Context(), f)
				if err == nil {
					err = opened.Close()
				}
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			})
		}
		if err := o.Close(); err != nil {
			t.Error(err)
		}
		readers.Wait()
		fsys.waitClosed(t)
	}
}
