package storage

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/internal/tempfile"
)

// Files of a file system that the user gave need not be io.ReaderAt: those of an archive are read
// from their beginning, those of http.FS may seek. A file that can seek is read at a place after
// another. What cannot is copied when it is read first: a short one to memory, others to a
// temporary file, which goes when the file is closed.

const (
	spooledInMemory = 1 << 20
	mostSpooled     = 16 << 30 // in temporary files, of all files that are open
	spoolPattern    = "parquetsql-copy-*"
)

// spool is where copies go.
type spool struct {
	dir   string
	taken atomic.Int64 // bytes of temporary files
}

// readerAt makes a handle of a file, whatever it can do.
func (s *spool) readerAt(file fs.File, name string) handle {
	switch f := file.(type) {
	case handle:
		return f
	case io.ReadSeeker:
		if _, err := f.Seek(0, io.SeekStart); err == nil { // that of http.FS fails where the file below has none
			return &seekingFile{File: file, from: f}
		}
	}
	return &copiedFile{File: file, name: name, spool: s}
}

// seekingFile is a file that is read at one place at a time.
type seekingFile struct {
	fs.File
	mu   sync.Mutex
	from io.ReadSeeker
}

// ReadAt implements io.ReaderAt.
func (f *seekingFile) ReadAt(p []byte, off int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.from.Seek(off, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(f.from, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// copiedFile is a file that is read from its copy.
type copiedFile struct {
	fs.File
	name  string
	spool *spool

	mu     sync.Mutex
	copied io.ReaderAt // nil: not yet
	temp   *os.File    // copied, if it is one
	size   int64       // of temp
	err    error       // why there is no copy
	ended  atomic.Bool
}

// ReadAt implements io.ReaderAt.
func (f *copiedFile) ReadAt(p []byte, off int64) (int, error) {
	copied, err := f.source()
	if err != nil {
		return 0, fmt.Errorf("%s cannot be read at any place, as its file system has no io.ReaderAt, and its copy failed: %w", f.name, err)
	}
	return copied.ReadAt(p, off)
}

// source is the copy, which is made once. A file that panics has none.
func (f *copiedFile) source() (copied io.ReaderAt, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.copied == nil && f.err == nil {
		f.err = errors.New("its file system panicked")
		f.err = f.load()
	}
	return f.copied, f.err
}

// load copies the file.
func (f *copiedFile) load() error {
	info, err := statHandle(f)
	if err != nil {
		return err
	}
	size := info.Size()
	if size < 0 {
		return fmt.Errorf("its size is %d", size)
	}
	if size <= spooledInMemory {
		data, err := io.ReadAll(io.LimitReader(f.File, size+1))
		if err == nil && int64(len(data)) != size {
			err = sizeError(size)
		}
		f.copied = memory(data)
		return err
	}
	if taken := f.spool.taken.Add(size); taken > mostSpooled {
		f.spool.taken.Add(-size)
		return fmt.Errorf("the copies of %d GiB in temp_dir are too many", taken>>30)
	}
	f.size = size
	if f.temp, err = tempfile.Create(f.spool.dir, spoolPattern); err != nil {
		return fmt.Errorf("a file in temp_dir: %w", err)
	}
	n, err := io.Copy(f.temp, io.LimitReader(stopping{f}, size+1))
	if err == nil && n != size {
		err = sizeError(size)
	}
	f.copied = f.temp
	return err
}

func sizeError(size int64) error {
	return fmt.Errorf("%w: it has not the %d bytes that its information has", ErrChanged, size)
}

// memory is a copy in memory.
type memory []byte

// ReadAt implements io.ReaderAt.
func (m memory) ReadAt(p []byte, off int64) (int, error) {
	if off >= int64(len(m)) {
		return 0, io.EOF
	}
	n := copy(p, m[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// stopping is the file until somebody has closed it: a copy that nobody waits for ends.
type stopping struct{ of *copiedFile }

func (s stopping) Read(p []byte) (int, error) {
	if s.of.ended.Load() {
		return 0, fs.ErrClosed
	}
	return s.of.File.Read(p)
}

// stop ends a copy that is being made.
func (f *copiedFile) stop() { f.ended.Store(true) }

// Close implements io.Closer.
func (f *copiedFile) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.File.Close()
	if f.temp != nil {
		err = errors.Join(err, f.temp.Close(), tempfile.Remove(f.temp))
	}
	f.spool.taken.Add(-f.size)
	f.size, f.temp, f.copied, f.err = 0, nil, nil, fs.ErrClosed
	return err
}
