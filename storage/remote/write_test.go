package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parquetsql/parquetsql/storage"
)

// written is a service that writes. The first requests fail, some after they were done.
type written struct {
	memory
	fails, puts int
}

// Put implements Writer.
func (w *written) Put(_ context.Context, name string, data Content, fresh bool) error {
	if _, there := w.objects[name]; there && fresh {
		return &Error{Kind: Changed, Reason: "it is there"}
	}
	all, err := io.ReadAll(data.Reader())
	if err != nil || int64(len(all)) != data.Size() {
		return fmt.Errorf("%d bytes of %d, %w", len(all), data.Size(), err)
	}
	w.objects[name] = string(all)
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

// uploads is a service that writes over HTTP.
type uploads struct {
	memory
	client *http.Client
	puts   int
}

// Put implements Writer.
func (u *uploads) Put(ctx context.Context, name string, data Content, _ bool) error {
	u.puts++
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, "http://bucket/"+name, data.Reader())
	if err != nil {
		return err
	}
	req.ContentLength = data.Size()
	resp, err := u.client.Do(req)
	if err != nil {
		return OfTransport(ctx, err)
	}
	return resp.Body.Close()
}

// Delete implements Writer.
func (u *uploads) Delete(context.Context, string) error { return nil }

// pipes is a listener whose connections are in memory, and have no buffers.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	c, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (p pipes) Close() error {
	close(p)
	return nil
}

func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

func (p pipes) dial(context.Context, string, string) (net.Conn, error) {
	mine, its := net.Pipe()
	p <- its
	return mine, nil
}

// TestLongWrite: a PUT may take longer than the time after which one that stands still is given up.
func TestLongWrite(t *testing.T) {
	for what, c := range map[string]struct {
		stuckAt int // so many bytes are taken
		puts    int
	}{"slow": {1 << 30, 1}, "stuck": {1 << 20, attempts}} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				data := bytes.Repeat([]byte("0123456789abcdef"), 8<<20/16)
				var whole atomic.Bool
				stop := make(chan struct{})
				server := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					var got bytes.Buffer
					for got.Len() < c.stuckAt {
						if _, err := io.CopyN(&got, r.Body, 64<<10); err != nil {
							whole.Store(bytes.Equal(got.Bytes(), data))
							return
						}
						time.Sleep(time.Second)
					}
					<-stop
				})}
				conns := make(pipes)
				ended := make(chan error)
				go func() { ended <- server.Serve(conns) }()
				transport := &http.Transport{DialContext: conns.dial}
				u := &uploads{client: &http.Client{Transport: transport}}
				begin := time.Now()
				err := New(u, storage.Remote).Put(t.Context(), "a", data, false)
				if u.puts != c.puts || time.Since(begin) < 2*stallAfter {
					t.Errorf("%d requests, %s", u.puts, time.Since(begin))
				}
				switch {
				case what == "slow" && (err != nil || !whole.Load()):
					t.Errorf("%v, all came: %t", err, whole.Load())
				case what == "stuck" && !errors.Is(err, errStalled):
					t.Error(err)
				}
				transport.CloseIdleConnections()
				close(stop)
				if err := server.Shutdown(t.Context()); err != nil {
					t.Error(err)
				}
				<-ended
			})
		})
	}
}
