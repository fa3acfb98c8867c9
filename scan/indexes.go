package scan

import (
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/scan/prune"
)

// The indexes of a chunk, through the catalog's cache: a query that comes again
// reads pages only. What is absent or of no use is looked for each time anew.

const (
	indexFixed    = 256 // about what an index takes besides its lists
	locationBytes = 24
	boundsBytes   = 2*24 + 1 + 8 // two bounds, a flag, and the page among those with values
)

// offsets is a chunk's offset index; nil where it has none of use.
func (f *scanFile) offsets(c *fileformat.ColumnChunk) *fileformat.OffsetIndex {
	return fromCache(f, c, metaOffsets, func() (*fileformat.OffsetIndex, int64) {
		x := prune.Offsets(c, f.source)
		if x == nil {
			return nil, 0
		}
		return x, int64(len(x.Pages)*locationBytes + 8*len(x.UnencodedByteArrayBytes))
	})
}

// columnIndex is a chunk's column index; nil where it has none of use.
func (f *scanFile) columnIndex(c *fileformat.ColumnChunk) *prune.Index {
	return fromCache(f, c, metaColumnIndex, func() (*prune.Index, int64) {
		x := prune.ColumnIndex(c, f.source)
		if x == nil {
			return nil, 0
		}
		lists := len(x.NullCounts) + len(x.NaNCounts) + len(x.RepetitionHistograms) + len(x.DefinitionHistograms)
		return x, int64(c.ColumnIndexLength) + int64(len(x.NullPages)*boundsBytes+8*lists)
	})
}

// bloom is a chunk's bloom filter, to be asked by one goroutine; nil where it
// has none of use. Only where it lies is kept, not its blocks.
func (f *scanFile) bloom(c *fileformat.ColumnChunk) *fileformat.BloomFilter {
	x := fromCache(f, c, metaBloom, func() (*fileformat.BloomFilter, int64) {
		x, err := c.BloomFilter(f.source)
		if x == nil || err != nil {
			return nil, 0
		}
		return x.From(nil), 0
	})
	if x == nil {
		return nil
	}
	return x.From(f.source)
}

// fromCache is what the cache has, or else what read gives, of so many bytes.
// A summary file may say other things of a chunk than the file itself, so that
// its files' indexes are not kept.
func fromCache[T any](f *scanFile, c *fileformat.ColumnChunk, kind metaKind, read func() (*T, int64)) *T {
	cache := f.table.snapshot.catalog.meta
	key := metaKey{fileKey: f.table.snapshot.fileKey(f.table), kind: kind, group: c.RowGroup.Index, leaf: c.Leaf.Leaf}
	if f.table.part == nil {
		if x, ok := cached[*T](cache, key); ok {
			return x
		}
	}
	x, bytes := read()
	if x != nil && f.table.part == nil {
		cache.put(key, x, bytes+indexFixed)
	}
	return x
}
