package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// strictHandle holds a file of the user's file system to what io.ReaderAt promises, so
// that its readers need not: fewer bytes come with an error, and the bytes of a read
// that failed are not used, not even if there are as many as were asked for. A panic is
// an error like others, which closes the files. It is closed once no read is going on.
type strictHandle struct {
	handle

	mu      sync.Mutex
	reading int // reads that were given up, and go on
	closed  bool
}

// ReadAt implements io.ReaderAt.
func (s *strictHandle) ReadAt(p []byte, off int64) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			n, err = 0, fmt.Errorf("ReadAt of %T panics: %v", s.handle, r)
		}
	}()
	n, err = s.handle.ReadAt(p, off)
	switch {
	case n < 0 || n > len(p):
		return 0, fmt.Errorf("ReadAt of %T read %d bytes into %d", s.handle, n, len(p))
	case err != nil && !errors.Is(err, io.EOF):
		return 0, err
	case err == nil && n < len(p):
		return 0, fmt.Errorf("ReadAt of %T read %d of %d bytes and returned no error: %w", s.handle, n, len(p), io.ErrNoProgress)
	}
	return n, err
}

// readPiece is how much of a local file is read between two looks at the context.
const readPiece = 4 << 20

// readUntil is r.ReadAt until ctx ends. If r is a file of the user's file system, whose reads
// know no context and may take long or never return, they are given up; then r may still write
// to p.
func readUntil(ctx context.Context, r io.ReaderAt, p []byte, off int64) (int, error) {
	if ctx.Done() == nil {
		return r.ReadAt(p, off)
	}
	s, ok := r.(*strictHandle)
	if !ok {
		return readPieces(ctx, r, p, off)
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	s.begin()
	go func() {
		n, err := s.ReadAt(p, off)
		s.end() // before anybody closes the file
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		return r.n, r.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// readPieces is r.ReadAt with looks at the context.
func readPieces(ctx context.Context, r io.ReaderAt, p []byte, off int64) (n int, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		size := min(len(p)-n, readPiece)
		more, err := r.ReadAt(p[n:n+size], off+int64(n))
		if n += more; err != nil || n >= len(p) {
			return n, err
		}
	}
}

func (s *strictHandle) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reading++
}

func (s *strictHandle) end() {
	s.mu.Lock()
	s.reading--
	last := s.closed && s.reading == 0
	s.mu.Unlock()
	if last {
		_ = s.handle.Close() // nobody waits for it any more
	}
}

// Close closes the file when the reads that go on have ended.
func (s *strictHandle) Close() error {
	s.mu.Lock()
	s.closed = true
	wait := s.reading > 0
	s.mu.Unlock()
	if c, ok := s.handle.(*copiedFile); ok {
		c.stop()
	}
	if wait {
		return nil
	}
	return s.handle.Close()
}

// statHandle is Stat of an open file; a file without information is an error, and so is a
// panic of the user's file system.
func statHandle(h handle) (info fs.FileInfo, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("information about an open file: %T panics: %v", h, r)
		}
	}()
	info, err = h.Stat()
	if err == nil && info == nil {
		err = fmt.Errorf("information about an open file: %T has neither that nor an error", h)
	}
	return info, err
}
