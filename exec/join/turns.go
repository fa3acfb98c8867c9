package join

import (
	"context"
	"sync"
)

// turns lets the workers of partitions wait for each other's memory: what is too little for two
// partitions at a time may be enough for one after the other.
type turns struct {
	mu      sync.Mutex
	running int           // workers that neither wait nor have ended
	given   chan struct{} // closed when a worker has given memory back
}

func newTurns(workers int) *turns {
	return &turns{running: workers, given: make(chan struct{})}
}

// wait returns when another worker has given memory back. It does not wait, and reports that,
// if no other worker is running: then nobody has any.
func (t *turns) wait(ctx context.Context) (alone bool, err error) {
	t.mu.Lock()
	given := t.given
	if alone = t.running == 1; !alone {
		t.running--
	}
	t.mu.Unlock()
	if alone {
		return true, nil
	}
	select {
	case <-given:
	case <-ctx.Done():
		err = ctx.Err()
	}
	t.mu.Lock()
	t.running++
	t.mu.Unlock()
	return false, err
}

// gave wakes the workers that wait.
func (t *turns) gave() {
	t.mu.Lock()
	close(t.given)
	t.given = make(chan struct{})
	t.mu.Unlock()
}

// ended is gave of a worker that takes no more.
func (t *turns) ended() {
	t.mu.Lock()
	t.running--
	t.mu.Unlock()
	t.gave()
}
