package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parquetsql/parquetsql/storage"
)

// memory is a service of objects in memory. Each request first asks fault.
type memory struct {
	mu      sync.Mutex
	objects map[string]string // the version is the first letter of the content
	fault   func(n int, a *Answer) error
	asked   []Range
	listed  []Listing
	running int
	most    int
	hold    time.Duration // of each request
	stalls  int           // so many requests get no answer
}

func (m *memory) Address(name string) string { return "mem://b/" + name }

func (m *memory) begin() (n int, hold time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if hold = m.hold; m.stalls > 0 {
		m.stalls--
		hold = time.Hour
	}
	m.running++
	m.most = max(m.most, m.running)
	return len(m.asked), hold
}

func (m *memory) Get(ctx context.Context, r Range) (*Answer, error) {
	n, hold := m.begin()
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.running--
	}()
	if hold > 0 {
		select {
		case <-time.After(hold):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, r)
	text, ok := m.objects[r.Name]
	if !ok {
		return nil, &Error{Kind: NotFound, Reason: "404"}
	}
	size := int64(len(text))
	off := r.Off
	if off < 0 {
		off = max(0, size-r.N)
	}
	part := text[off:min(size, off+r.N)]
	a := &Answer{Body: io.NopCloser(strings.NewReader(part)), Off: off, Size: size, Version: text[:1]}
	if m.fault != nil {
		if err := m.fault(n, a); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (m *memory) List(_ context.Context, l Listing) (*Page, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.listed = append(m.listed, l)
	p := &Page{}
	for name, text := range m.objects {
		if strings.HasPrefix(name, l.Prefix) && (l.Flat || !strings.Contains(name[len(l.Prefix):], "/")) && name > l.After {
			p.Objects = append(p.Objects, Object{Name: name, Size: int64(len(text)), Version: text[:1]})
		}
	}
	slices.SortFunc(p.Objects, func(a, b Object) int { return strings.Compare(a.Name, b.Name) })
	if len(p.Objects) > 2 {
		p.Objects = p.Objects[:2]
		p.Next = p.Objects[1].Name
	}
	return p, nil
}

func read(ctx context.Context, s *Store, e storage.Entry, off, n int) (string, error) {
	p := make([]byte, n)
	got, err := s.Open(e).ReadAt(ctx, p, int64(off))
	return string(p[:got]), err
}

// TestContinued: a body that ends too early goes on where it stopped, after a wait; each repeat
// is counted.
func TestContinued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{objects: map[string]string{"a": "abcdefghij"}}
		m.fault = func(_ int, a *Answer) error {
			head := make([]byte, 3)
			n, _ := a.Body.Read(head)
			a.Body = io.NopCloser(io.MultiReader(bytes.NewReader(head[:n]), failing{errors.New("reset by peer")}))
			return nil
		}
		var traffic storage.Traffic
		ctx := storage.WithTraffic(t.Context(), &traffic)
		s := New(m, storage.Remote)
		got, err := read(ctx, s, storage.Entry{Name: "a", Size: 10, Version: "a"}, 1, 9)
		if got != "bcdefghij" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		want := []Range{{"a", "a", 1, 9}, {"a", "a", 4, 6}, {"a", "a", 7, 3}}
		if !slices.Equal(m.asked, want) {
			t.Errorf("asked %v", m.asked)
		}
		if traffic.Bytes.Load() != 9 || traffic.Retries.Load() != 2 {
			t.Errorf("%d bytes, %d retries", traffic.Bytes.Load(), traffic.Retries.Load())
		}
	})
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestRepeated: what may pass is repeated up to ten times, later each time; what may not is not.
func TestRepeated(t *testing.T) {
	for _, c := range []struct {
		kind        Kind
		fails, want int // requests
		ok          bool
	}{
		{Unavailable, 3, 4, true}, {Throttled, 9, 10, true}, {Unavailable, 10, 10, false},
		{Denied, 1, 1, false}, {Expired, 1, 1, false}, {Changed, 1, 1, false}, {NotFound, 1, 1, false}, {Other, 1, 1, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := &memory{objects: map[string]string{"a": "abc"}}
			m.fault = func(n int, _ *Answer) error {
				if n < c.fails {
					return &Error{Kind: c.kind, Reason: "no", After: time.Second}
				}
				return nil
			}
			began := time.Now()
			got, err := read(t.Context(), New(m, storage.Remote), storage.Entry{Name: "a", Size: 3, Version: "a"}, 0, 3)
			if ok := err == nil && got == "abc"; ok != c.ok || len(m.asked) != c.want {
				t.Errorf("%+v: %q, %v, %d requests", c, got, err, len(m.asked))
			}
			if err != nil && !strings.Contains(err.Error(), "mem://b/a: no") {
				t.Errorf("%+v: %v", c, err)
			}
			if waited := time.Since(began); waited < time.Duration(c.want-1)*time.Second || waited > time.Minute {
				t.Errorf("%+v: waited %v, the service asks for a second each", c, waited)
			}
		})
	}
}

// TestOtherVersion: an answer of another version or size is ErrChanged, even if the service does
// not compare; an object that has gone is fs.ErrNotExist of an OpenError.
func TestOtherVersion(t *testing.T) {
	m := &memory{objects: map[string]string{"a": "abc"}}
	s := New(m, storage.Remote)
	for _, e := range []storage.Entry{{Name: "a", Size: 3, Version: "b"}, {Name: "a", Size: 4, Version: "a"}} {
		if _, err := read(t.Context(), s, e, 0, 3); !errors.Is(err, storage.ErrChanged) {
			t.Errorf("%+v: %v", e, err)
		}
	}
	var opening *storage.OpenError
	if _, err := read(t.Context(), s, storage.Entry{Name: "b", Size: 3}, 0, 3); !errors.As(err, &opening) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	unversioned := s.Open(storage.Entry{Name: "a", Size: 3})
	if n, err := unversioned.ReadAt(t.Context(), make([]byte, 2), 0); n != 2 || err != nil {
		t.Errorf("any version: %d, %v", n, err)
	}
	m.objects["a"] = "xyz"
	if _, err := unversioned.ReadAt(t.Context(), make([]byte, 2), 1); !errors.Is(err, storage.ErrChanged) || m.asked[len(m.asked)-1].Version != "a" {
		t.Errorf("after the first version: %v, asked %+v", err, m.asked[len(m.asked)-1])
	}
	m.objects["a"] = "abc"
	m.fault = func(_ int, a *Answer) error { a.Off = 1; return nil }
	if _, err := read(t.Context(), s, storage.Entry{Name: "a", Size: 3, Version: "a"}, 0, 2); err == nil || !strings.Contains(err.Error(), "bytes from 1 on") {
		t.Errorf("another part: %v", err)
	}
	if n, err := s.Open(storage.Entry{Name: "a", Size: 3}).ReadAt(t.Context(), make([]byte, 1), 3); n != 0 || err != io.EOF {
		t.Errorf("behind the end: %d, %v", n, err)
	}
}

// TestStalled: a request that brings nothing for 30 seconds is given up and repeated.
func TestStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{objects: map[string]string{"a": "abc"}}
		m.stalls = 2
		if got, err := read(t.Context(), New(m, storage.Remote), storage.Entry{Name: "a", Size: 3, Version: "a"}, 0, 3); got != "abc" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		if m.stalls != 0 {
			t.Errorf("%d requests would stall", m.stalls)
		}
	})
}

// TestTail: the description of an object has its end, which is not asked for again; the second
// description has none.
func TestTail(t *testing.T) {
	m := &memory{objects: map[string]string{"a": "a" + strings.Repeat("x", tailBytes) + "end"}}
	s := New(m, storage.Remote)
	e, err := s.Stat(t.Context(), "a")
	if err != nil || e.Size != tailBytes+4 || e.Version != "a" || e.Tail != tailBytes {
		t.Fatalf("%+v, %v", e, err)
	}
	if got, err := read(t.Context(), s, e, tailBytes+1, 3); got != "end" || err != nil || len(m.asked) != 1 {
		t.Errorf("%q, %v, %v", got, err, m.asked)
	}
	if got, err := read(t.Context(), s, e, 0, 2); got != "ax" || err != nil || len(m.asked) != 2 {
		t.Errorf("%q, %v, %v", got, err, m.asked)
	}
	if _, err := s.Stat(t.Context(), "a"); err != nil || m.asked[2] != (Range{"a", "", -1, 1}) {
		t.Errorf("%v, %v", err, m.asked)
	}
}

// TestSmall: of a small object that was read as a whole no part is asked for again, of that version; what is
// kept is bounded.
func TestSmall(t *testing.T) {
	m := &memory{objects: map[string]string{"a": "1 small object"}}
	s := New(m, storage.Remote)
	e := storage.Entry{Name: "a", Size: 14, Version: "1"}
	for _, part := range []struct{ off, n int }{{0, 14}, {2, 5}, {8, 6}} {
		if got, err := read(t.Context(), s, e, part.off, part.n); err != nil || got != m.objects["a"][part.off:part.off+part.n] {
			t.Errorf("%q, %v", got, err)
		}
	}
	if len(m.asked) != 1 {
		t.Errorf("asked %v", m.asked)
	}
	m.objects["a"] = "2 other object"
	if _, err := read(t.Context(), s, storage.Entry{Name: "a", Size: 14, Version: "3"}, 2, 5); !errors.Is(err, storage.ErrChanged) {
		t.Errorf("another version: %v", err)
	}
	for i := range 3 * mostBytes / tailBytes {
		name := fmt.Sprint("large", i)
		m.objects[name] = strings.Repeat("1", tailBytes)
		if _, err := read(t.Context(), s, storage.Entry{Name: name, Size: tailBytes, Version: "1"}, 0, tailBytes); err != nil {
			t.Fatal(err)
		}
	}
	if s.tails.bytes > mostBytes || len(s.tails.kept) != mostBytes/tailBytes || len(s.tails.order) != len(s.tails.kept) {
		t.Errorf("%d bytes of %d objects are kept", s.tails.bytes, len(s.tails.kept))
	}
}

// TestList: pages, prefixes, depths, and what is left out.
func TestList(t *testing.T) {
	m := &memory{objects: map[string]string{}}
	for _, name := range []string{"d/", "d/a.parquet", "d/b//c.parquet", "d/k=1/x.parquet", "d/k=2/x.parquet", "d/_log/0.json", "d/_log/1.json", "d/.h", "dd/z.parquet", "e"} {
		m.objects[name] = "v" + name
	}
	hidden := func(s string) bool { return s[0] == '_' || s[0] == '.' }
	for _, c := range []struct {
		dir  string
		walk storage.Walk
		want string
		ask  Listing
	}{
		{"d", storage.Walk{Depth: -1, Skip: hidden}, "d/_log/ d/a.parquet d/b//c.parquet d/k=1/x.parquet d/k=2/x.parquet", Listing{Prefix: "d/", Flat: true}},
		{"d", storage.Walk{Depth: 0}, "d/.h d/a.parquet", Listing{Prefix: "d/"}},
		{"d", storage.Walk{Depth: 1, Prefix: "k=1"}, "d/k=1/x.parquet", Listing{Prefix: "d/k=1", Flat: true}},
		{".", storage.Walk{Depth: 0}, "e", Listing{}},
		{"none", storage.Walk{Depth: -1}, "", Listing{Prefix: "none/", Flat: true}},
	} {
		m.listed = nil
		var got []string
		for page, err := range New(m, storage.Remote).List(t.Context(), c.dir, c.walk) {
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range page {
				if e.Folder {
					e.Name += "/"
				}
				got = append(got, e.Name)
			}
		}
		if text := strings.Join(got, " "); text != c.want || m.listed[0] != c.ask {
			t.Errorf("%s %+v: %s, want %s; asked %+v", c.dir, c.walk, text, c.want, m.listed)
		}
	}
}

// TestLimit: as many requests at once as the service bears: more after successes, half when it
// asks for fewer, and once for all that were on their way.
func TestLimit(t *testing.T) {
	l := newLimiter()
	for range firstLimit {
		if _, err := l.take(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.take(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	for range firstLimit {
		l.give(0, true)
	}
	if l.limit != firstLimit/2 || l.running != 0 {
		t.Errorf("%v, %d run", l.limit, l.running)
	}
	for range 5000 {
		epoch, err := l.take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		l.give(epoch, false)
	}
	if l.limit != mostLimit {
		t.Errorf("%v after successes", l.limit)
	}
}

// TestAtOnce: reads of many goroutines wait for places, and those that give up leave theirs.
func TestAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{objects: map[string]string{"a": "abc"}, hold: time.Second}
		s := New(m, storage.Remote)
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		var wg sync.WaitGroup
		var mu sync.Mutex
		answers := map[string]int{}
		for range 40 {
			wg.Go(func() {
				got, err := read(ctx, s, storage.Entry{Name: "a", Size: 3, Version: "a"}, 0, 3)
				mu.Lock()
				defer mu.Unlock()
				answers[fmt.Sprint(got, err)]++
			})
		}
		wg.Wait()
		if m.most != firstLimit+1 && m.most != firstLimit || answers["abc<nil>"] != firstLimit || s.limit.running != 0 || len(s.limit.waiting) != 0 {
			t.Errorf("%d at once, %v, %d run, %d wait", m.most, answers, s.limit.running, len(s.limit.waiting))
		}
	})
}

// FuzzContentRange: any header is an error or a part within its whole.
func FuzzContentRange(f *testing.F) {
	for _, s := range []string{"bytes 0-99/1234", "bytes */1234", "bytes 5-/3", "", "bytes 9223372036854775807-1/9223372036854775807"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if off, size, err := ContentRange(header); err == nil && (off < 0 || off > size) {
			t.Errorf("%q: %d of %d", header, off, size)
		}
	})
}
