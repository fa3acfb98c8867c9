package keys

import (
	"context"
	"errors"
	"sync"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// memory keeps keys. Each is asked for once: goroutines that want the same key at the
// same time wait for one answer. Only keys are kept, not errors, so that a KMS that was
// down for a moment is asked again.
//
// The user's function is called in a goroutine of its own, so that a cancelled query ends
// at once even where the function does not know its context. That goroutine then ends with
// the function, whose key is kept.
type memory[K comparable] struct {
	mu     sync.Mutex
	keys   map[K][]byte
	asking map[K]*asking
}

// asking is a key that somebody asks for.
type asking struct {
	done chan struct{} // closed when the key or the error is there
	key  []byte
	err  error
}

var (
	// errCancelled says that the query that asked was cancelled. Others ask again.
	errCancelled = errors.New("asking for the key was cancelled")
	errNoReturn  = errors.New("the function that was asked for the key did not return")
)

// get returns the key, from ask if nobody has asked before. ask may use ctx.
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
		a := m.asking[k]
		if a == nil {
			a = m.start(ctx, k, ask)
		}
		m.mu.Unlock()
		select {
		case <-a.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if !errors.Is(a.err, errCancelled) {
			return a.key, a.err
		}
	}
}

// start calls ask. The caller has the lock.
func (m *memory[K]) start(ctx context.Context, k K, ask func() ([]byte, error)) *asking {
	if m.asking == nil {
		m.keys, m.asking = map[K][]byte{}, map[K]*asking{}
	}
	a := &asking{done: make(chan struct{}), err: errNoReturn}
	m.asking[k] = a
	go func() {
		defer func() { // also where the user's function ends the goroutine
			m.mu.Lock()
			delete(m.asking, k)
			if a.err == nil {
				m.keys[k] = a.key
			}
			m.mu.Unlock()
			close(a.done)
		}()
		key, err := guarded(ask)
		if err != nil && ctx.Err() != nil {
			err = errCancelled
		}
		a.key, a.err = key, err
	}()
	return a
}

// guarded calls ask. A panic of the user's function is an error: here it would end the
// program.
func guarded(ask func() ([]byte, error)) (key []byte, err error) {
	defer errs.Recover(&err)
	return ask()
}
