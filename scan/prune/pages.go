package prune

import (
	"errors"
	"io"
	"sort"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// Pages has the summaries of one column's pages in a row group. It must be used by
// one goroutine.
type Pages struct {
	starts  []int64 // the first row of each page, and the row count at the end
	summary func(page int, rows int64) *probe.Summary
	known   []*probe.Summary

	// run is one summary of the pages from to to-1; nil if that is not cheaper than
	// the summaries of the single pages.
	run func(from, to int) *probe.Summary
}

// Len is the number of pages.
func (p *Pages) Len() int { return len(p.starts) - 1 }

// Rows is the range of rows of a page.
func (p *Pages) Rows(page int) (from, to int64) { return p.starts[page], p.starts[page+1] }

// at is the page that has the row.
func (p *Pages) at(row int64) int {
	return sort.Search(p.Len(), func(i int) bool { return p.starts[i+1] > row })
}

// Summary is the summary of a page.
func (p *Pages) Summary(page int) *probe.Summary {
	if p.known[page] == nil {
		p.known[page] = p.summary(page, p.starts[page+1]-p.starts[page])
	}
	return p.known[page]
}

// Pages are the pages by the column's column index and offset index; nil if these
// cannot be used. Pages of a column within a list also begin at the beginning of a
// row if there is an offset index (parquet.thrift, PageLocation).
func (c *Column) Pages(g *fileformat.RowGroup, offsets *fileformat.OffsetIndex, index *Index) *Pages {
	if c.leaf < 0 || offsets == nil || index == nil || len(offsets.Pages) != len(index.NullPages) {
		return nil
	}
	chunk := g.Columns[c.leaf]
	if c.distrustedInner(chunk.File().Meta.Writer) {
		return nil
	}
	trust := c.chunkTrust(chunk)
	trust.bounds = trust.bounds && c.class.usable(index.Order)
	if trust.nulls && !countsNulls(chunk, offsets, index.ColumnIndex) {
		trust.nulls, trust.nullPages = false, false
	}
	return c.pages(offsets, index, g.NumRows, trust)
}

// countsNulls reports whether what a column index says of NULLs agrees with what else the file
// says of them: the null_counts of the pages add up to the chunk's; pages of only NULLs have no
// more NULLs than the chunk and no fewer than rows; and where there are histograms of the
// definition levels, which count NULLs as well, they say the same.
func countsNulls(chunk *fileformat.ColumnChunk, offsets *fileformat.OffsetIndex, x *fileformat.ColumnIndex) bool {
	total := int64(-1)
	if st := chunk.Statistics(); st != nil {
		total = st.NullCount
	}
	sum, onlyNulls, levels := int64(0), int64(0), int64(chunk.Leaf.MaxDef+1)
	for i, only := range x.NullPages {
		first, end := offsets.Rows(i, chunk.RowGroup.NumRows)
		if only {
			onlyNulls += end - first
		}
		if x.NullCounts == nil {
			continue
		}
		n := x.NullCounts[i]
		if sum += n; sum < n {
			return false
		}
		if h := x.DefinitionHistograms; h != nil {
			nulls := int64(0)
			for _, count := range h[int64(i)*levels : int64(i+1)*levels-1] {
				nulls += count
			}
			if nulls != n {
				return false
			}
		}
	}
	return total < 0 || onlyNulls <= total && (x.NullCounts == nil || sum == total)
}

// pageTrust says which parts of statistics or of a column index are trusted.
type pageTrust struct {
	bounds, nulls bool
	nullPages     bool // null_pages of a column index
	cut           bool // a max of a byte array in a column index may be a prefix of the real max
	noNaNs        bool // floats with bounds in the chunk's statistics have no NaN
}

// pages is Pages for a row group with the given number of rows.
func (c *Column) pages(offsets *fileformat.OffsetIndex, index *Index, rows int64, trust pageTrust) *Pages {
	p := newPages(pageStarts(offsets, rows), func(page int, rows int64) *probe.Summary {
		return c.page(index.ColumnIndex, page, rows, trust)
	})
	if c.inner || c.Converter().IsShredded() { // the order is that of the column itself
		return p
	}
	if order := index.ordered(p); order != nil {
		p.run = func(from, to int) *probe.Summary { return c.ordered(p, order, from, to) }
	}
	return p
}

// Offsets is a chunk's offset index; nil if it has none that can be used. An index
// is optional, so that a damaged one is ignored. It is an error only where the chunk is
// encrypted: there damage means that someone has changed the file.
func Offsets(c *fileformat.ColumnChunk, r io.ReaderAt) (*fileformat.OffsetIndex, error) {
	writer := c.File().Meta.Writer
	if distrustPageIndex(writer) || c.Leaf.MaxRep > 0 && splitsRecords(writer) {
		return nil, nil
	}
	offsets, err := c.OffsetIndex(r)
	if err != nil || offsets == nil || pageStarts(offsets, c.RowGroup.NumRows) == nil {
		return nil, Tampered(c, err)
	}
	return offsets, nil
}

// Tampered is the error of an index of an encrypted chunk; nil for other chunks, and where the
// index is only too long to be read.
func Tampered(c *fileformat.ColumnChunk, err error) error {
	if c.Encrypted() && !errors.Is(err, errs.ErrMemoryLimit) {
		return err
	}
	return nil
}

// ColumnIndex is a chunk's column index, in the same way.
func ColumnIndex(c *fileformat.ColumnChunk, r io.ReaderAt) (*Index, error) {
	if distrustPageIndex(c.File().Meta.Writer) {
		return nil, nil
	}
	index, err := c.ColumnIndex(r)
	if err != nil || index == nil {
		return nil, Tampered(c, err)
	}
	return &Index{ColumnIndex: index}, nil
}

func newPages(starts []int64, summary func(int, int64) *probe.Summary) *Pages {
	return &Pages{starts: starts, summary: summary, known: make([]*probe.Summary, len(starts)-1)}
}

// pageStarts are the first rows of the pages and the end of the last page; nil if
// the pages do not cover the row group.
func pageStarts(o *fileformat.OffsetIndex, rows int64) []int64 {
	starts := make([]int64, 0, len(o.Pages)+1)
	for _, p := range o.Pages {
		starts = append(starts, p.FirstRow)
	}
	starts = append(starts, rows)
	if len(starts) < 2 || starts[0] != 0 {
		return nil
	}
	for i := 1; i < len(starts); i++ {
		if starts[i] <= starts[i-1] {
			return nil
		}
	}
	return starts
}

// page is the summary of page i, which has the given number of rows.
func (c *Column) page(x *fileformat.ColumnIndex, i int, rows int64, trust pageTrust) *probe.Summary {
	out := Unknown(rows)
	c.typeFacts(out)
	nulls, nans := int64(-1), int64(-1)
	if x.NullCounts != nil && trust.nulls {
		nulls = x.NullCounts[i]
	}
	if x.NaNCounts != nil {
		nans = x.NaNCounts[i]
	}
	var lo, hi *vector.Scalar
	switch {
	case x.NullPages[i] && (nulls >= 0 && (nulls < rows || nulls > rows && !c.inner) || c.Node.MaxDef == 0):
		return out // contradiction: only NULLs, but also values
	case x.NullPages[i] && !trust.nullPages:
		return out
	case x.NullPages[i]:
		nulls = rows
	case trust.bounds:
		maximum := x.Max[i]
		if trust.cut && c.class == byteOrder {
			maximum = afterPrefix(maximum)
		}
		lo, hi = c.bounds(x.Min[i], maximum)
	}
	if c.inner && !x.NullPages[i] {
		nulls = -1
	}
	c.fill(out, lo, hi, nulls, nans)
	return out
}

// rowBlock is how many row numbers make up a page of RowNumbers.
const rowBlock = 1024

// RowNumbers has pages for the row numbers, as if these were a column with a page
// index. The first row has the number first.
func RowNumbers(first, rows int64) *Pages {
	if rows <= 0 {
		return nil
	}
	var starts []int64
	for at := int64(0); at < rows; at += rowBlock {
		starts = append(starts, at)
	}
	starts = append(starts, rows)
	p := newPages(starts, func(page int, n int64) *probe.Summary { return Sequence(first+int64(page)*rowBlock, n) })
	p.run = func(from, to int) *probe.Summary { return Sequence(first+starts[from], starts[to]-starts[from]) }
	return p
}
