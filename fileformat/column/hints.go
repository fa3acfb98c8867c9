package column

import (
	"errors"
	"io"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/encoding"
	"github.com/parquetsql/parquetsql/fileformat/page"
)

// hints is what the repetition levels of a chunk say about num_rows of its page
// headers. Some writers count in another way, or wrongly: the numbers of
// fraugster/parquet-go add up to the rows of the row group, but each counts some
// records that begin in another page.
type hints struct {
	checked bool
	// agree: the headers are right about the pages that can be read. One page may
	// have other records than its header says if all can be read: it is damaged, because
	// of the numbers of a writer that adds up to the right sum at least two are wrong.
	agree bool
	addUp bool // all pages can be read, and their records are the rows of the row group
}

// HintsHold reports whether num_rows of the page headers of a repeated column can be
// believed: the numbers add up, and no page disagrees. It reads all pages.
func HintsHold(c *fileformat.ColumnChunk, source io.ReaderAt) (bool, error) {
	pages, err := page.NewReader(c, page.Options{Source: source})
	if err != nil {
		return false, err
	}
	defer pages.Close()
	return pages.HintsAddUp() && checkHints(c, pages).agree, nil
}

// hintsAgree is HintsHold for a reader, which has its pages already.
func (r *Reader) hintsAgree() bool { return r.pages.HintsAddUp() && r.checkedHints().agree }

// checkedHints compares headers and levels once.
func (r *Reader) checkedHints() hints {
	if r.hints.checked {
		return r.hints
	}
	r.hints.checked = true
	pages, err := page.NewReader(r.chunk, page.Options{Source: r.options.Source}) // r.pages is in use
	if err == nil {
		r.hints = checkHints(r.chunk, pages)
		pages.Close()
	}
	return r.hints
}

func checkHints(c *fileformat.ColumnChunk, pages *page.Reader) hints {
	readable, wrong, records := true, 0, int64(0)
	for {
		p, err := pages.Find()
		switch {
		case errors.Is(err, page.ErrMissing):
			return hints{
				checked: true,
				agree:   wrong == 0 || wrong == 1 && readable,
				addUp:   readable && records == c.RowGroup.NumRows,
			}
		case err != nil:
			return hints{checked: true}
		case p.Type == fileformat.DataPageV2:
			n, err := recordsOf(c, pages, &p)
			if err != nil {
				readable, n = false, int64(p.NumRows)
			}
			if n != int64(p.NumRows) {
				wrong++
			}
			records += n
			p.Rows = n
		case p.Type == fileformat.DataPage:
			return hints{checked: true} // its levels are compressed, and there is no hint
		}
		pages.Pass(&p)
	}
}

// recordsOf counts the records that begin in a page of version 2, whose repetition
// levels are not compressed.
func recordsOf(c *fileformat.ColumnChunk, pages *page.Reader, p *page.Page) (int64, error) {
	body, err := pages.Body(p)
	if err != nil {
		return 0, err
	}
	var levels encoding.Levels
	if err := levels.Reset(body[:p.RepLength], uint8(c.Leaf.MaxRep), int(p.NumValues)); err != nil {
		return 0, err
	}
	return countRecords(levels, int(p.NumValues), false)
}
