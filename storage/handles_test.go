package storage

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// countedHandle counts how many of its kind are open.
type countedHandle struct {
	*bytes.Reader
	open   *atomic.Int64
	closed atomic.Bool
}

func (c *countedHandle) ReadAt(p []byte, off int64) (int, error) {
	if c.closed.Load() {
		return 0, fs.ErrClosed
	}
	return c.Reader.ReadAt(p, off)
}

func (c *countedHandle) Close() error {
	if c.closed.Swap(true) {
		return errors.New("closed twice")
	}
	c.open.Add(-1)
	return nil
}

func (c *countedHandle) Stat() (fs.FileInfo, error) { return nil, nil }

// TestHandles reads many files by several goroutines: no more are open than the limit and
// those that are being read, and none is closed while it is read.
func TestHandles(t *testing.T) {
	const most, files, readers = 5, 40, 8
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	pool := NewHandles(most, "")
	var open, peak atomic.Int64
	all := make([]*lentHandle, files)
	for i := range all {
		again := func() (handle, error) {
			for n := open.Add(1); ; {
				if old := peak.Load(); n <= old || peak.CompareAndSwap(old, n) {
					return &countedHandle{Reader: bytes.NewReader([]byte{byte(i)}), open: &open}, nil
				}
			}
		}
		all[i] = &lentHandle{pool: pool, from: openerFunc(again)}
	}
	var wg sync.WaitGroup
	for k := range readers {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(k)))
			for range 2000 {
				i := r.IntN(files)
				var b [1]byte
				if _, err := all[i].ReadAt(t.Context(), b[:], 0); err != nil && err != io.EOF || b[0] != byte(i) {
					t.Errorf("file %d: %v, %v", i, b, err)
				}
			}
		})
	}
	wg.Wait()
	if peak.Load() > most+readers+1 || open.Load() > most {
		t.Errorf("%d files were open, %d are", peak.Load(), open.Load())
	}
	for _, l := range all {
		if err := errors.Join(l.Close(), l.Close()); err != nil {
			t.Error(err)
		}
	}
	if open.Load() != 0 || pool.open != 0 || pool.idle.Len() != 0 {
		t.Errorf("%d files are open, %d counted, %d idle", open.Load(), pool.open, pool.idle.Len())
	}
	if _, err := all[0].ReadAt(t.Context(), make([]byte, 1), 0); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a closed file: %v", err)
	}
}

type openerFunc func() (handle, error)

func (f openerFunc) openHandle() (handle, error) { return f() }
