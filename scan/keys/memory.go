package keys

import (
	"context"
	"errors"
	"sync"
)

// memory keeps keys. Each is asked for once: goroutines that want the same key at the
// same time wait for the one that asks. Only keys are kept, not errors, so that a KMS
// that was down for a moment is asked again.
type memory[K comparable] struct {
	mu     sync.Mutex
	keys   map[K][]byte
	asking map[K]*asking
}

// asking is a key that a goroutine asks for.
type asking struct {
	done chan struct{} // closed when the key or the error is there
	key  []byte
	err  error
}

// get returns the key, from ask if nobody has asked before. If the asking goroutine is
// cancelled, another one that waits asks again.
func (m *memory[K]) get(ctx context.Context, k K, ask func() ([]byte, error)) ([]byte, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.mu.Lock()
		if key, ok := m.keys[k]; ok {
			m.mu.Unlock()
			return key, nil
		}
		other := m.asking[k]
		if other == nil {
			return m.ask(ctx, k, ask)
		}
		m.mu.Unlock()
		select {
		case <-other.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if !errors.Is(other.err, errCancelled) {
			return other.key, other.err
		}
	}
}

// errCancelled says that the asking goroutine's query was cancelled, or that it panicked.
var errCancelled = errors.New("asking for the key was cancelled")

// ask is called with the lock, which it gives back.
func (m *memory[K]) ask(ctx context.Context, k K, ask func() ([]byte, error)) ([]byte, error) {
	own := &asking{done: make(chan struct{}), err: errCancelled}
	if m.asking == nil {
		m.keys, m.asking = map[K][]byte{}, map[K]*asking{}
	}
	m.asking[k] = own
	m.mu.Unlock()
	defer func() { // also where ask panics
		m.mu.Lock()
		delete(m.asking, k)
		if own.err == nil {
			m.keys[k] = own.key
		}
		m.mu.Unlock()
		close(own.done)
	}()
	key, err := ask()
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	own.key, own.err = key, err
	return key, err
}
