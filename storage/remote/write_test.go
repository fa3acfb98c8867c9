package remote

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/parquetsql/parquetsql/storage"
)

// written is a service that writes. The first requests fail, some after they were done.
type written struct {
	memory
	fails, puts int
}

// Put implements Writer.
func (w *written) Put(_ context.Context, name string, data []byte, fresh bool) error {
	if _, there := w.objects[name]; there && fresh {
		return &Error{Kind: Changed, Reason: "it is there"}
	}
	w.objects[name] = string(data)
	if w.puts++; w.puts <= w.fails {
		return &Error{Kind: Unavailable, Reason: "the answer is lost"}
	}
	return nil
}

// Delete implements Writer.
func (w *written) Delete(_ context.Context, name string) error {
	delete(w.objects, name)
	return nil
}

// TestWrite: what may pass is repeated; that an object is there, and that a service only reads, are errors.
func TestWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &written{memory: memory{objects: map[string]string{}}, fails: 2}
		s := New(w, storage.Remote)
		if err := s.Put(t.Context(), "a", []byte("abc"), false); err != nil || w.puts != 3 {
			t.Errorf("%v, %d requests", err, w.puts)
		}
		var e *Error
		if err := s.Put(t.Context(), "a", []byte("abd"), true); !errors.As(err, &e) || e.Kind != Changed || !strings.Contains(err.Error(), "mem://b/a") {
			t.Error(err)
		}
		for _, c := range []struct {
			off, n int64
			whole  bool
			want   string
		}{{0, 3, true, "abc"}, {0, 9, true, "abc"}, {1, 2, false, "bc"}, {1, 3, false, ""}, {0, 2, true, ""}} {
			got, err := s.Read(t.Context(), "a", c.off, c.n, c.whole)
			if string(got) != c.want || (err == nil) != (c.want != "") {
				t.Errorf("%+v: %q, %v", c, got, err)
			}
		}
		if err := s.Delete(t.Context(), "a"); err != nil {
			t.Error(err)
		}
		if _, err := s.Read(t.Context(), "a", 0, 1, true); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		if s := New(&memory{}, storage.Remote); s.Writes() || s.Put(t.Context(), "a", nil, false) == nil || s.Delete(t.Context(), "a") == nil {
			t.Error("a service that only reads writes")
		}
	})
}
