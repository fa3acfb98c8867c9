package prune

import (
	"errors"
	"io"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/page"
	"github.com/parquetsql/parquetsql/vector"
)

// errNothing ends a walk over page headers that do not help.
var errNothing = errors.New("page headers without useful statistics")

// maxUseless ends the walk: if no probe rules out any of so many pages at the
// beginning of a chunk, the other headers are not read. Most chunks have fewer pages.
const maxUseless = 16

// HeaderPages reads the statistics in the headers of a chunk's data pages, for
// chunks without a column index: most writers wrote DataPageHeader.statistics
// before the index existed, and Arrow C++ writes them if it writes no index. It is
// nil if they do not help or do not cover the row group. It reads r at each header.
//
// useful reports whether a probe rules out a page. One small read per page pays only
// if some page is ruled out, so the walk ends if none of the first maxUseless is.
//
// Columns within lists are not read this way. Outside of lists a page has as many
// rows as values, so that the header's num_rows, which may be wrong, is not needed.
func (c *Column) HeaderPages(g *fileformat.RowGroup, r io.ReaderAt, useful func(*probe.Summary) bool) *Pages {
	if c.leaf < 0 || c.inner || c.class == unordered {
		return nil
	}
	chunk := g.Columns[c.leaf]
	if n := DataPages(chunk); n == 0 || n == 1 {
		return nil // the chunk's own statistics say the same
	}
	t := c.chunkTrust(chunk)
	starts, known, used := []int64{0}, []*probe.Summary{}, false
	err := page.Each(chunk, r, func(p *page.Page) error {
		if p.Type != fileformat.DataPage && p.Type != fileformat.DataPageV2 {
			return nil
		}
		if len(known) == 0 && !tells(p.Statistics) {
			return errNothing
		}
		summary := Unknown(int64(p.NumValues))
		c.typeFacts(summary)
		if tells(p.Statistics) {
			st := *p.Statistics
			st.Order = chunk.File().Meta.ColumnOrders[c.leaf]
			c.enter(summary, new([2]vector.Scalar), &st, t)
		}
		if used = used || useful(summary); !used && len(known)+1 >= maxUseless {
			return errNothing
		}
		starts, known = append(starts, starts[len(starts)-1]+int64(p.NumValues)), append(known, summary)
		return nil
	})
	if err != nil || len(known) < 2 || starts[len(known)] != g.NumRows || !addUp(known, chunk) {
		return nil
	}
	for i := range known {
		if starts[i] >= starts[i+1] {
			return nil
		}
	}
	return newPages(starts, func(i int, _ int64) *probe.Summary { return known[i] })
}

// addUp is false if the NULLs of a chunk's pages are known, and are more or fewer than those of
// the chunk.
func addUp(pages []*probe.Summary, chunk *fileformat.ColumnChunk) bool {
	st, sum := chunk.Statistics(), int64(0)
	if st == nil || st.NullCount < 0 {
		return true
	}
	for _, p := range pages {
		if p.Nulls < 0 {
			return true
		}
		sum += p.Nulls
	}
	return sum == st.NullCount
}

// tells reports whether a page's statistics have bounds or a NULL count.
func tells(s *fileformat.Statistics) bool {
	return s != nil && (s.NullCount >= 0 || s.Min != nil || s.Max != nil || s.DeprecatedMin != nil || s.DeprecatedMax != nil)
}
