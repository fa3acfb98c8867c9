package remote

import (
	"context"
	"sync"
)

// How many requests go on at once. One more is tried after as many successes as there are
// places; a service that asks for fewer gets half, as TCP's congestion control does (RFC 5681).
const (
	firstLimit = 16
	leastLimit = 2
	mostLimit  = 64
)

// limiter is places for requests.
type limiter struct {
	mu      sync.Mutex
	limit   float64
	running int
	cuts    int             // how often limit was halved
	waiting []chan struct{} // the first is the next
}

func newLimiter() *limiter { return &limiter{limit: firstLimit} }

// take waits for a place. epoch goes to give.
func (l *limiter) take(ctx context.Context) (epoch int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	l.mu.Lock()
	if l.running < int(l.limit) {
		l.running++
		epoch = l.cuts
		l.mu.Unlock()
		return epoch, nil
	}
	mine := make(chan struct{})
	l.waiting = append(l.waiting, mine)
	l.mu.Unlock()
	select {
	case <-mine:
	case <-ctx.Done():
		l.leave(mine)
		return 0, ctx.Err()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cuts, nil
}

// leave gives up waiting, or the place that came meanwhile.
func (l *limiter) leave(mine chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, w := range l.waiting {
		if w == mine {
			l.waiting = append(l.waiting[:i:i], l.waiting[i+1:]...)
			return
		}
	}
	l.running--
	l.next()
}

// give ends a request. Those that began before the limit was halved do not halve it again.
func (l *limiter) give(epoch int, throttled bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running--
	switch {
	case throttled && epoch == l.cuts:
		l.limit = max(leastLimit, l.limit/2)
		l.cuts++
	case !throttled:
		l.limit = min(mostLimit, l.limit+1/l.limit)
	}
	l.next()
}

// next lets those in who wait; l.mu is held.
func (l *limiter) next() {
	for len(l.waiting) > 0 && l.running < int(l.limit) {
		close(l.waiting[0])
		l.waiting = l.waiting[1:]
		l.running++
	}
}
