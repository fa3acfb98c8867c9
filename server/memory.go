package server

import (
	"context"
	"sync"
)

// leastGrant is the least memory with which a query begins.
const leastGrant = 16 << 20

// pool divides memory among the queries. Each gets half of what is left, so that one alone has
// much and many have enough to begin with; when there is too little, queries wait in the order in
// which they came.
type pool struct {
	mu      sync.Mutex
	left    int64 // bytes; no limit if total is 0
	total   int64
	queries int // how many more may run; no limit if most is 0
	most    int
	waiting []chan int64
}

// newPool is a pool of so many bytes, no limit where they are 0 or less, for so many queries at a
// time.
func newPool(bytes int64, queries int) *pool {
	bytes = max(bytes, 0)
	return &pool{left: bytes, total: bytes, queries: queries, most: queries}
}

// acquire waits for memory; 0 is no limit. The error is that of the context.
func (p *pool) acquire(ctx context.Context) (int64, error) {
	p.mu.Lock()
	if len(p.waiting) == 0 && p.has() {
		defer p.mu.Unlock()
		return p.take(), nil
	}
	turn := make(chan int64, 1)
	p.waiting = append(p.waiting, turn)
	p.mu.Unlock()
	select {
	case n := <-turn:
		return n, nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, w := range p.waiting {
		if w == turn {
			p.waiting = append(p.waiting[:i], p.waiting[i+1:]...)
			return 0, ctx.Err()
		}
	}
	p.put(<-turn) // it came at the same moment
	return 0, ctx.Err()
}

// release gives memory back.
func (p *pool) release(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.put(n)
}

func (p *pool) put(n int64) {
	p.left += n
	p.queries++
	for len(p.waiting) > 0 && p.has() {
		p.waiting[0] <- p.take()
		p.waiting = p.waiting[1:]
	}
}

func (p *pool) has() bool {
	return (p.most == 0 || p.queries > 0) && (p.total == 0 || p.left >= leastGrant)
}

func (p *pool) take() int64 {
	n := int64(0)
	if p.total > 0 {
		n = max(p.left/2, leastGrant)
	}
	p.left -= n
	p.queries--
	return n
}

// state is how many bytes queries have, and how many queries wait.
func (p *pool) state() (taken int64, waiting int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.total - p.left, len(p.waiting)
}
