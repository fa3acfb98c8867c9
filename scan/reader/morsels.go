package reader

import (
	"context"
	"slices"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/fetch"
	"github.com/parquetsql/parquetsql/scan/selection"
	"github.com/parquetsql/parquetsql/vector"
)

const (
	// minMorselRows is the least number of rows for which a second reader pays.
	minMorselRows = 64 << 10
)

// plan prunes a row group and cuts the remaining rows into morsels; none if no row
// remains.
func (s *Scan) plan(ctx context.Context, g *groupScan) ([]morsel, error) {
	columns, err := s.borrowColumns(g.file)
	if err != nil {
		return nil, err
	}
	defer s.giveBack(columns)
	if s.request.Pruning.Any(scan.AllPruners) {
		if err := g.narrow(ctx, columns); err != nil {
			return nil, err
		}
	}
	g.useless = columns.useless(g.group)
	best, rest := g.bestFirst(columns)
	pieces := append(best, g.pieces(rest)...)
	g.morsels.Store(max(1, int32(len(pieces))))
	if len(pieces) == 0 {
		g.replanned(nil)
		return nil, g.end()
	}
	g.planSources(columns, len(pieces), best != nil)
	g.replanned(pieces)
	out := make([]morsel, len(pieces))
	for i, rows := range pieces {
		out[i] = morsel{group: g, rows: rows}
	}
	return out, nil
}

// pieces cuts rows for each morsel.
func (g *groupScan) pieces(rows selection.Ranges) []selection.Ranges {
	if len(rows) == 0 {
		return nil
	}
	n := int64(g.wantedPieces())
	if n <= 1 {
		return []selection.Ranges{rows}
	}
	return rows.Split(max(g.scan.minMorsel, (rows.Rows()+n-1)/n))
}

// planSources plans the reads. The columns of the filter are read apart from the
// others, which may turn out not to be needed. Every
// offset index that readers will need is read here, by one goroutine. best: few
// pages are expected to be needed.
func (g *groupScan) planSources(columns *fileColumns, passes int, best bool) {
	g.isFirst = map[int]bool{}
	for _, i := range g.filterColumns() {
		if c := columns.columns[i]; c != nil {
			_, leaves := c.Reads(g.scan.describing(g.group))
			for _, leaf := range leaves {
				g.isFirst[leaf] = true
			}
		}
	}
	sparse := len(g.isFirst) > 0 && g.scan.windows.selective()
	cost := g.file.open.Cost()
	longest := fetch.WindowSize(len(g.leaves), cost)
	if best {
		longest = min(longest, max(fetch.MinWindow, fetch.Sparse(cost)))
	}
	var first, later, rest []fetch.Range
	g.isRest = g.restLeaves(columns)
	for _, leaf := range g.usedLeaves(columns) {
		switch {
		case g.isRest[leaf]:
			rest = append(rest, g.chunkRanges(leaf, true)...)
		case g.isFirst[leaf]:
			first = append(first, g.chunkRanges(leaf, best)...)
		default:
			later = append(later, g.chunkRanges(leaf, best || sparse)...)
		}
	}
	g.rest = fetch.New(&g.file.source, rest, g.scan.request.Budget, passes, fetch.Sparse(cost), cost)
	g.first = fetch.New(&g.file.source, first, g.scan.request.Budget, passes, longest, cost)
	if sparse {
		longest = fetch.Sparse(cost)
	}
	g.later = fetch.New(&g.file.source, later, g.scan.request.Budget, passes, longest, cost)
}

// fetchLater reads the bytes of the columns that no conjunct needs, once a row is left: several
// ranges at the same time, where one after the other would each wait for a request.
func (g *groupScan) fetchLater() (err error) {
	cost := g.file.open.Cost()
	if cost.IsLocal() || len(g.isFirst) == 0 {
		return nil
	}
	g.fetched.Do(func() {
		err = g.later.Prefetch(fetch.Together(cost), func() bool { return g.scan.ctx.Err() != nil })
	})
	return err
}

// restLeaves are the leaves that are read only of rows without a shredded value.
func (g *groupScan) restLeaves(columns *fileColumns) map[int]bool {
	out := map[int]bool{}
	var always []int
	for _, i := range ascending(g.filterColumns(), g.scan.outputs) {
		c := columns.columns[i]
		if c == nil {
			continue
		}
		_, leaves := c.Reads(g.scan.describing(g.group))
		if typed, rest := g.split(c); typed != nil {
			leaves = c.Needed([]vector.Path{typed})
			for _, leaf := range c.Needed(rest) {
				out[leaf] = true
			}
		}
		always = append(always, leaves...)
	}
	for _, leaf := range always {
		delete(out, leaf)
	}
	return out
}

// filterColumns are the columns of the conjuncts that are still to be evaluated, and the
// one that the bound of a TopN tests.
func (g *groupScan) filterColumns() []int {
	var out []int
	if first := g.scan.request.First; first != nil && g.scan.request.Pruning.Any(scan.PruneRunTime) {
		out = append(out, first.Column)
	}
	for i, columns := range g.scan.filterColumns {
		if !g.allMatch[i] {
			out = append(out, columns...)
		}
	}
	return out
}

// usedLeaves are the leaves that readers of this row group will open.
func (g *groupScan) usedLeaves(columns *fileColumns) []int {
	var out []int
	for _, i := range ascending(g.filterColumns(), g.scan.outputs) {
		if c := columns.columns[i]; c != nil && !slices.Contains(g.useless, i) {
			_, leaves := c.Reads(g.scan.describing(g.group))
			out = append(out, leaves...)
		}
	}
	return ascending(out)
}

// wantedPieces is into how many morsels a row group should be cut: one, unless
// there would be too few for all readers.
func (g *groupScan) wantedPieces() int {
	s := g.scan
	if s.parallelism <= 1 || g.rows.Rows() < 2*s.minMorsel || s.queue.left() >= s.parallelism {
		return 1
	}
	bytes := int64(0)
	for _, leaf := range g.leaves {
		if g.offsetIndex(leaf) == nil {
			bytes += g.group.Columns[leaf].Meta.TotalCompressedSize
		}
	}
	if bytes > quota.SharedChunks {
		return 1
	}
	return s.parallelism
}

// chunkRanges are the bytes of a leaf's chunk that hold the rows: its
// dictionary and those pages. They are one range where nobody knows where pages begin, and where all
// pages are needed unless byPage is true. It is nil if the chunk's place makes no sense, which is an
// error when the chunk is read.
func (g *groupScan) chunkRanges(leaf int, byPage bool) []fetch.Range {
	chunk, users := g.group.Columns[leaf], []int{leaf}
	off, n, err := chunk.Range()
	if err != nil {
		return nil
	}
	var index *fileformat.OffsetIndex
	if g.rows.Rows() < g.group.NumRows || byPage && int64(chunk.OffsetIndexLength) < n/8 {
		index = g.offsetIndex(leaf)
	}
	if index == nil {
		return []fetch.Range{{Off: off, N: n, Users: users}}
	}
	var out []fetch.Range
	if first := index.Pages[0].Offset; first > off { // the dictionary
		out = append(out, fetch.Range{Off: off, N: first - off, Users: users})
	}
	for i, p := range index.Pages {
		end := g.group.NumRows
		if i+1 < len(index.Pages) {
			end = index.Pages[i+1].FirstRow
		}
		if g.rows.Overlaps(p.FirstRow, end) {
			out = append(out, fetch.Range{Off: p.Offset, N: int64(p.CompressedSize), Users: users})
		}
	}
	return out
}

// ascending is the numbers of all lists: ascending, without repeats.
func ascending(lists ...[]int) []int {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(lists...))))
}
