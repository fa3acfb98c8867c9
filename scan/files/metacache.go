package files

import (
	"container/list"
	"sync"

	"github.com/parquetsql/parquetsql/fileformat"
)

// DefaultFooterCacheBytes is enough for the footers of about a thousand ordinary files.
const DefaultFooterCacheBytes = 64 << 20

// metaCache keeps footers and the indexes of chunks, up to a number of bytes. Its
// values are shared: nobody may change them.
//
// After a pass over more files than the cache holds, the next pass must still find
// some of them; an LRU would evict each entry just before it is needed again. So a
// new entry goes to a small window, which evicts its least recently used entry. An
// entry that the window evicts replaces entries of the main part only if it was
// looked up more often than they were (W-TinyLFU: Einziger, Friedman and Manes,
// "TinyLFU: A Highly Efficient Cache Admission Policy", 2017).
type metaCache struct {
	mu           sync.Mutex
	window, main segment
	byKey        map[metaKey]*list.Element
	asked        *frequencies
}

// segment is a part of the cache. Its entries are in the order of their last use.
type segment struct {
	limit, used int64      // bytes
	order       *list.List // of *cachedMeta, the most recently used first
}

// windowShare: the window has 1/windowShare of the limit.
const windowShare = 8

// metaKey names a file's footer, or an index of one of its chunks.
type metaKey struct {
	fileKey
	kind        IndexKind
	group, leaf int
}

// IndexKind is the kind of an entry.
type IndexKind uint8

// The kinds.
const (
	footerKind IndexKind = iota // the file's footer; group and leaf are 0
	OffsetIndexes
	ColumnIndexes
	BloomFilters
	magics // whether a file begins as a Parquet file; group and leaf are 0
)

// entryBytes is roughly the size of an entry without its value and its path: the
// key, the list's element, the map's slot.
const entryBytes = 320

type cachedMeta struct {
	key   metaKey
	bytes int64
	value any
	in    *segment
}

// Cached returns a chunk's index from the cache, or else calls read, which
// returns the index and its size in bytes, and caches the result unless it is nil. A
// summary file may describe a chunk differently from the file itself, so the indexes
// of files that a summary names are not cached.
func Cached[T any](f *File, c *fileformat.ColumnChunk, kind IndexKind, read func() (*T, int64)) *T {
	cache := f.footers.cache.meta
	key := metaKey{fileKey: f.footers.fileKey(f, f.entry()), kind: kind, group: c.RowGroup.Index, leaf: c.Leaf.Leaf}
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

// cached returns the value of a key; ok is false if the cache does not have it.
func cached[T any](c *metaCache, key metaKey) (value T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.roomy() {
		c.asked.add(key)
	}
	return entryOf[T](c, key)
}

// roomy reports whether the main part takes all that the window evicts for long. What was asked for when, and
// how often, is not worth the time then: of many small files it is most of a lookup.
func (c *metaCache) roomy() bool {
	return c.main.used < c.main.limit/2
}

// present is cached for one who looks once more where the cache does not have the value: only one of
// the two lookups counts.
func present[T any](c *metaCache, key metaKey) (value T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if value, ok = entryOf[T](c, key); ok && !c.roomy() {
		c.asked.add(key)
	}
	return value, ok
}

// entryOf is the value of a key, which is now the one that was used last. The lock is held.
func entryOf[T any](c *metaCache, key metaKey) (value T, ok bool) {
	e := c.byKey[key]
	if e == nil {
		return value, false
	}
	m := e.Value.(*cachedMeta)
	if !c.roomy() {
		m.in.order.MoveToFront(e)
	}
	value, ok = m.value.(T)
	return value, ok
}

// has reports whether the cache has a value.
func (c *metaCache) has(key metaKey) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byKey[key] != nil
}

// put offers a value of the given size to the cache. If two goroutines read the same
// value at once, the second replaces the first; both are right.
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

// holds reports whether a value of this size may ever be in the cache.
func (c *metaCache) holds(bytes int64) bool { return bytes <= c.main.limit }

// admit puts an entry into the main part if there is room, or if it had at least
// two lookups more than each entry that it would replace. One lookup more is not
// enough: in the middle of a pass over all files, the files already read have one
// lookup more than the others.
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
			c.main.order.MoveToFront(e) // so that the next candidate is compared with another entry
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
