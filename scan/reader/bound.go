package reader

import (
	"cmp"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/prune"
	"github.com/parquetsql/parquetsql/scan/selection"
	"github.com/parquetsql/parquetsql/vector"
)

// If the rows are for a TopN, a row group is read in pieces: first the pages that
// may hold the first rows of the order. The TopN's bound then is a
// run-time probe that rules out most other pages: each piece is pruned again before
// and while it is read.

// bestFirst splits the rows into those that a TopN should see first (the best page,
// then a few more pages) and the rest. Without a page index all rows are rest.
func (g *groupScan) bestFirst(columns *fileColumns) (best []selection.Ranges, rest selection.Ranges) {
	order := g.scan.request.First
	if order == nil || !g.scan.request.Pruning.Any(scan.PruneOrder) || columns.columns[order.Column] == nil {
		return nil, g.rows
	}
	pages := g.columnPages(columns, order.Column, g.dataBytes())
	if pages == nil {
		return nil, g.rows
	}
	rest = g.rows
	var some selection.Ranges
	for _, page := range rankPages(pages, order.Descending) {
		from, to := pages.Rows(page)
		if !rest.Overlaps(from, to) {
			continue
		}
		left := rest.Without(from, to)
		if len(left) == 0 {
			break
		}
		rest = left
		if len(best) == 0 {
			best = append(best, g.rows.Intersect(selection.Ranges{{From: from, To: to}}))
			continue
		}
		some = append(some, selection.Range{From: from, To: to})
		if some.Rows() >= g.scan.minMorsel {
			break
		}
	}
	slices.SortFunc(some, func(a, b selection.Range) int { return cmp.Compare(a.From, b.From) })
	if some = g.rows.Intersect(some); len(some) > 0 {
		best = append(best, some)
	}
	return best, rest
}

// rankPages orders the pages by their least value or, descending, by their greatest;
// pages without bounds come last.
func rankPages(pages *prune.Pages, descending bool) []int {
	bound := func(page int) *vector.Scalar {
		if descending {
			return pages.Summary(page).Max
		}
		return pages.Summary(page).Min
	}
	ranked := make([]int, pages.Len())
	for i := range ranked {
		ranked[i] = i
	}
	slices.SortStableFunc(ranked, func(a, b int) int { return compareBounds(bound(a), bound(b), descending) })
	return ranked
}

// compareBounds orders bounds, absent ones last.
func compareBounds(a, b *vector.Scalar, descending bool) int {
	switch {
	case a == nil || b == nil:
		return lastRank(a == nil) - lastRank(b == nil)
	case descending:
		a, b = b, a
	}
	order, _ := expr.OrderScalars(a, b)
	return order
}

// rowBound is a condition of a TopN on rows, and its columns.
type rowBound struct {
	condition expr.Expr
	columns   []int
}

// boundTest is a reader's test of rows for the last bound. It is evaluated among the
// conjuncts, as one that may be left out: rows that the TopN would throw away are not
// decoded in the other columns.
type boundTest struct {
	bound  *rowBound
	filter *expr.Filter
}

// bounded is the filter of the present bound and its columns; nil if there is none yet.
func (r *Reader) bounded() (*expr.Filter, []int) {
	b := r.scan.bound.Load()
	if b == nil {
		return nil, nil
	}
	if b != r.test.bound {
		r.test = boundTest{b, expr.NewFilter(b.condition).Within(quota.NewMeter(r.scan.ctx, r.scan.request.Budget))}
	}
	return r.test.filter, b.columns
}

// boundCheck applies the run-time probes to the rows that a morsel has left.
type boundCheck struct {
	seen  int64 // the state of the probes that were applied last
	get   func(int) *probe.Summary
	pages map[int]*prune.Pages
}

// renarrow removes the rows that newer run-time probes rule out.
func (m *morselReader) renarrow() {
	s, b := m.reader.scan, &m.check
	now := s.runtimeSet.Load()
	if now == b.seen {
		return
	}
	b.seen = now
	probes := s.runtimeProbes()
	if b.get == nil && len(probes) > 0 {
		b.get, b.pages = m.files.summaries(m.group.group), map[int]*prune.Pages{}
	}
	for _, p := range probes {
		if s.request.Pruning.Any(scan.PruneStatistics) && p.Test(b.get) == probe.None {
			m.rows = nil
			return
		}
		if s.request.Pruning.Any(scan.PrunePages) {
			m.rows = prune.ByPage(p, m.rows, m.knownPages, b.get)
		}
	}
}

// knownPages is a column's page index; nil if planning has not read its offset index.
func (m *morselReader) knownPages(i int) *prune.Pages {
	p, ok := m.check.pages[i]
	if !ok {
		if c := m.files.statistics(i).In(m.group.group); c != nil && c.Leaf() >= 0 && m.group.offsets[c.Leaf()] != nil {
			p = m.group.pagesOf(c, m.group.offsets[c.Leaf()])
		}
		m.check.pages[i] = p
	}
	return p
}

// pagesOf is a column's pages, given its offset index.
func (g *groupScan) pagesOf(c *prune.Column, offsets *fileformat.OffsetIndex) *prune.Pages {
	return c.Pages(g.group, offsets, g.file.columnIndex(g.group.Columns[c.Leaf()], g.indexSource()))
}
