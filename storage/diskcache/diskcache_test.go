package diskcache

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/storage"
)

// counted is a store of one file in memory, which counts reads.
type counted struct {
	storage.Store
	data []byte
	mu   sync.Mutex
	read int
	fail error
}

func (c *counted) Open(storage.Entry) storage.File { return &countedFile{c} }

type countedFile struct{ *counted }

func (f *countedFile) ReadAt(_ context.Context, p []byte, off int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.read++
	if f.fail != nil {
		return 0, f.fail
	}
	return bytes.NewReader(f.data).ReadAt(p, off)
}

func (*countedFile) Unchanged(context.Context) error { return nil }
func (*countedFile) Verify(context.Context) error    { return nil }
func (*countedFile) Close() error                    { return nil }

func noise(n int) []byte {
	r := rand.NewChaCha8([32]byte{1})
	b := make([]byte, n)
	_, _ = r.Read(b)
	return b
}

func wrap(t *testing.T, c *counted, dir string, limit int64) *Store {
	t.Helper()
	s, err := New(c, "mem://b", dir, limit)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func blocks(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestReads: random ranges are what the file has, and are read once: the second pass, that of
// another process, asks for nothing.
func TestReads(t *testing.T) {
	dir := t.TempDir()
	c := &counted{data: noise(3*blockSize + 1000)}
	e := storage.Entry{Name: "a", Size: int64(len(c.data)), Version: "1"}
	for pass := range 2 {
		f := wrap(t, c, dir, 64<<20).Open(e)
		c.read = 0
		seed := rand.Uint64()
		random := rand.New(rand.NewPCG(seed, 0))
		for range 200 {
			off := random.IntN(len(c.data) + 10)
			p := make([]byte, random.IntN(2*blockSize))
			var traffic storage.Traffic
			n, err := f.ReadAt(storage.WithTraffic(t.Context(), &traffic), p, int64(off))
			want := c.data[min(off, len(c.data)):min(off+len(p), len(c.data))]
			if !bytes.Equal(p[:n], want) || (err != nil) != (n < len(p)) && off < len(c.data) || err != nil && !errors.Is(err, io.EOF) {
				t.Fatalf("seed %d: %d bytes at %d: %d, %v", seed, len(p), off, n, err)
			}
			if pass == 1 && off < len(c.data) && traffic.Cached.Load() != int64(n) {
				t.Errorf("%d of %d bytes count as kept", traffic.Cached.Load(), n)
			}
		}
		if most := []int{14, 10}[pass]; c.read > most { // 10 are behind the end
			t.Errorf("pass %d: %d reads of 4 blocks", pass, c.read)
		}
	}
	c.read = 0
	if _, err := wrap(t, c, dir, 64<<20).Open(e).ReadAt(t.Context(), make([]byte, len(c.data)), 0); err != nil || c.read != 0 {
		t.Errorf("%v, %d reads of what is kept", err, c.read)
	}
	for _, other := range []storage.Entry{{Name: "a", Size: e.Size, Version: "2"}, {Name: "a", Size: e.Size - 1, Version: "1"}, {Name: "b", Size: e.Size, Version: "1"}, {Name: "a", Size: e.Size}} {
		c.read = 0
		if _, err := wrap(t, c, dir, 64<<20).Open(other).ReadAt(t.Context(), make([]byte, 10), 0); err != nil || c.read != 1 {
			t.Errorf("%+v: %v, %d reads", other, err, c.read)
		}
	}
}

// TestDamage: a block that was changed, cut or exchanged is read anew.
func TestDamage(t *testing.T) {
	c := &counted{data: noise(2 * blockSize)}
	e := storage.Entry{Name: "a", Size: int64(len(c.data)), Version: "1"}
	for name, damage := range map[string]func(a, b []byte) []byte{
		"a bit":         func(a, _ []byte) []byte { a[len(a)/2] ^= 1; return a },
		"half":          func(a, _ []byte) []byte { return a[:len(a)/2] },
		"nothing":       func([]byte, []byte) []byte { return nil },
		"another block": func(_, b []byte) []byte { return b },
		"too much":      func(a, _ []byte) []byte { return append(a, 0) },
	} {
		dir := t.TempDir()
		s := wrap(t, c, dir, 64<<20)
		p := make([]byte, len(c.data))
		if _, err := s.Open(e).ReadAt(t.Context(), p, 0); err != nil {
			t.Fatal(err)
		}
		files := blocks(t, dir)
		a, errA := os.ReadFile(files[0])
		b, errB := os.ReadFile(files[1])
		if err := errors.Join(errA, errB, os.WriteFile(files[0], damage(a, b), 0o600)); err != nil {
			t.Fatal(err)
		}
		clear(p)
		c.read = 0
		if _, err := s.Open(e).ReadAt(t.Context(), p, 0); err != nil || !bytes.Equal(p, c.data) || c.read != 1 {
			t.Errorf("%s: %v, %d reads", name, err, c.read)
		}
	}
}

// TestLeastRecentlyUsed: past the limit the blocks go that were not used for the longest time, and
// what a process has left half written; files of others stay.
func TestLeastRecentlyUsed(t *testing.T) {
	dir := t.TempDir()
	const n = 32
	f := &folder{dir: dir, limit: 1 << 40}
	now := time.Now()
	var keys []key
	for i := range n {
		k := keyOf("a", "b", "c", n, int64(i))
		keys = append(keys, k)
		f.put(k, make([]byte, blockSize))
		at := now.Add(time.Duration(i-2*n) * time.Hour)
		if err := os.Chtimes(f.path(k), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := f.get(keys[0]); !ok {
		t.Fatal("a block within the limit has gone")
	}
	left, others := filepath.Join(dir, temporary+"1"), filepath.Join(dir, "others.txt")
	for _, name := range []string{left, others} {
		if err := errors.Join(os.WriteFile(name, nil, 0o600), os.Chtimes(name, now.Add(-2*forgotten), now.Add(-2*forgotten))); err != nil {
			t.Fatal(err)
		}
	}
	f.limit = n * (blockSize + int64(headSize))
	f.sweep(now)
	for i, want := range map[int]bool{0: true, 1: false, 2: false, 3: true, n - 1: true} {
		if _, ok := f.get(keys[i]); ok != want {
			t.Errorf("block %d is there: %v", i, ok)
		}
	}
	_, leftErr := os.Stat(left)
	if _, err := os.Stat(others); err != nil || !errors.Is(leftErr, fs.ErrNotExist) {
		t.Errorf("another's file: %v; a forgotten one: %v", err, leftErr)
	}
}

// TestProcesses: several caches in one folder, with so little room that they remove each other's
// blocks all the time, read what the file has.
func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	c := &counted{data: noise(8 * blockSize)}
	e := storage.Entry{Name: "a", Size: int64(len(c.data)), Version: "1"}
	var wg sync.WaitGroup
	for i := range 4 {
		f := wrap(t, c, dir, 4*blockSize).Open(e)
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 0))
			for range 50 {
				off := random.IntN(len(c.data) - 1000)
				p := make([]byte, 1000)
				if _, err := f.ReadAt(t.Context(), p, int64(off)); err != nil || !bytes.Equal(p, c.data[off:off+1000]) {
					t.Errorf("at %d: %v", off, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestFailures: an error of the store is that of the read, and nothing of it is kept; a folder
// that cannot be written costs reads and no more.
func TestFailures(t *testing.T) {
	dir := t.TempDir()
	c := &counted{data: noise(blockSize), fail: storage.ErrChanged}
	e := storage.Entry{Name: "a", Size: int64(len(c.data)), Version: "1"}
	s := wrap(t, c, dir, 64<<20)
	if _, err := s.Open(e).ReadAt(t.Context(), make([]byte, 10), 0); !errors.Is(err, storage.ErrChanged) || len(blocks(t, dir)) != 0 {
		t.Errorf("%v, %d blocks", err, len(blocks(t, dir)))
	}
	c.fail = nil
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 10)
	if _, err := s.Open(e).ReadAt(t.Context(), p, 5); err != nil || !bytes.Equal(p, c.data[5:15]) {
		t.Errorf("%v", err)
	}
}

// FuzzDecode: only what encode has made is a block.
func FuzzDecode(f *testing.F) {
	k := keyOf("a", "b", "c", 3, 0)
	f.Add(encode(k, []byte("abc")))
	f.Add(encode(keyOf("a", "b", "c", 3, 1), []byte("abc")))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, file []byte) {
		if data, ok := decode(k, file); ok && !bytes.Equal(encode(k, data), file) {
			t.Errorf("%q", file)
		}
	})
}
