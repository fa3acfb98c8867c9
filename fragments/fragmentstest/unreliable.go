package fragmentstest

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"sync"

	"github.com/parquetsql/parquetsql/fragments"
)

// unreliable is a store in whose operations the process dies, and where manifests are not seen at first.
type unreliable struct {
	fragments.Store
	mu          sync.Mutex
	rng         *rand.Rand
	kill, delay float64
}

func (u *unreliable) chance(p float64) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.rng.Float64() < p
}

// perhaps ends the process, sometimes.
func (u *unreliable) perhaps() {
	if u.chance(u.kill) {
		die()
	}
}

// die ends the process as kill -9 does.
func die() {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		os.Exit(2)
	}
	select {}
}

// Create implements fragments.Store.
func (u *unreliable) Create(ctx context.Context, name string) (fragments.Writer, error) {
	u.perhaps()
	w, err := u.Store.Create(ctx, name)
	return unreliableWriter{w, u}, err
}

type unreliableWriter struct {
	fragments.Writer
	of *unreliable
}

// Write implements fragments.Writer.
func (w unreliableWriter) Write(b []byte) (int, error) {
	w.of.perhaps()
	if w.of.chance(w.of.kill) { // in the middle of it
		_, _ = w.Writer.Write(b[:len(b)/2])
		die()
	}
	return w.Writer.Write(b)
}

// Close implements fragments.Writer.
func (w unreliableWriter) Close() error {
	w.of.perhaps()
	defer w.of.perhaps()
	return w.Writer.Close()
}

// CreateNew implements fragments.Store.
func (u *unreliable) CreateNew(ctx context.Context, name string, data []byte) error {
	u.perhaps()
	defer u.perhaps()
	return u.Store.CreateNew(ctx, name, data)
}

// ReadRange implements fragments.Store.
func (u *unreliable) ReadRange(ctx context.Context, name string, off, n int64) ([]byte, error) {
	u.perhaps()
	return u.Store.ReadRange(ctx, name, off, n)
}

// ReadAll implements fragments.Store.
func (u *unreliable) ReadAll(ctx context.Context, name string) ([]byte, error) {
	u.perhaps()
	if u.chance(u.delay) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return u.Store.ReadAll(ctx, name)
}

// Remove implements fragments.Store.
func (u *unreliable) Remove(ctx context.Context, name string) error {
	u.perhaps()
	return u.Store.Remove(ctx, name)
}
