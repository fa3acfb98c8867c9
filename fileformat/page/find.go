package page

import (
	"errors"
	"fmt"
	"sort"

	"github.com/parquetsql/parquetsql/fileformat"
)

// ErrMissing is Find's error after the last page.
var ErrMissing = errors.New("the chunk's pages end before its rows do")

var errNotData = errors.New("the offset index points to a page that is not a data page")

// Find returns the next data page or, without an index, a dictionary page before
// it. The caller hands both to Pass. With an error, the Page has only the rows
// that are lost. A Page from Find has no statistics.
func (r *Reader) Find() (Page, error) {
	if r.options.Offset != nil {
		return r.findIndexed()
	}
	for {
		lost := Page{Ordinal: r.ordinal, Offset: r.next, First: r.row, Rows: -1}
		if r.next >= r.window.end || r.values >= r.chunk.Meta.NumValues {
			return lost, ErrMissing
		}
		p, err := r.header(&r.window, r.next, r.window.end, r.ordinal)
		if err != nil {
			return lost, err
		}
		p.Statistics = nil
		switch p.Type {
		case fileformat.DataPage, fileformat.DataPageV2:
			p.Ordinal, p.First, p.Rows = r.ordinal, r.row, r.rowsOf(&p)
			p.Whole = r.chunk.Leaf.MaxRep == 0 || r.wholeRecords(&p)
			if err := r.checkRows(&p); err != nil {
				return lost, err
			}
			return p, nil
		case fileformat.DictionaryPage:
			return p, nil
		}
		r.next += p.Length()
	}
}

// rowsOf returns how many rows start in a page, or -1 if only its repetition levels
// say it. The num_rows of version 2 is only a hint: Arrow C++ before 12.0.0
// (apache/arrow#34086), parquetjs, fraugster/parquet-go and others write another
// number there. See HintsAddUp.
func (r *Reader) rowsOf(p *Page) int64 {
	if r.chunk.Leaf.MaxRep == 0 || p.NumValues == 0 {
		return int64(p.NumValues)
	}
	return -1
}

// wholeRecords reports whether the page's version says that it has only whole
// records. Pages of version 2 must have only whole records, but those of arrow-go
// before 18.8.0 do not (apache/arrow-go#882).
func (r *Reader) wholeRecords(p *Page) bool {
	w := r.chunk.File().Meta.Writer
	return p.Type == fileformat.DataPageV2 && !(w.Application == "parquet-go" && w.Before(18, 8, 0))
}

// checkRows refuses a page that has more rows than the row group has left. DuckDB
// and Spark drop the rows after the row group's last one, and so they read cuDF's
// nested-unsigned-malformed.parquet, whose row group of 2 rows has pages of 4 rows.
// But nothing says which of the 4 rows are the 2: cuDF itself refuses the file.
func (r *Reader) checkRows(p *Page) error {
	left := r.chunk.RowGroup.NumRows - p.First
	switch {
	case p.Rows > left:
		return fmt.Errorf("a page of %d rows where the row group has %d left", p.Rows, left)
	case p.Rows == 0 && p.NumValues > 0:
		return fmt.Errorf("a page of %d values in no rows", p.NumValues)
	}
	return nil
}

// findIndexed is Find by the offset index.
func (r *Reader) findIndexed() (Page, error) {
	index := r.options.Offset
	if r.ordinal >= len(index.Pages) {
		return Page{Ordinal: r.ordinal, First: r.row, Rows: -1}, ErrMissing
	}
	at := index.Pages[r.ordinal]
	first, end := index.Rows(r.ordinal, r.chunk.RowGroup.NumRows)
	lost := Page{Ordinal: r.ordinal, Offset: at.Offset, First: first, Rows: end - first}
	// One read for the page and its header, and no byte after them: the next pages
	// may have been pruned.
	if _, err := r.window.bytes(at.Offset, int(at.CompressedSize)); err != nil {
		return lost, err
	}
	p, err := r.header(&r.window, at.Offset, at.Offset+int64(at.CompressedSize), r.ordinal)
	if err != nil {
		return lost, err
	}
	p.Statistics = nil
	p.Ordinal, p.First, p.Rows, p.Whole = r.ordinal, first, end-first, true
	if p.Type != fileformat.DataPage && p.Type != fileformat.DataPageV2 {
		return lost, errNotData
	}
	if n := r.rowsOf(&p); n >= 0 && n != p.Rows {
		return lost, fmt.Errorf("a page of %d rows where the offset index has %d", n, p.Rows)
	}
	if err := r.checkRows(&p); err != nil {
		return lost, err
	}
	return p, nil
}

// Pass continues after a page that Find returned. The number of rows of a data page
// must be known by then; if its header does not say it, the page is decoded first.
func (r *Reader) Pass(p *Page) {
	if p.Type != fileformat.DictionaryPage {
		r.row = p.First + p.Rows
		r.values += int64(p.NumValues)
		r.ordinal++
	}
	if r.options.Offset == nil {
		r.next = p.Body + int64(p.CompressedSize)
	}
}

// Jump goes to the page with the given row, if there is an offset index, and returns
// the number of pages that it skipped.
func (r *Reader) Jump(row int64) (passed int64) {
	if r.options.Offset == nil {
		return 0
	}
	pages := r.options.Offset.Pages[r.ordinal:]
	// Pages without rows have the same first row as the page after them. The last of
	// these pages is the one that has the row.
	to := sort.Search(len(pages), func(i int) bool { return pages[i].FirstRow > row }) - 1
	if to <= 0 {
		return 0
	}
	r.ordinal, r.row = r.ordinal+to, pages[to].FirstRow
	return int64(to)
}

// Indexed reports whether pages are found by an offset index.
func (r *Reader) Indexed() bool { return r.options.Offset != nil }
