package bucket

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/storage/remote"
)

// service is one whose deletes do what remove does. The rest of it is not used.
type service struct {
	remote.Service
	remove  func(ctx context.Context) error
	mu      sync.Mutex
	removed []string
	asked   int
}

func (s *service) Address(name string) string { return "mem://b/" + name }

// Put implements remote.Writer.
func (s *service) Put(context.Context, string, remote.Content, bool) error { return nil }

// Delete implements remote.Writer.
func (s *service) Delete(ctx context.Context, name string) error {
	s.mu.Lock()
	s.asked++
	s.mu.Unlock()
	if err := s.remove(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removed = append(s.removed, name)
	return nil
}

// silence is a request that gets no answer.
func silence(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestAbort: a file that is given up goes with all its parts, in a context that has ended. A store that does
// not answer, or refuses, is not asked part by part.
func TestAbort(t *testing.T) {
	const parts = 100
	for what, c := range map[string]struct {
		remove        func(context.Context) error
		removed, most int // objects, requests
		within        time.Duration
	}{
		"slow":   {func(context.Context) error { time.Sleep(time.Second); return nil }, parts + 1, parts + 1, 10 * time.Second},
		"silent": {silence, 0, 2 * atOnce, mostAbort},
		"refuses": {func(context.Context) error {
			time.Sleep(time.Second)
			return &remote.Error{Kind: remote.Denied, Reason: "403"}
		}, 0, atOnce, time.Second},
		"broken": {func(context.Context) error { return &remote.Error{Kind: remote.Unavailable, Reason: "500"} }, 0, 10 * atOnce, mostAbort},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &service{remove: c.remove}
				b := &Bucket{objects: remote.New(s, storage.Remote), prefix: "x/"}
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				w := &writer{ctx: ctx, to: b, name: "q/rows", parts: parts}
				begin := time.Now()
				w.Abort()
				w.Abort() // does nothing
				if took := time.Since(begin); took > c.within {
					t.Errorf("it takes %s", took)
				}
				if len(s.removed) != c.removed || s.asked > c.most {
					t.Errorf("%d objects removed with %d requests", len(s.removed), s.asked)
				}
				if c.removed > 0 && (!slices.Contains(s.removed, "x/q/rows.0") || !slices.Contains(s.removed, "x/q/rows.100")) {
					t.Errorf("%q", s.removed)
				}
			})
		})
	}
}

// TestRemoveAtOnce: the error is that of the object that could not be removed, not that of what was stopped by it.
func TestRemoveAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{}
		s.remove = func(ctx context.Context) error {
			s.mu.Lock()
			first := s.asked == 1
			s.mu.Unlock()
			if first {
				time.Sleep(time.Second)
				return &remote.Error{Kind: remote.Denied, Reason: "403"}
			}
			return silence(ctx)
		}
		b := &Bucket{objects: remote.New(s, storage.Remote)}
		err := b.removeThese(t.Context(), []string{"a", "b", "c"})
		var e *remote.Error
		if !errors.As(err, &e) || e.Kind != remote.Denied {
			t.Error(err)
		}
	})
}
