package storetest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/parquetsql/parquetsql/storage"
)

// Grant is what a catalog says about files, one after another: when one is refused, the next is good.
type Grant struct {
	mu    sync.Mutex
	list  []map[string]string
	times int // how often one was refused
	own   func(property string) bool
}

// NewGrant is a Grant with these properties.
func NewGrant(list ...map[string]string) *Grant {
	return &Grant{list: list, own: func(string) bool { return false }}
}

// ByUser makes properties those that the user has said: all of them where none is named.
func (g *Grant) ByUser(properties ...string) *Grant {
	g.own = func(name string) bool { return len(properties) == 0 || slices.Contains(properties, name) }
	return g
}

// Own implements storage.Grant.
func (g *Grant) Own(property, value string) bool { return value != "" && g.own(property) }

// Settings implements storage.Grant.
func (g *Grant) Settings() map[string]string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return maps.Clone(g.list[0])
}

// Fresh implements storage.Grant.
func (g *Grant) Fresh(context.Context) (map[string]string, error) { return g.Settings(), nil }

// Refused implements storage.Grant.
func (g *Grant) Refused(map[string]string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.times++; len(g.list) > 1 {
		g.list = g.list[1:]
	}
}

// Times is how often properties were refused.
func (g *Grant) Times() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.times
}

// ReadGranted reads a file as a catalog's table does.
func ReadGranted(t testing.TB, address string, g storage.Grant) ([]byte, error) {
	t.Helper()
	a, ok := storage.ParseAddress(address)
	if !ok {
		t.Fatal(address)
	}
	s, err := storage.SchemeOf(a.Scheme)
	if err != nil {
		t.Fatal(err)
	}
	root, err := s.Granted(storage.Address{Scheme: a.Scheme, Authority: a.Authority}, g)
	if err != nil {
		return nil, err
	}
	if c, ok := root.Store.(interface{ Close() error }); ok {
		defer c.Close()
	}
	e, err := root.Store.Stat(t.Context(), a.Path)
	if err != nil {
		return nil, err
	}
	f := root.Store.Open(e)
	defer f.Close()
	out := make([]byte, e.Size)
	if n, err := f.ReadAt(t.Context(), out, 0); n < len(out) {
		return nil, fmt.Errorf("%d of %d bytes: %w", n, len(out), err)
	}
	return out, nil
}
