package storage

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// plainFS has files that can only be read from their beginning, or seek too.
type plainFS struct {
	fstest.MapFS
	seek bool
	// cut is how many bytes are missing at the end of files.
	cut int
	// panics says that reading does.
	panics bool
	open   int
}

func (p *plainFS) Open(name string) (fs.File, error) {
	f, err := p.MapFS.Open(name)
	if err != nil {
		return nil, err
	}
	p.open++
	data := p.MapFS[name].Data
	plain := &plainFile{File: f, of: p, left: bytes.NewReader(data[:len(data)-p.cut])}
	if p.seek {
		return seeker{plain}, nil
	}
	return plain, nil
}

type plainFile struct {
	fs.File
	of   *plainFS
	left *bytes.Reader
}

func (f *plainFile) Read(p []byte) (int, error) {
	if f.of.panics {
		panic("on purpose")
	}
	return f.left.Read(p)
}

func (f *plainFile) Close() error {
	f.of.open--
	return f.File.Close()
}

type seeker struct{ *plainFile }

func (s seeker) Seek(off int64, whence int) (int64, error) { return s.left.Seek(off, whence) }

func TestFilesThatOnlyRead(t *testing.T) {
	long := make([]byte, spooledInMemory+12345)
	random := rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(long)
	for name, data := range map[string][]byte{"short": long[:1000], "empty": {}, "long": long} {
		for _, seek := range []bool{false, true} {
			dir := t.TempDir()
			handles := NewHandles(4, dir)
			given := &plainFS{MapFS: fstest.MapFS{name: {Data: data}}, seek: seek}
			store := NewFS(given, ".", false, handles)
			entry, err := store.Stat(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			file := store.Open(entry)
			for _, at := range []int{len(data) - 10, 0, len(data) / 2, len(data)} {
				if at < 0 {
					continue
				}
				got := make([]byte, min(20, len(data)-at))
				n, err := file.ReadAt(t.Context(), got, int64(at))
				if err != nil && !errors.Is(err, io.EOF) || !bytes.Equal(got[:n], data[at:at+n]) || n < len(got) {
					t.Errorf("%s at %d, seek %v: %d bytes, %v", name, at, seek, n, err)
				}
			}
			if n, err := file.ReadAt(t.Context(), make([]byte, 20), int64(max(0, len(data)-10))); !errors.Is(err, io.EOF) || n != min(10, len(data)) {
				t.Errorf("%s past the end: %d bytes, %v", name, n, err)
			}
			if err := file.Close(); err != nil {
				t.Error(err)
			}
			left, err := os.ReadDir(dir)
			if err != nil || len(left) > 0 || given.open != 0 || handles.spool.taken.Load() != 0 {
				t.Errorf("%s: %d files left, %d open, %d bytes taken, %v", name, len(left), given.open, handles.spool.taken.Load(), err)
			}
		}
	}
}

func TestCopiesThatFail(t *testing.T) {
	data := make([]byte, spooledInMemory+1)
	read := func(given *plainFS, dir string) error {
		store := NewFS(given, ".", false, NewHandles(4, dir))
		entry, err := store.Stat(t.Context(), "f")
		if err != nil {
			t.Fatal(err)
		}
		file := store.Open(entry)
		ctx, cancel := context.WithCancel(t.Context()) // reads that can end early go on beside
		defer cancel()
		_, err = file.ReadAt(ctx, make([]byte, 10), 0)
		if _, again := file.ReadAt(ctx, make([]byte, 10), 0); again == nil {
			t.Errorf("%+v: the second read has no error", given)
		}
		_ = file.Close()
		if given.open != 0 {
			t.Errorf("%d files are open", given.open)
		}
		return err
	}
	files := fstest.MapFS{"f": {Data: data}}
	if err := read(&plainFS{MapFS: files, cut: 5}, t.TempDir()); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that is too short: %v", err)
	}
	if err := read(&plainFS{MapFS: fstest.MapFS{"f": {Data: data[:100]}}, cut: 5}, t.TempDir()); !errors.Is(err, ErrChanged) {
		t.Errorf("a short file that is too short: %v", err)
	}
	if err := read(&plainFS{MapFS: files, panics: true}, t.TempDir()); err == nil || !strings.Contains(err.Error(), "panics") {
		t.Errorf("a file that panics: %v", err)
	}
	if err := read(&plainFS{MapFS: files}, t.TempDir()+"/missing"); err == nil || !strings.Contains(err.Error(), "temp_dir") {
		t.Errorf("no folder for copies: %v", err)
	}
}
