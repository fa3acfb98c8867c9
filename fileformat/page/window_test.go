package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/internal/slab"
)

// TestReadOnce reads chunks of short, medium, long and mixed pages: each byte must be
// read exactly once.
func TestReadOnce(t *testing.T) {
	for _, keep := range []bool{false, true} {
		for _, sizes := range [][]int{{3, 1, 40_000}, {30_000, 30_000, 30_000}, {200_000, 200_001, 199_999}, {10, 300_000, 5, 100_000}} {
			t.Run(fmt.Sprint(keep, sizes), func(t *testing.T) {
				c := &chunktest.Chunk{Leaf: chunktest.RequiredInt}
				for i, n := range sizes {
					c.Pages = append(c.Pages, chunktest.V1(n, fileformat.Plain, bytes.Repeat([]byte{byte(i), 1, 2, 3}, n)))
					c.Rows += int64(n)
				}
				chunk, file, _ := c.Build()
				source := &chunktest.Recorder{ReaderAt: bytes.NewReader(file)}
				r, err := NewReader(chunk, Options{Source: source})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				var kept [][]byte
				for i := range sizes {
					body := readBody(t, r)
					if !bytes.Equal(body, c.Pages[i].Body) {
						t.Fatalf("page %d has other bytes", i)
					}
					if keep {
						r.Keep(Forever)
						kept = append(kept, body)
					}
				}
				for i, body := range kept {
					if !bytes.Equal(body, c.Pages[i].Body) {
						t.Errorf("page %d changed after Keep", i)
					}
				}
				at := int64(4)
				for _, read := range source.Reads {
					if read[0] != at {
						t.Errorf("read from %d on, where %d is next", read[0], at)
					}
					at = read[1]
				}
				if at != int64(len(file)) {
					t.Errorf("read up to %d of %d", at, len(file))
				}
			})
		}
	}
}

// readBody reads the next page.
func readBody(t *testing.T, r *Reader) []byte {
	t.Helper()
	p, err := r.Find()
	if err != nil {
		t.Fatal(err)
	}
	body, err := r.Body(&p)
	if err != nil {
		t.Fatal(err)
	}
	r.Pass(&p)
	return body
}

// failing is a file whose second read fails or panics after it has begun.
type failing struct {
	reads int
	fail  func() (int, error)
}

func (f *failing) ReadAt(p []byte, _ int64) (int, error) {
	if f.reads++; f.reads == 2 {
		return f.fail()
	}
	for i := range p {
		p[i] = 's'
	}
	return len(p), nil
}

// TestFailedRead: after a read that failed or panicked no memory is given back twice, nor
// memory that is kept, nor memory that the read may still write to.
func TestFailedRead(t *testing.T) {
	for name, fail := range map[string]func() (int, error){
		"an error": func() (int, error) { return 7, errors.New("the network is gone") },
		"a panic":  func() (int, error) { panic("in Stat of a file system") },
	} {
		for _, stay := range []Stay{Scratch, Forever} {
			w := newWindow(&failing{fail: fail}, 1<<20, 64<<10, account{})
			body, err := w.bytes(0, 100<<10)
			if err != nil {
				t.Fatal(err)
			}
			w.stay(stay)
			func() {
				defer func() { _ = recover() }()
				if _, err := w.bytes(200<<10, 300<<10); err == nil {
					t.Errorf("%s is no error", name)
				}
			}()
			w.close()
			a, b := slab.Get(100<<10), slab.Get(100<<10)
			for i := range a {
				a[i] = 'X'
			}
			if &a[0] == &b[0] {
				t.Errorf("after %s two borrowers have the same memory", name)
			}
			if stay == Forever && body[0] != 's' {
				t.Errorf("after %s memory that is kept was lent", name)
			}
		}
	}
}

// stalled reads a part of what it is asked for, and is given up before it has read the rest.
type stalled struct{ into []byte }

func (s *stalled) ReadAt(p []byte, _ int64) (int, error) {
	s.into = p
	return copy(p, make([]byte, 60_000)), context.Canceled
}

// TestGivenUp: memory that a read may still write to is lent to nobody, though the part that it
// has read is enough.
func TestGivenUp(t *testing.T) {
	s := &stalled{}
	w := newWindow(s, 1<<20, 100_000, account{})
	b, err := w.bytes(0, 50_000)
	if err != nil || len(b) != 50_000 {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	w.close()
	for range 4 {
		if lent := slab.Get(len(s.into)); &lent[0] == &s.into[0] {
			t.Fatal("lent to somebody else")
		}
	}
}
