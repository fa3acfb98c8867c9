package remote

import (
	"net"
	"sync"
	"testing"
	"time"
)

// link is a wire: all connections through it get so many bytes a second together, and what is sent
// takes some time.
type link struct {
	rate    float64
	latency time.Duration

	mu   sync.Mutex
	free time.Time // when what was sent so far has passed
}

// behind is how late a sender may be and catch up, as sleeps are not exact.
const behind = 5 * time.Millisecond

// pass waits until so many bytes more have passed.
func (l *link) pass(n int) {
	l.mu.Lock()
	if now := time.Now(); l.free.Before(now.Add(-behind)) {
		l.free = now.Add(-behind)
	}
	l.free = l.free.Add(time.Duration(float64(n) / l.rate * float64(time.Second)))
	free := l.free
	l.mu.Unlock()
	time.Sleep(time.Until(free))
}

// start listens, and passes connections on to an address.
func (l *link) start(t *testing.T, to string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() { l.connect(near, to) })
		}
	})
	t.Cleanup(func() {
		listener.Close()
		all.Wait()
	})
	return listener.Addr().String()
}

func (l *link) connect(near net.Conn, to string) {
	defer near.Close()
	far, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer far.Close()
	go func() { // requests, each of which is one piece
		piece := make([]byte, 64<<10)
		for {
			n, err := near.Read(piece)
			time.Sleep(l.latency)
			if _, failed := far.Write(piece[:n]); err != nil || failed != nil {
				_ = far.(*net.TCPConn).CloseWrite() // both are closed in the end
				return
			}
		}
	}()
	buffer := make([]byte, 256<<10)
	for {
		n, err := far.Read(buffer)
		if n > 0 {
			l.pass(n)
			if _, err := near.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
