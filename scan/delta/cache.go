package delta

import (
	"slices"
	"sync"
)

// Cache bounds the memory of what tables keep of their logs between queries: of each the state of
// one version, with the statistics of its files. Those of the tables that were not used for the
// longest time go first. It may be used by several goroutines.
type Cache struct {
	limit int64

	mu   sync.Mutex
	kept []state // the last used last
	used int64
}

type state struct {
	table *Table
	of    *Version
	bytes int64
}

// NewCache is an empty cache of so many bytes.
func NewCache(limit int64) *Cache { return &Cache{limit: limit} }

// use makes a table the last used.
func (c *Cache) use(t *Table) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.find(t); at >= 0 {
		s := c.kept[at]
		c.kept = append(slices.Delete(c.kept, at, at+1), s)
	}
}

func (c *Cache) find(t *Table) int {
	return slices.IndexFunc(c.kept, func(s state) bool { return s.table == t })
}

// keep makes a version, which takes so many bytes more than before, the one that is kept of its
// table. If it does not fit it is false, and the version is as it was.
func (c *Cache) keep(t *Table, v *Version, more int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.find(t)
	bytes := v.bytes + more
	if bytes > c.limit {
		if at >= 0 && c.kept[at].of != v {
			c.remove(at)
		} else if at < 0 {
			t.set(nil)
		}
		return false
	}
	if at >= 0 {
		c.used -= c.kept[at].bytes
		c.kept = slices.Delete(c.kept, at, at+1)
	}
	v.bytes = bytes
	c.kept = append(c.kept, state{t, v, bytes})
	c.used += bytes
	t.set(v)
	for c.used > c.limit {
		c.remove(0)
	}
	return true
}

// remove forgets what is kept of a table; c.mu is held.
func (c *Cache) remove(at int) {
	s := c.kept[at]
	c.used -= s.bytes
	c.kept = slices.Delete(c.kept, at, at+1)
	s.table.set(nil)
}
