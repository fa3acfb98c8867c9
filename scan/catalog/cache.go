package catalog

import (
	"container/list"
	"sync"

	"github.com/parquetsql/parquetsql/fileformat"
)

// DefaultFooterCacheBytes holds the footers of some thousand usual files.
const DefaultFooterCacheBytes = 64 << 20

// metaCache keeps metadata, footers and the indexes of chunks alike, up to a
// number of bytes. What it hands out is shared: nobody may change it.
//
// A pass over more files than the cache holds must leave something behind for
// the next pass; an LRU would replace each entry just before it is needed again.
// So a new entry goes to a small window, from which the entry used least lately
// drops out. An entry that drops out replaces entries of the main part only if
// it was asked for more often than they were (W-TinyLFU: Einziger, Friedman and
// Manes, "TinyLFU: A Highly Efficient Cache Admission Policy", 2017).
type metaCache struct {
	mu           sync.Mutex
	window, main segment
	byKey        map[metaKey]*list.Element
	asked        *frequencies
}

// segment is a part of the cache, its entries in the order of their last use.
type segment struct {
	limit, used int64      // bytes
	order       *list.List // of *cachedMeta, the one used last in front
}

// windowShare is which part of the limit the window has: one of so many.
const windowShare = 8

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

// entryBytes is about what an entry takes besides its value and its path: the
// key, the list's element, the place in the map.
const entryBytes = 320

type cachedMeta struct {
	key   metaKey
	bytes int64
	value any
	in    *segment
}

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
		cache.put(key, x, bytes)
	}
	return x
}

func newMetaCache(limit int64) *metaCache {
	window := limit / windowShare
	return &metaCache{
		window: segment{limit: window, order: list.New()}, main: segment{limit: limit - window, order: list.New()},
		byKey: map[metaKey]*list.Element{}, asked: newFrequencies(),
	}
}

// cached is what the cache has, or the zero value.
func cached[T any](c *metaCache, key metaKey) (value T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked.add(key)
	e := c.byKey[key]
	if e == nil {
		return value, false
	}
	m := e.Value.(*cachedMeta)
	m.in.order.MoveToFront(e)
	value, ok = m.value.(T)
	return value, ok
}

// put offers a value of so many bytes. Two goroutines may have read the same at
// once: the second replaces the first, both are right.
func (c *metaCache) put(key metaKey, value any, bytes int64) {
	m := &cachedMeta{key: key, bytes: bytes + entryBytes + int64(len(key.path)), value: value}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[key]; e != nil {
		c.remove(e)
	}
	if m.bytes > c.window.limit {
		c.admit(m)
		return
	}
	c.insert(m, &c.window)
	for c.window.used > c.window.limit {
		c.admit(c.remove(c.window.order.Back()))
	}
}

// admit puts an entry into the main part if there is room, or if all entries
// that would have to go were asked for less often. Once more does not count: in
// the middle of a pass over all files, those behind were asked for once more than
// those ahead.
func (c *metaCache) admit(m *cachedMeta) {
	if m.bytes > c.main.limit {
		return
	}
	asked := c.asked.of(m.key)
	var out []*list.Element
	left := c.main.used
	for e := c.main.order.Back(); left+m.bytes > c.main.limit; e = e.Prev() {
		old := e.Value.(*cachedMeta)
		if c.asked.of(old.key)+1 >= asked {
			c.main.order.MoveToFront(e) // so that the next candidate is compared with another
			return
		}
		left -= old.bytes
		out = append(out, e)
	}
	for _, e := range out {
		c.remove(e)
	}
	c.insert(m, &c.main)
}

func (c *metaCache) insert(m *cachedMeta, s *segment) {
	m.in = s
	s.used += m.bytes
	c.byKey[m.key] = s.order.PushFront(m)
}

func (c *metaCache) remove(e *list.Element) *cachedMeta {
	m := e.Value.(*cachedMeta)
	m.in.order.Remove(e)
	m.in.used -= m.bytes
	delete(c.byKey, m.key)
	return m
}
