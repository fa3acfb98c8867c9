package prune

import (
	"slices"
	"sort"
	"sync"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
)

// Index is a chunk's column index. It also knows whether its pages can be searched
// instead of tested one by one; this is checked once. Goroutines may share it.
type Index struct {
	*fileformat.ColumnIndex
	once  sync.Once
	order *pageOrder
}

// pageOrder says that the bounds of a column's pages ascend, or descend, from
// page to page (BoundaryOrder in parquet.thrift). Pages with only
// NULLs may be anywhere and are left out of the order.
type pageOrder struct {
	descending bool
	filled     []int // the pages with values; nil if all have values
	noNulls    bool  // no page has a NULL
	noNaNs     bool  // no page has a NaN
}

// ordered returns the order of the index's pages, which p describes. It is nil if
// the file declares none, or if the bounds contradict it; then every page is tested
// by itself. It is computed once, as every p has the bounds of the same file.
func (x *Index) ordered(p *Pages) *pageOrder {
	x.once.Do(func() {
		if x.Boundary != fileformat.Unordered && p.Len() >= minSearched {
			x.order = checkedOrder(p, x.Boundary == fileformat.Descending)
		}
	})
	return x.order
}

// minSearched is the least number of pages for which the order is checked.
const minSearched = 8

// checkedOrder is nil if a page with values lacks a bound or is out of order.
func checkedOrder(p *Pages, descending bool) *pageOrder {
	o := &pageOrder{descending: descending, noNulls: true, noNaNs: true}
	var last *probe.Summary
	for page := range p.Len() {
		s := p.Summary(page)
		o.noNulls = o.noNulls && s.Nulls == 0
		if s.Nulls == s.Rows {
			continue
		}
		o.noNaNs = o.noNaNs && !s.MayHaveNaN
		if s.Min == nil || s.Max == nil || last != nil && !follows(last, s, descending) {
			return nil
		}
		last = s
		o.filled = append(o.filled, page)
	}
	if o.filled = slices.Clip(o.filled); len(o.filled) == p.Len() {
		o.filled = nil
	}
	return o
}

// follows reports whether both bounds of b keep the order after a.
func follows(a, b *probe.Summary, descending bool) bool {
	if descending {
		a, b = b, a
	}
	return inOrder(a.Min, b.Min) && inOrder(a.Max, b.Max)
}

// span returns the first and the last page with values of the pages from to to-1;
// false if none has values.
func (o *pageOrder) span(from, to int) (first, last int, ok bool) {
	if o.filled == nil {
		return from, to - 1, from < to
	}
	i, j := sort.SearchInts(o.filled, from), sort.SearchInts(o.filled, to)
	if i >= j {
		return 0, 0, false
	}
	return o.filled[i], o.filled[j-1], true
}

// ordered is the summary of the pages from to to-1: its bounds are those of the
// first and the last page.
func (c *Column) ordered(p *Pages, o *pageOrder, from, to int) *probe.Summary {
	out := Unknown(p.starts[to] - p.starts[from])
	c.typeFacts(out)
	first, last, ok := o.span(from, to)
	if !ok {
		out.Nulls = out.Rows
		return out
	}
	if o.noNulls {
		out.Nulls = 0
	}
	if o.noNaNs {
		out.MayHaveNaN = false
	}
	if o.descending {
		first, last = last, first
	}
	out.Min, out.Max = p.Summary(first).Min, p.Summary(last).Max
	return out
}
