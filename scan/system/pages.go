package system

import (
	"context"
	"errors"
	"io"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/fileformat/page"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/vector"
)

// pagesTable has one row per page of each chunk, from the page headers and the page
// index, but for chunks whose key is missing and for columns that cannot be read. Pages are counted from 0 in a chunk. rows
// and first_row are NULL if only decoding the page would tell. A damaged offset index is
// an error: who asks for pages wants to know, though a scan does without the index.
func pagesTable(t *files.Set) systemDefinition {
	return systemDefinition{
		columns: systemColumns("file:t row_group:n column:t page:n kind:t encoding:t? rows:n? first_row:n? offset:n compressed_bytes:n null_count:n? min:t? max:t?"),
		rows: func(ctx context.Context, emit func(row) error) error {
			return eachChunk(ctx, t, func(f *files.File, open *files.OpenFile, c *fileformat.ColumnChunk) error {
				if c.Locked() || c.Leaf.Err != nil {
					return nil
				}
				p, err := newPageRows(f, open.Reader(ctx), c)
				if err != nil {
					return err
				}
				return page.Each(c, open.Reader(ctx), func(found *page.Page) error { return emit(p.row(found)) })
			})
		},
	}
}

// pageRows makes one row per page of a chunk.
type pageRows struct {
	file    *files.File
	chunk   *fileformat.ColumnChunk
	offsets *fileformat.OffsetIndex
	index   *fileformat.ColumnIndex
	page    int64 // how many pages so far
	data    int   // how many data pages so far
	first   int64 // the first row of the next data page; -1: unknown
	hinted  bool  // see column.HintsHold
}

func newPageRows(f *files.File, open io.ReaderAt, c *fileformat.ColumnChunk) (*pageRows, error) {
	p := &pageRows{file: f, chunk: c}
	var err error
	if p.offsets, err = c.OffsetIndex(open); err != nil {
		return nil, err
	}
	if p.index, err = c.ColumnIndex(open); isFailure(err) {
		return nil, err
	}
	if c.Leaf.MaxRep > 0 && p.offsets == nil {
		if p.hinted, err = column.HintsHold(c, open); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// isFailure is false for a corrupt column index: the page headers have bounds too, and
// parquetjs writes indexes that lack required fields.
func isFailure(err error) bool {
	var corrupt *errs.CorruptError
	return err != nil && !errors.As(err, &corrupt)
}

func (p *pageRows) row(found *page.Page) row {
	c := p.chunk
	encoding, rows, first := noText, noNumber, noNumber
	nulls, low, high := noNumber, noText, noText
	switch found.Type {
	case fileformat.DictionaryPage:
		encoding = text(found.Encoding.String())
	case fileformat.DataPage, fileformat.DataPageV2:
		encoding = text(found.Encoding.String())
		n := p.rows(found)
		rows, first = orNull(n), orNull(p.first)
		if n < 0 || p.first < 0 {
			p.first = -1
		} else {
			p.first += n
		}
		nulls, low, high = p.statistics(found)
		p.data++
	}
	p.page++
	return row{
		text(p.file.Path), number(int64(c.RowGroup.Index)), text(c.Leaf.Dotted()), number(p.page - 1), text(found.Type.String()), encoding,
		rows, first, number(found.Offset), number(found.Length()), nulls, low, high,
	}
}

// rows is how many rows begin in the next data page, or -1.
func (p *pageRows) rows(found *page.Page) int64 {
	if p.offsets != nil && p.data < len(p.offsets.Pages) {
		first, end := p.offsets.Rows(p.data, p.chunk.RowGroup.NumRows)
		p.first = first
		return end - first
	}
	switch {
	case p.chunk.Leaf.MaxRep == 0:
		return int64(found.NumValues)
	case p.hinted:
		return int64(found.NumRows)
	}
	return -1
}

// statistics come from the column index, or else from the page's header.
func (p *pageRows) statistics(found *page.Page) (nulls, low, high vector.Scalar) {
	nulls, low, high = statisticsTexts(p.file, p.chunk.Leaf, found.Statistics)
	if found.Type == fileformat.DataPageV2 {
		nulls = number(int64(found.NumNulls))
	}
	if x := p.index; x != nil && p.data < len(x.NullPages) {
		if x.NullCounts != nil {
			nulls = number(x.NullCounts[p.data])
		}
		if !x.NullPages[p.data] {
			low = boundText(p.file, p.chunk.Leaf, x.Min[p.data])
			high = boundText(p.file, p.chunk.Leaf, x.Max[p.data])
		}
	}
	return nulls, low, high
}
