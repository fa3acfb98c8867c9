//go:build unix

package storage

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestOpenPipe: a named pipe that takes the place of a file between stat and open is refused
// when it is open, and nobody waits for its writer.
func TestOpenPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	for name, fsys := range map[string]fileSystem{"root": localFS{dir}, "links": linkedFS{dir}} {
		if h, err := fsys.open("pipe"); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v, %v", name, h, err)
		}
		if h, err := fsys.open("."); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s, of a folder: %v, %v", name, h, err)
		}
	}
}

// lookedAt is a context that ends at the second look.
type lookedAt struct {
	context.Context
	looks int
}

func (l *lookedAt) Err() error {
	if l.looks++; l.looks > 1 {
		return context.Canceled
	}
	return nil
}

// TestLocalReadEnds: a long read of a local file looks at the context after each piece, and
// returns all bytes where that does not end.
func TestLocalReadEnds(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789abcde"), readPiece/6) // 2.5 pieces
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := linkedFS{filepath.Dir(path)}.open("file")
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	got := make([]byte, len(data)-7)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if n, err := readUntil(ctx, h, got, 7); n != len(got) || err != nil || !bytes.Equal(got, data[7:]) {
		t.Errorf("%d bytes of %d, %v", n, len(got), err)
	}
	if n, err := readUntil(&lookedAt{Context: ctx}, h, got, 7); n != readPiece || !errors.Is(err, context.Canceled) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if n, err := readUntil(ctx, h, got, 8); n != len(got)-1 || err == nil {
		t.Errorf("%d bytes past the end, %v", n, err)
	}
}
