package prune

import (
	"io"
	"slices"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/fileformat/page"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// maxWalked is how many pages of a chunk are looked at, to see how they are encoded.
const maxWalked = 256

// AllDictionary reports whether every data page of a chunk is certainly dictionary-encoded, so
// that the dictionary has all values of the chunk. Its metadata must say so. But a writer whose
// dictionary became too large goes on with plain pages, and where the metadata forgets them, rows
// would be lost. So the metadata is proof only if the writer is known to count its pages; else the
// header of each page is read from r, unless that is nil.
func AllDictionary(c *fileformat.ColumnChunk, r io.ReaderAt) bool {
	return saysAllDictionary(c) && (countsEncodings(c.File().Meta.Writer, len(c.Meta.EncodingStats) > 0) || r != nil && seesAllDictionary(c, r))
}

// seesAllDictionary reads the headers of a chunk's pages.
func seesAllDictionary(c *fileformat.ColumnChunk, r io.ReaderAt) bool {
	values, pages := int64(0), 0
	err := page.Each(c, r, func(p *page.Page) error {
		if pages++; pages > maxWalked {
			return errNothing
		}
		if p.Type != fileformat.DataPage && p.Type != fileformat.DataPageV2 {
			return nil
		}
		if p.Encoding != fileformat.PlainDictionary && p.Encoding != fileformat.RLEDictionary {
			return errNothing
		}
		values += int64(p.NumValues)
		return nil
	})
	return err == nil && values == c.Meta.NumValues
}

// saysAllDictionary reports whether a chunk's metadata says that all data pages are
// dictionary-encoded.
func saysAllDictionary(c *fileformat.ColumnChunk) bool {
	m := c.Meta
	if len(m.EncodingStats) > 0 {
		pages := int32(0)
		for _, s := range m.EncodingStats {
			if s.Type == fileformat.DictionaryPage || s.Count == 0 {
				continue
			}
			if s.Encoding != fileformat.PlainDictionary && s.Encoding != fileformat.RLEDictionary {
				return false
			}
			pages += s.Count
		}
		return pages > 0
	}
	// Without counts, the list of encodings is proof only if it has nothing but
	// PLAIN_DICTIONARY and encodings of levels. PLAIN may be the encoding of the
	// dictionary page, or of data pages written after the dictionary was full.
	return slices.Contains(m.Encodings, fileformat.PlainDictionary) &&
		!slices.ContainsFunc(m.Encodings, func(e fileformat.Encoding) bool {
			return e != fileformat.PlainDictionary && e != fileformat.RLE && e != fileformat.BitPacked
		})
}

// mayHaveDictionary is false if a chunk certainly has no dictionary.
func mayHaveDictionary(c *fileformat.ColumnChunk) bool {
	return c.Meta.DictionaryPageOffset > 0 || len(c.Meta.Encodings) == 0 ||
		slices.Contains(c.Meta.Encodings, fileformat.PlainDictionary) || slices.Contains(c.Meta.Encodings, fileformat.RLEDictionary)
}

// DataPages is the number of data pages by the chunk's encoding_stats; -1 without them.
func DataPages(c *fileformat.ColumnChunk) int64 {
	if len(c.Meta.EncodingStats) == 0 {
		return -1
	}
	pages := int64(0)
	for _, s := range c.Meta.EncodingStats {
		if s.Type == fileformat.DataPage || s.Type == fileformat.DataPageV2 {
			pages += int64(s.Count)
		}
	}
	return pages
}

// Dictionary converts a chunk's dictionary to the table's type.
func (c *Column) Dictionary(d *column.Dictionary) (*vector.Vector, error) {
	v, err := nested.DictionaryVector(c.Column.Column, c.Options, d)
	if err != nil || c.Converter().Identity() && v.Type.Equal(c.Converter().To()) {
		return v, err
	}
	converted, err := c.Converter().Vector(v)
	if err != nil {
		return nil, err
	}
	out := &vector.Vector{}
	return out, out.Gather(converted, nil) // a copy: the converter reuses its memory
}
