package files

import (
	"fmt"
	"testing"
)

// passes looks up n entries of some bytes each, one after another, and puts the
// missing ones, as a query over n files does. It returns the number of hits.
func passes(c *metaCache, table string, n int, bytes int64) (hits int) {
	for i := range n {
		key := metaKey{fileKey: fileKey{path: fmt.Sprintf("%s/%06d", table, i)}}
		if _, ok := cached[int](c, key); ok {
			hits++
			continue
		}
		c.put(key, i, bytes)
	}
	return hits
}

// TestCacheKeepsPart: a table has three times as many files as fit. Every pass after
// the first finds a good part of what fits. (An LRU finds nothing.)
func TestCacheKeepsPart(t *testing.T) {
	const fit, bytes = 1000, 10_000
	c := newMetaCache(fit * (bytes + entryBytes + 10))
	passes(c, "large", 3*fit, bytes)
	for pass := range 8 {
		if hits := passes(c, "large", 3*fit, bytes); hits < fit*7/10 || hits > fit {
			t.Errorf("pass %d: %d hits of %d that fit", pass, hits, fit)
		}
	}
	// A small new table is kept after its first use.
	passes(c, "small", 50, bytes)
	for range 3 {
		if hits := passes(c, "small", 50, bytes); hits != 50 {
			t.Errorf("small: %d hits of 50", hits)
		}
	}
	// Entries that are used more often replace entries that are no longer used.
	for range 12 {
		passes(c, "next", fit*8/10, bytes)
	}
	if hits := passes(c, "next", fit*8/10, bytes); hits < fit*6/10 {
		t.Errorf("next: %d hits of %d", hits, fit*8/10)
	}
}

// TestCacheLimit: the sum of the entries' sizes stays below the limit, whatever the sizes are.
func TestCacheLimit(t *testing.T) {
	const limit = 1 << 20
	c := newMetaCache(limit)
	for i := range 5000 {
		bytes := int64(i*i%70_001) + 1
		if i%500 == 0 {
			bytes = limit * int64(i/500) / 5
		}
		key := metaKey{fileKey: fileKey{path: fmt.Sprint(i % 700)}}
		cached[int](c, key)
		c.put(key, i, bytes)
		held := int64(0)
		for _, s := range []*segment{&c.window, &c.main} {
			sum := int64(0)
			for e := s.order.Front(); e != nil; e = e.Next() {
				sum += e.Value.(*cachedMeta).bytes
			}
			if sum != s.used || sum > s.limit {
				t.Fatalf("step %d: %d bytes are held, %d counted, the limit is %d", i, sum, s.used, s.limit)
			}
			held += sum
		}
		if held > limit || len(c.byKey) != c.window.order.Len()+c.main.order.Len() {
			t.Fatalf("step %d: %d bytes, %d keys", i, held, len(c.byKey))
		}
		if v, ok := cached[int](c, key); ok && v != i {
			t.Fatalf("step %d: the value is that of step %d", i, v)
		}
	}
	if len(c.byKey) == 0 {
		t.Error("nothing is held")
	}
}
