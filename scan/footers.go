package scan

import (
	"container/list"
	"sync"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
)

const (
	// defaultCacheBytes holds the footers of some thousand usual files.
	defaultCacheBytes = 64 << 20
	// footerFactor is about how much larger a footer is in memory than in the file.
	footerFactor = 6
	footerFixed  = 4 << 10
)

// footer is what a file's metadata was read into.
type footer struct {
	file    *fileformat.File
	columns []nested.Column
}

// footerKey tells whether a file is still the one that was read. A file system
// that knows no modification times gives no such certainty: then a footer is
// only good within one snapshot.
type footerKey struct {
	path     string
	size     int64
	modTime  int64 // nanoseconds
	snapshot *Snapshot
}

// footerCache keeps the footers that were used last, up to a number of bytes.
type footerCache struct {
	mu    sync.Mutex
	limit int64
	used  int64
	byKey map[footerKey]*list.Element
	order *list.List // of *cachedFooter, the one used last in front
}

type cachedFooter struct {
	key   footerKey
	bytes int64
	*footer
}

func newFooterCache(limit int64) *footerCache {
	if limit == 0 {
		limit = defaultCacheBytes
	}
	return &footerCache{limit: limit, byKey: map[footerKey]*list.Element{}, order: list.New()}
}

func (c *footerCache) get(key footerKey) *footer {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*cachedFooter).footer
}

// put keeps f unless it alone is larger than the limit. Two goroutines may have
// read the same file at once: the second wins, both are right.
func (c *footerCache) put(key footerKey, f *footer) {
	bytes := int64(f.file.FooterSize())*footerFactor + footerFixed
	if bytes > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[key]; e != nil {
		c.remove(e)
	}
	c.byKey[key] = c.order.PushFront(&cachedFooter{key, bytes, f})
	for c.used += bytes; c.used > c.limit; {
		c.remove(c.order.Back())
	}
}

func (c *footerCache) remove(e *list.Element) {
	f := c.order.Remove(e).(*cachedFooter)
	delete(c.byKey, f.key)
	c.used -= f.bytes
}
