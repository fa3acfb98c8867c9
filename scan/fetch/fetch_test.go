package fetch

import (
	"bytes"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/storage"
)

// distant is a store with large windows, whose gaps are those of a disk.
var distant = storage.Cost{Latency: time.Millisecond, BytesPerSec: 1 << 20, AtOnce: 1}

// recorder is a file that notes what is read of it.
type recorder struct {
	io.ReaderAt
	mu    sync.Mutex
	reads []string
}

func (r *recorder) ReadAt(p []byte, off int64) (int, error) {
	r.mu.Lock()
	r.reads = append(r.reads, fmt.Sprintf("%d+%d", off, len(p)))
	r.mu.Unlock()
	return r.ReaderAt.ReadAt(p, off)
}

func (r *recorder) take() string {
	defer func() { r.reads = nil }()
	return strings.Join(r.reads, " ")
}

func noise(n int) []byte {
	b := make([]byte, n)
	rng := rand.New(rand.NewSource(1))
	rng.Read(b)
	return b
}

// TestPlanReads: ranges that nearly touch are one read, a long range is several.
func TestPlanReads(t *testing.T) {
	for _, c := range []struct {
		name   string
		needed []Range
		window int64
		want   string
	}{
		{"touching", []Range{{100, 50, []int{1}}, {0, 100, []int{0}}}, 1 << 20, "0+150[0 1]"},
		{"a small gap", []Range{{0, 8192, []int{0}}, {8192 + mergeGap, 8192, []int{0}}}, 1 << 20, "0+32768[0]"},
		{"a large gap", []Range{{0, 9000, []int{0}}, {9001 + mergeGap, 9000, []int{0}}}, 1 << 20, "0+9000[0] 25385+9000[0]"},
		{"a gap larger than what is needed", []Range{{0, 1000, []int{0}}, {3001, 1000, []int{0}}}, 1 << 20, "0+1000[0] 3001+1000[0]"},
		{"a tiny gap", []Range{{0, 10, []int{0}}, {10 + tinyGap, 10, []int{0}}}, 1 << 20, "0+1044[0]"},
		{"overlap", []Range{{0, 10, []int{0}}, {5, 20, []int{1}}}, 16, "0+16[0 1] 16+9[0 1]"},
		{"no merge past a window", []Range{{0, 10, []int{0}}, {10, 10, []int{1}}}, 16, "0+10[0] 10+10[1]"},
		{"windows", []Range{{0, 40, []int{0}}}, 16, "0+16[0] 16+16[0] 32+8[0]"},
		{"nothing", []Range{{5, 0, []int{0}}}, 16, ""},
	} {
		var got []string
		for _, r := range planReads(c.needed, c.window, c.window, storage.Local) {
			got = append(got, fmt.Sprintf("%d+%d%v", r.Off, r.N, r.Users))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

// TestRangeSourceReads asserts which bytes of the file are read, and when windows go.
func TestRangeSourceReads(t *testing.T) {
	data := noise(200 << 10)
	file := &recorder{ReaderAt: bytes.NewReader(data)}
	budget := quota.New(0)
	needed := []Range{{1000, 500, []int{0}}, {2000, 300, []int{1}}, {100 << 10, 1000, []int{0}}}
	s := New(file, needed, budget, 1, maxWindow, distant)
	zero, one := s.Column(0), s.Column(1)
	read := func(c *Column, off, n int64, want string) {
		t.Helper()
		p := make([]byte, n)
		if got, err := c.ReadAt(p, off); got != len(p) || err != nil || !bytes.Equal(p, data[off:off+n]) {
			t.Fatalf("%d+%d: %d bytes, %v", off, n, got, err)
		}
		if got := file.take(); got != want {
			t.Errorf("%d+%d read %q, want %q", off, n, got, want)
		}
	}
	read(zero, 1000, 100, "1000+1300") // one read for both columns
	read(zero, 1100, 400, "")
	read(one, 2000, 300, "")
	view, lease := one.View(2010, 20)
	if !bytes.Equal(view, data[2010:2030]) || cap(view) != 20 {
		t.Errorf("View: %d bytes of capacity %d", len(view), cap(view))
	}
	read(zero, 100<<10, 1000, "102400+1000")
	if used := budget.Used(); used != 2300 {
		t.Errorf("%d bytes held while column 1 may still read its window", used)
	}
	one.Close()
	if used := budget.Used(); used != 2300 || !bytes.Equal(view, data[2010:2030]) {
		t.Errorf("%d bytes held after it closed, while a view is in use", used)
	}
	lease.Release()
	if used := budget.Used(); used != 1000 {
		t.Errorf("%d bytes held after that", used)
	}
	read(zero, 1100, 10, "1100+10") // passed: no window any more
	read(zero, 150<<10, 10, "153600+10")
	read(zero, 102400-5, 20, "102395+5 102400+15")
	s.Close()
	if used := budget.Used(); used != 0 {
		t.Errorf("%d bytes held at the end", used)
	}
}

// TestRangeSourceViews: windows are dropped also if only page headers are viewed.
func TestRangeSourceViews(t *testing.T) {
	budget := quota.New(0)
	s := New(bytes.NewReader(noise(3*maxWindow)), []Range{{0, 3 * maxWindow, []int{0}}}, budget, 1, maxWindow, distant)
	c := s.Column(0)
	for off := int64(0); off < 3*maxWindow; off += 1 << 20 {
		_, lease := c.View(off, 100)
		if lease == nil {
			t.Fatalf("no view at %d", off)
		}
		lease.Release()
		if used := budget.Used(); used != maxWindow {
			t.Fatalf("%d bytes held at %d", used, off)
		}
	}
	c.Close()
}

// TestRangeSourceWithoutMemory: reads go on when the budget has no room for windows.
func TestRangeSourceWithoutMemory(t *testing.T) {
	data := noise(10000)
	file := &recorder{ReaderAt: bytes.NewReader(data)}
	s := New(file, []Range{{0, 10000, []int{0}}}, quota.New(100), 1, maxWindow, distant)
	p := make([]byte, 50)
	if _, err := s.Column(0).ReadAt(p, 70); err != nil || !bytes.Equal(p, data[70:120]) {
		t.Fatal(err)
	}
	if got := file.take(); got != "70+50" {
		t.Errorf("read %q", got)
	}
}

// TestRangeSourceRandom compares random reads with the file.
func TestRangeSourceRandom(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	data := noise(1 << 20)
	for range 200 {
		var needed []Range
		for range 1 + rng.Intn(6) {
			off := rng.Int63n(1 << 20)
			needed = append(needed, Range{off, min(rng.Int63n(300<<10), 1<<20-off), []int{rng.Intn(3)}})
		}
		budget := quota.New([]int64{0, 100 << 10}[rng.Intn(2)])
		s := New(bytes.NewReader(data), needed, budget, 1, maxWindow, distant)
		if rng.Intn(2) == 0 {
			if err := s.Prefetch(rng.Int63n(1<<20), func() bool { return false }); err != nil {
				t.Fatal(err)
			}
		}
		columns := []*Column{s.Column(0), s.Column(1), s.Column(2)}
		for range 30 {
			off := rng.Int63n(1 << 20)
			p := make([]byte, min(rng.Int63n(100<<10), 1<<20-off))
			if n, err := columns[rng.Intn(3)].ReadAt(p, off); n != len(p) || err != nil || !bytes.Equal(p, data[off:off+int64(n)]) {
				t.Fatalf("%d+%d of %v: %d, %v", off, len(p), needed, n, err)
			}
		}
		s.Close()
		if used := budget.Used(); used != 0 {
			t.Fatalf("%d bytes left", used)
		}
	}
}

// TestRangeSourceEnd: a file that ends early is an error, not silence.
func TestRangeSourceEnd(t *testing.T) {
	s := New(bytes.NewReader(noise(100)), []Range{{50, 100, []int{0}}}, nil, 1, maxWindow, distant)
	p := make([]byte, 10)
	if _, err := s.Column(0).ReadAt(p, 60); err == nil {
		t.Error("no error for a window beyond the end")
	}
	if _, err := s.Column(0).ReadAt(p, 200); err == nil {
		t.Error("no error for a read beyond the end")
	}
}

// TestPrefetchPanics: a file that panics leaves no lock and no memory behind.
func TestPrefetchPanics(t *testing.T) {
	budget := quota.New(0)
	s := New(panicking{}, []Range{{0, 1000, []int{0}}}, budget, 1, maxWindow, distant)
	read := func(f func()) (panicked bool) {
		defer func() { panicked = recover() != nil }()
		f()
		return false
	}
	if err := s.Prefetch(1<<20, func() bool { return false }); err == nil || !strings.Contains(err.Error(), "in a file of the user") {
		t.Fatalf("the file panics: %v", err)
	}
	read(func() { _, _ = s.Column(0).ReadAt(make([]byte, 10), 0) }) // does not hang
	s.Close()
	if used := budget.Used(); used != 0 {
		t.Errorf("%d bytes are held", used)
	}
}

type panicking struct{}

func (panicking) ReadAt([]byte, int64) (int, error) { panic("in a file of the user") }
