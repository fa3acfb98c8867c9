package catalog

import (
	"container/list"
	"sync"

	"github.com/parquetsql/parquetsql/fileformat"
)

// defaultCacheBytes holds the footers of some thousand usual files.
const defaultCacheBytes = 64 << 20

// metaCache keeps the metadata that was used last, footers and the indexes of
// chunks alike, up to a number of bytes. What it hands out is shared: nobody
// may change it.
type metaCache struct {
	mu    sync.Mutex
	limit int64
	used  int64
	byKey map[metaKey]*list.Element
	order *list.List // of *cachedMeta, the one used last in front
}

// metaKey names a file's footer, or an index of one of its chunks.
type metaKey struct {
	fileKey
	kind        IndexKind
	group, leaf int
}

// IndexKind is what the cache holds of a chunk.
type IndexKind uint8

// The kinds.
const (
	footerKind IndexKind = iota // the file's footer: of no chunk
	OffsetIndexes
	ColumnIndexes
	BloomFilters
)

// indexFixed is about what an index takes besides its lists.
const indexFixed = 256

// Cached is what the catalog's cache has of a chunk, or else what read returns
// and how many bytes that takes; nil is not kept. A summary file may say other
// things of a chunk than the file itself, so that the indexes of its files are
// not kept.
func Cached[T any](f *File, c *fileformat.ColumnChunk, kind IndexKind, read func() (*T, int64)) *T {
	cache := f.snapshot.catalog.meta
	key := metaKey{fileKey: f.snapshot.fileKey(f), kind: kind, group: c.RowGroup.Index, leaf: c.Leaf.Leaf}
	if f.part == nil {
		if x, ok := cached[*T](cache, key); ok {
			return x
		}
	}
	x, bytes := read()
	if x != nil && f.part == nil {
		cache.put(key, x, bytes+indexFixed)
	}
	return x
}

type cachedMeta struct {
	key   metaKey
	bytes int64
	value any
}

func newMetaCache(limit int64) *metaCache {
	if limit == 0 {
		limit = defaultCacheBytes
	}
	return &metaCache{limit: limit, byKey: map[metaKey]*list.Element{}, order: list.New()}
}

// cached is what the cache has, or the zero value.
func cached[T any](c *metaCache, key metaKey) (value T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return value, false
	}
	c.order.MoveToFront(e)
	value, ok = e.Value.(*cachedMeta).value.(T)
	return value, ok
}

// put keeps a value of so many bytes unless it alone is larger than the limit.
// Two goroutines may have read the same at once: the second wins, both are right.
func (c *metaCache) put(key metaKey, value any, bytes int64) {
	if bytes > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[key]; e != nil {
		c.remove(e)
	}
	c.byKey[key] = c.order.PushFront(&cachedMeta{key, bytes, value})
	for c.used += bytes; c.used > c.limit; {
		c.remove(c.order.Back())
	}
}

func (c *metaCache) remove(e *list.Element) {
	m := c.order.Remove(e).(*cachedMeta)
	delete(c.byKey, m.key)
	c.used -= m.bytes
}
