package fileformat

import (
	"errors"
	"fmt"
	"sort"
)

// pageRef is a page that was found: its header and where it lies.
type pageRef struct {
	PageHeader
	offset int64 // of the header
	body   int64 // offset of what follows the header
	first  int64 // row with which it starts
	rows   int64 // how many start in it; -1 where only decoding it can tell
}

// end is the row behind the page, or behind the row group where it is unknown.
func (p *pageRef) end(total int64) int64 {
	if p.rows < 0 {
		return total
	}
	return p.first + p.rows
}

// pageWalk goes from page to page of a chunk, in the order of the file or by the
// offset index, and keeps account of the rows. Index pages and pages of types
// that are not known are passed over, as the format asks readers to do.
type pageWalk struct {
	chunk  *ColumnChunk
	index  *OffsetIndex
	window pageWindow

	start   int64 // of the chunk
	next    int64 // offset of the next header; without an index
	ordinal int   // of the next data page; with one
	row     int64 // with which the next data page starts
	values  int64 // level entries of the pages passed; without an index
}

const (
	// firstHeaderBytes is enough for the header of a page without long statistics.
	firstHeaderBytes = 512
	// maxHeaderBytes is more than any sane header takes; without it a damaged
	// one could have the whole chunk read in search of its end.
	maxHeaderBytes = 16 << 20
	// saneUncompressed is a page size that needs no second opinion.
	saneUncompressed = 16 << 20
)

var (
	errHeaderCut   = errors.New("page header: it does not end")
	errPageMissing = errors.New("the chunk's pages end before its rows do")
	errNotData     = errors.New("the offset index points to a page that is not a data page")
)

// header reads the page header at offset, which ends before limit.
func (w *pageWalk) header(window *pageWindow, offset, limit int64) (pageRef, error) {
	left := min(limit, window.end) - offset
	for n := int64(firstHeaderBytes); ; n *= 4 {
		n = min(n, left, maxHeaderBytes)
		buf, err := window.bytes(offset, int(n))
		if err != nil {
			return pageRef{}, err
		}
		h, used, err := readPageHeader(buf)
		switch {
		case err == nil:
			h.Statistics = nil // points into the window
			p := pageRef{PageHeader: h, offset: offset, body: offset + int64(used), rows: -1}
			return p, w.checkSizes(&p, window.end)
		case !errors.Is(err, errShortHeader):
			return pageRef{}, err
		case n == left || n == maxHeaderBytes:
			return pageRef{}, errHeaderCut
		}
	}
}

// checkSizes holds a header's sizes against what there is.
func (w *pageWalk) checkSizes(p *pageRef, end int64) error {
	if int64(p.CompressedSize) > end-p.body {
		return fmt.Errorf("page header: a page of %d bytes where the chunk has %d left", p.CompressedSize, end-p.body)
	}
	if size := int64(p.UncompressedSize); size > saneUncompressed && size > w.chunk.Meta.TotalUncompressedSize {
		return fmt.Errorf("page header: a page of %d bytes uncompressed in a chunk of %d", size, w.chunk.Meta.TotalUncompressedSize)
	}
	return nil
}

// find gives the next data page, or without an index a dictionary page before
// it, which pass must be told of as well. Where the header cannot be believed,
// the error comes with a pageRef that has only the rows which are lost with it.
func (w *pageWalk) find() (pageRef, error) {
	if w.index != nil {
		return w.findIndexed()
	}
	for {
		lost := pageRef{offset: w.next, first: w.row, rows: -1}
		if w.next >= w.window.end || w.values >= w.chunk.Meta.NumValues {
			return lost, errPageMissing
		}
		p, err := w.header(&w.window, w.next, w.window.end)
		if err != nil {
			return lost, err
		}
		switch p.Type {
		case DataPage, DataPageV2:
			p.first, p.rows = w.row, w.rowsOf(&p)
			if err := w.checkRows(&p); err != nil {
				return lost, err
			}
			return p, nil
		case DictionaryPage:
			return p, nil
		}
		w.next = p.body + int64(p.CompressedSize)
	}
}

// rowsOf is what a header says of the rows that start in its page.
func (w *pageWalk) rowsOf(p *pageRef) int64 {
	switch {
	case w.chunk.Leaf.MaxRep == 0 || p.NumValues == 0:
		return int64(p.NumValues)
	case w.wholeRecords(p):
		return int64(p.NumRows)
	}
	return -1
}

// wholeRecords reports whether a page begins and ends with a record by its
// version alone.
func (w *pageWalk) wholeRecords(p *pageRef) bool {
	return p.Type == DataPageV2 && !w.chunk.File().Meta.Writer.splitsRecords()
}

func (w *pageWalk) checkRows(p *pageRef) error {
	left := w.chunk.RowGroup.NumRows - p.first
	switch {
	case p.rows > left:
		return fmt.Errorf("a page of %d rows where the row group has %d left", p.rows, left)
	case p.rows == 0 && p.NumValues > 0:
		return fmt.Errorf("a page of %d values in no rows", p.NumValues)
	case p.Type == DataPageV2 && w.chunk.Leaf.MaxRep == 0 && p.NumRows != p.NumValues:
		return fmt.Errorf("a page of %d values in %d rows of a column that is not repeated", p.NumValues, p.NumRows)
	}
	return nil
}

// findIndexed is find where the offset index says where pages are.
func (w *pageWalk) findIndexed() (pageRef, error) {
	if w.ordinal >= len(w.index.Pages) {
		return pageRef{first: w.row, rows: -1}, errPageMissing
	}
	at := w.index.Pages[w.ordinal]
	first, end := w.index.Rows(w.ordinal, w.chunk.RowGroup.NumRows)
	lost := pageRef{offset: at.Offset, first: first, rows: end - first}
	// One read for the page and its header, and none beyond: what follows may
	// have been pruned.
	if _, err := w.window.bytes(at.Offset, int(at.CompressedSize)); err != nil {
		return lost, err
	}
	p, err := w.header(&w.window, at.Offset, at.Offset+int64(at.CompressedSize))
	if err != nil {
		return lost, err
	}
	p.first, p.rows = first, end-first
	if p.Type != DataPage && p.Type != DataPageV2 {
		return lost, errNotData
	}
	if n := w.rowsOf(&p); n >= 0 && n != p.rows {
		return lost, fmt.Errorf("a page of %d rows where the offset index has %d", n, p.rows)
	}
	if err := w.checkRows(&p); err != nil {
		return lost, err
	}
	return p, nil
}

// pass goes on behind a page that find gave. The rows of a data page must be
// known by then: where its header does not tell, from decoding it.
func (w *pageWalk) pass(p *pageRef) {
	if p.Type != DictionaryPage {
		w.row = p.first + p.rows
		w.values += int64(p.NumValues)
	}
	if w.index != nil {
		w.ordinal++
		return
	}
	w.next = p.body + int64(p.CompressedSize)
}

// jump goes to the page with the given row and says how many pages it left out.
// It needs an index.
func (w *pageWalk) jump(row int64) (passed int64) {
	pages := w.index.Pages[w.ordinal:]
	// Pages without rows share their first row with the page behind them, which
	// is the last of them.
	to := sort.Search(len(pages), func(i int) bool { return pages[i].FirstRow > row }) - 1
	if to <= 0 {
		return 0
	}
	w.ordinal, w.row = w.ordinal+to, pages[to].FirstRow
	return int64(to)
}

// findDictionary gives the dictionary page; ok is false where the chunk has
// none. It stands before the data pages; a few writers put it elsewhere, and
// then the metadata's offset has to be believed. The window may end up with
// another end.
func (w *pageWalk) findDictionary(window *pageWindow) (p pageRef, ok bool, err error) {
	for at := w.start; at < window.end; at = p.body + int64(p.CompressedSize) {
		if p, err = w.header(window, at, window.end); err != nil {
			return pageRef{offset: at}, false, err
		}
		if p.Type == DictionaryPage {
			return p, true, nil
		}
		if p.Type == DataPage || p.Type == DataPageV2 {
			break
		}
	}
	at := w.chunk.Meta.DictionaryPageOffset
	if at <= w.start {
		return pageRef{}, false, nil
	}
	if err := w.chunk.file.inData(at, 1); err != nil {
		return pageRef{offset: at}, false, fmt.Errorf("dictionary page: %w", err)
	}
	window.end = max(window.end, w.chunk.file.dataEnd)
	if p, err = w.header(window, at, window.end); err != nil {
		return pageRef{offset: at}, false, err
	}
	return p, p.Type == DictionaryPage, nil
}
