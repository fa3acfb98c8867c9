package page

import (
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
)

// totals are sums over the headers of a chunk's data pages.
type totals struct {
	added  bool  // the headers were read
	whole  bool  // all of them could be read, and none is surely wrong
	values int64 // num_values
	rows   int64 // num_rows; -1: a page is of version 1 or has a negative number
}

// HintsAddUp reports whether the chunk has data pages of version 2 only and their
// num_rows together are the rows of the row group: then each is taken for right.
// It reads all headers of the chunk, the first time that it is called.
func (r *Reader) HintsAddUp() bool {
	t := r.sum()
	return t.whole && t.rows == r.chunk.RowGroup.NumRows
}

// CountsAddUp reports whether the num_values of all pages together are those of
// the chunk: then each is taken for right. It reads all headers of the chunk, the
// first time that it or HintsAddUp is called.
func (r *Reader) CountsAddUp() bool {
	t := r.sum()
	return t.whole && t.values == r.entries()
}

// CheckCounts is for reading a chunk that may be damaged. No checksum covers a
// page header, and a wrong num_values gives the rows of all later pages wrong
// numbers. Where the headers can be read and do not add up, any of them may be
// wrong, and CheckCounts gives the error and a Page that stands for the whole
// chunk. With an offset index each page is compared with that instead.
func (r *Reader) CheckCounts() (lost Page, err error) {
	if r.options.Offset != nil {
		return Page{}, nil
	}
	if t := r.sum(); t.whole && t.values != r.entries() {
		return Page{Offset: r.start, Rows: -1}, fmt.Errorf("pages of %d values in a chunk of %d", t.values, r.entries())
	}
	return Page{}, nil
}

// entries is how many level entries the chunk has. For a column that is not
// repeated, the number of rows is the safer source.
func (r *Reader) entries() int64 {
	if r.chunk.Leaf.MaxRep == 0 {
		return r.chunk.RowGroup.NumRows
	}
	return r.chunk.Meta.NumValues
}

// sum adds up the headers, once.
func (r *Reader) sum() *totals {
	t := &r.totals
	if t.added {
		return t
	}
	t.added = true
	w := newWindow(r.options.Source, r.window.end, 0) // the other may hold a page in use
	defer w.close()
	for at := r.start; at < w.end && t.values < r.chunk.Meta.NumValues; {
		p, err := r.header(&w, at, w.end)
		if err != nil {
			return t
		}
		if p.Type == fileformat.DataPage || p.Type == fileformat.DataPageV2 {
			if int64(p.NumValues) > r.entries() {
				return t
			}
			t.values += int64(p.NumValues)
			t.addRows(&p)
		}
		at += p.Length()
	}
	t.whole = true
	return t
}

func (t *totals) addRows(p *Page) {
	if p.Type == fileformat.DataPage || p.NumRows < 0 || t.rows < 0 {
		t.rows = -1
		return
	}
	t.rows += int64(p.NumRows)
}
