package prune

import (
	"errors"
	"io"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/page"
)

// errNothing ends a walk over page headers that say nothing of use.
var errNothing = errors.New("page headers without statistics of use")

// maxUseless is how many pages at the beginning of a chunk no probe may rule out.
// The pages of most row groups are fewer.
const maxUseless = 16

// HeaderPages is what the headers of a chunk's data pages say of the column, for
// chunks without a column index: most writers had statistics in page headers
// (DataPageHeader.statistics) before there was an index, and Arrow C++ has them
// where no index is written. It is nil where they do not say anything of use, or
// do not cover the row group. r is read at each header.
//
// useful reports whether a probe rules a page's rows out. A small read per page is
// worth it only if some are: if none of the first maxUseless is, the rest is not
// looked at.
//
// Only columns outside of lists are looked at: there a page has as many rows as
// values, which the header's num_rows need not be believed for.
func (c *Column) HeaderPages(g *fileformat.RowGroup, r io.ReaderAt, useful func(*probe.Summary) bool) *Pages {
	if c.leaf < 0 || c.inner || c.class == unordered {
		return nil
	}
	chunk := g.Columns[c.leaf]
	if n := DataPages(chunk); n == 0 || n == 1 {
		return nil // what the chunk's own statistics say
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
			c.enter(summary, &st, t)
		}
		if used = used || useful(summary); !used && len(known)+1 >= maxUseless {
			return errNothing
		}
		starts, known = append(starts, starts[len(starts)-1]+int64(p.NumValues)), append(known, summary)
		return nil
	})
	if err != nil || len(known) < 2 || starts[len(known)] != g.NumRows {
		return nil
	}
	for i := range known {
		if starts[i] >= starts[i+1] {
			return nil
		}
	}
	return newPages(starts, func(i int, _ int64) *probe.Summary { return known[i] })
}

// tells reports whether a page's statistics have bounds or a number of NULLs.
func tells(s *fileformat.Statistics) bool {
	return s != nil && (s.NullCount >= 0 || s.Min != nil || s.Max != nil || s.DeprecatedMin != nil || s.DeprecatedMax != nil)
}
