package reader

import (
	"io"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/prune"
)

// The indexes of a chunk, through the catalog's cache: a repeated query reads only
// pages. An absent or unusable index is not cached.
//
// A damaged index is ignored, unless the chunk is encrypted. It is not an error of the
// place where it is needed, because none is needed there: the file keeps it for damage.

// note keeps the first error of an encrypted chunk's index.
func (f *scanFile) note(err error) {
	if err != nil {
		f.tampered.CompareAndSwap(nil, &err)
	}
}

// damage is the error that note keeps. Where corrupt data is skipped, an index that is not
// used loses no rows.
func (s *Scan) damage(f *scanFile) error {
	if err := f.tampered.Load(); err != nil && !s.request.OnCorruptSkip {
		return *err
	}
	return nil
}

const (
	locationBytes = 24
	boundsBytes   = 2*24 + 1 + 8 // two bounds, a flag, and an entry in the list of pages with values
)

// offsets is a chunk's offset index; nil if it has none that can be used.
func (f *scanFile) offsets(c *fileformat.ColumnChunk, from io.ReaderAt) *fileformat.OffsetIndex {
	return files.Cached(f.table, c, files.OffsetIndexes, func() (*fileformat.OffsetIndex, int64) {
		x, err := prune.Offsets(c, from)
		if f.note(err); x == nil {
			return nil, 0
		}
		return x, int64(len(x.Pages)*locationBytes + 8*len(x.UnencodedByteArrayBytes))
	})
}

// columnIndex is a chunk's column index; nil if it has none that can be used.
func (f *scanFile) columnIndex(c *fileformat.ColumnChunk, from io.ReaderAt) *prune.Index {
	return files.Cached(f.table, c, files.ColumnIndexes, func() (*prune.Index, int64) {
		x, err := prune.ColumnIndex(c, from)
		if f.note(err); x == nil {
			return nil, 0
		}
		lists := len(x.NullCounts) + len(x.NaNCounts) + len(x.RepetitionHistograms) + len(x.DefinitionHistograms)
		return x, int64(c.ColumnIndexLength) + int64(len(x.NullPages)*boundsBytes+8*lists)
	})
}

// bloom is a chunk's bloom filter, for one goroutine; nil if it has none that can be
// used. The cache keeps the filter's position, not its blocks.
func (f *scanFile) bloom(c *fileformat.ColumnChunk) *fileformat.BloomFilter {
	x := files.Cached(f.table, c, files.BloomFilters, func() (*fileformat.BloomFilter, int64) {
		x, err := c.BloomFilter(&f.source)
		if f.note(prune.Tampered(c, err)); x == nil || err != nil {
			return nil, 0
		}
		return x.From(nil), 0
	})
	if x == nil {
		return nil
	}
	return x.From(&f.source)
}
