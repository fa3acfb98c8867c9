package storetest

import (
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
)

// Faults is a server with faults, in front of one without.
type Faults struct {
	Server http.Handler
	// Expired refuses a request as the service does when credentials have expired.
	Expired func(w http.ResponseWriter)
	// Replace puts another version in place of an object.
	Replace func()
	// Stale begins, and ends, to answer listings as they were when it begins; nil: never.
	Stale func(on bool)

	mu     sync.Mutex
	random *rand.Rand // nil: no faults
	among  int        // one request of so many fails
}

// Begin makes one request of so many fail, at random.
func (f *Faults) Begin(seed uint64, among int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.random, f.among = rand.New(rand.NewPCG(seed, 0)), among
}

// End makes no more faults.
func (f *Faults) End() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.random = nil
}

// The faults.
const (
	unavailable = iota
	reset
	cut
	slow
	replaced
	stale
	expired
	kinds
)

// next is a fault or -1, and after how many bytes it comes.
func (f *Faults) next() (kind, after int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.random == nil || f.random.IntN(f.among) > 0 {
		return -1, 0
	}
	return f.random.IntN(kinds), f.random.IntN(500_000)
}

// ServeHTTP implements http.Handler.
func (f *Faults) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind, after := f.next()
	switch kind {
	case unavailable:
		http.Error(w, "", http.StatusServiceUnavailable)
	case reset:
		hangUp(w)
	case cut:
		f.Server.ServeHTTP(&cutWriter{ResponseWriter: w, left: after}, r)
	case slow:
		f.Server.ServeHTTP(&slowWriter{w}, r)
	case replaced:
		f.Replace()
		f.Server.ServeHTTP(w, r)
	case stale:
		if f.Stale != nil {
			f.Stale(true)
			f.Replace()
			defer f.Stale(false)
		}
		f.Server.ServeHTTP(w, r)
	case expired:
		f.Expired(w)
	default:
		f.Server.ServeHTTP(w, r)
	}
}

// hangUp resets the connection.
func hangUp(w http.ResponseWriter) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // a reset and no end
	}
	_ = c.Close() // it is the fault
}

// cutWriter ends the connection within the body.
type cutWriter struct {
	http.ResponseWriter
	left int
}

func (c *cutWriter) Write(p []byte) (int, error) {
	if len(p) > c.left {
		_, _ = c.ResponseWriter.Write(p[:c.left]) // the connection ends anyway
		_ = http.NewResponseController(c.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	c.left -= len(p)
	return c.ResponseWriter.Write(p)
}

// slowWriter sends the body in small pieces.
type slowWriter struct{ http.ResponseWriter }

func (s *slowWriter) Write(p []byte) (n int, err error) {
	const piece = 1 << 10
	for n < len(p) {
		more, err := s.ResponseWriter.Write(p[n:min(len(p), n+piece)])
		if n += more; err != nil {
			return n, err
		}
		_ = http.NewResponseController(s.ResponseWriter).Flush() // else it comes later
	}
	return n, nil
}

// InTurn puts one version of an object after the other, each time it is called: a Faults.Replace.
func InTurn(put func(data []byte), versions ...[]byte) func() {
	var mu sync.Mutex
	now := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		now = (now + 1) % len(versions)
		put(versions[now])
	}
}
