package page

import (
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
)

// totals are sums over the headers of a chunk's data pages.
type totals struct {
	added  bool  // the headers were read
	whole  bool  // all of them could be read, and none is known to be wrong
	values int64 // num_values
	rows   int64 // num_rows; -1: a page is of version 1 or has a negative number
}

// HintsAddUp reports whether all data pages of the chunk are of version 2 and the
// sum of their num_rows is the number of rows of the row group. Then each num_rows is
// assumed to be right. The first call reads all headers of the chunk.
func (r *Reader) HintsAddUp() bool {
	t := r.sum()
	return t.whole && t.rows == r.chunk.RowGroup.NumRows
}

// CountsAddUp reports whether the sum of the pages' num_values is the chunk's number
// of values. Then each num_values is assumed to be right. The first call of it or of
// HintsAddUp reads all headers of the chunk.
func (r *Reader) CountsAddUp() bool {
	t := r.sum()
	return t.whole && t.values == r.entries()
}

// CheckCounts is for reading a chunk that may be damaged. No checksum covers a
// page header, and a wrong num_values gives the rows of all later pages wrong
// numbers. If the headers can be read and their sum is wrong, any of them may be
// wrong; CheckCounts then returns an error and a Page that stands for the whole
// chunk. With an offset index it does nothing: each page is compared with the index.
func (r *Reader) CheckCounts() (lost Page, err error) {
	if r.options.Offset != nil {
		return Page{}, nil
	}
	if t := r.sum(); t.whole && t.values != r.entries() {
		return Page{Offset: r.start, Rows: -1}, fmt.Errorf("pages of %d values in a chunk of %d", t.values, r.entries())
	}
	return Page{}, nil
}

// entries returns how many level entries the chunk has. For a column that is not
// repeated, it is the number of rows, which is the safer source.
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
	w := newWindow(r.options.Source, r.window.end, 0, account{}) // r.window may hold a page in use
	defer w.close()
	ordinal := 0
	for at := r.start; at < w.end && t.values < r.chunk.Meta.NumValues; {
		p, err := r.header(&w, at, w.end, ordinal)
		if err != nil {
			return t
		}
		if p.Type == fileformat.DataPage || p.Type == fileformat.DataPageV2 {
			if int64(p.NumValues) > r.entries() {
				return t
			}
			t.values += int64(p.NumValues)
			t.addRows(&p)
			ordinal++
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
