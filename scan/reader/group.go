package reader

import (
	"cmp"
	"context"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/fetch"
	"github.com/parquetsql/parquetsql/scan/prune"
	"github.com/parquetsql/parquetsql/scan/selection"
	"github.com/parquetsql/parquetsql/vector"
)

// groupScan is the access plan of one row group: it starts with all rows, and each
// level of pruning removes some.
type groupScan struct {
	scan  *Scan
	file  *scanFile
	group *fileformat.RowGroup

	rows     selection.Ranges // still to be read
	deleted  selection.Rows   // of the file: rows that are read with others and do not count; nil: none
	gone     int64            // rows of the group that are deleted
	allMatch []bool           // conjuncts that are TRUE for every row: not evaluated
	safe     []bool           // conjuncts that fail for no row here, though they may elsewhere; nil: none

	leaves  []int                           // that the scan needs
	useless []int                           // columns that are read as NULL: see SetBetter
	offsets map[int]*fileformat.OffsetIndex // by leaf; nil: none
	indexes *fetch.Source                   // bytes of page indexes; nil: each is read on its own
	first   *fetch.Source                   // bytes of the columns that conjuncts need
	later   *fetch.Source                   // bytes of all others
	rest    *fetch.Source                   // bytes that only some rows need: see restLeaves
	isFirst map[int]bool                    // leaves whose bytes are in first, unless they are in rest
	isRest  map[int]bool
	fetched sync.Once    // of later, see fetchLater
	morsels atomic.Int32 // that have not ended

	chunkBytes int64 // of leaves, in the whole row group; see planned

	mu    sync.Mutex
	pages map[int]*pageCount // by leaf
}

// pageCount counts a chunk's data pages.
type pageCount struct {
	known   int64 // from the offset index; -1: not from there
	decoded int64
	walked  int64 // the most that one reader saw, decoded or skipped
}

// decide tests every conjunct that is still undecided and the probes that only skip.
// It is true if one of them rules the row group out.
func (g *groupScan) decide(get func(int) *probe.Summary) bool {
	for i, p := range g.scan.probes {
		if p == nil || g.allMatch[i] || g.scan.ctx.Err() != nil {
			continue
		}
		switch g.scan.test(p, get) {
		case probe.None:
			return true
		case probe.All:
			g.allMatch[i] = true
		}
	}
	for _, p := range g.scan.onlySkip() {
		if p.Test(get) == probe.None {
			return true
		}
	}
	return false
}

// open returns the probes that may still remove rows.
func (g *groupScan) open() []probe.Probe {
	var out []probe.Probe
	for i, p := range g.scan.probes {
		if p != nil && !g.allMatch[i] {
			out = append(out, p)
		}
	}
	return append(out, g.scan.onlySkip()...)
}

// narrow removes rows by every kind of pruning. The footer's statistics were tested when
// the file was opened; they are tested again for run-time probes added since.
func (g *groupScan) narrow(ctx context.Context, columns *fileColumns) error {
	get, on, count := columns.summaries(g.group), g.scan.request.Pruning, g.scan.count
	switch {
	case on.Any(scan.PruneStatistics) && g.decide(get):
		count.groupsStats.Add(1)
		g.rows = nil
	case on.Any(scan.PruneBloom) && g.byBloom(columns, get):
		count.groupsBloom.Add(1)
		g.rows = nil
	case on.Any(scan.PruneDictionary) && g.byDictionary(columns, get):
		count.groupsDict.Add(1)
		g.rows = nil
	case on.Any(scan.PrunePages):
		g.byPages(columns, get)
	}
	if len(g.rows) > 0 && on.Any(scan.PruneStatistics) {
		g.findSafe(get)
	}
	return cmp.Or(ctx.Err(), g.scan.damage(g.file))
}

// findSafe asks the statistics which of several conjuncts fail for no row of the row group: these are
// evaluated in any order. Deleted rows are among those that the statistics are of.
func (g *groupScan) findSafe(get func(int) *probe.Summary) {
	if len(g.scan.fallible) == 0 || len(g.scan.probes) < 2 {
		return
	}
	g.safe = make([]bool, len(g.scan.probes))
	for _, i := range g.scan.fallible {
		p := g.scan.probes[i]
		g.safe[i] = g.allMatch[i] || p != nil && g.scan.ctx.Err() == nil && !p.Fails(get)
	}
}

// byBloom tests the bloom filters of the columns for which a probe can use one.
func (g *groupScan) byBloom(columns *fileColumns, get func(int) *probe.Summary) bool {
	loaded := map[int]*probe.Summary{}
	var filters []*fileformat.BloomFilter
	defer func() {
		for _, f := range filters {
			g.file.note(f.Err())
		}
	}()
	for _, p := range g.open() {
		wanted := prune.BloomColumns(tested{p, g.scan}, get)
		for i := range wanted {
			c := columns.statistics(i).In(g.group)
			if c == nil || !c.HasBloom(g.group) || loaded[i] != nil {
				continue
			}
			s := *get(i)
			filter := g.file.bloom(g.group.Columns[c.Leaf()])
			if filter != nil {
				filters = append(filters, filter)
			}
			s.Bloom = c.Bloom(filter)
			loaded[i] = &s
		}
		if g.scan.test(p, with(loaded, get)) == probe.None {
			return true
		}
	}
	return false
}

// maxDictionary is the length of the longest dictionary page that is read in order
// to prune. If it does not rule the chunk out, it is read again with the data.
const maxDictionary = 1 << 20

// byDictionary evaluates conjuncts over a chunk's dictionary, if that has all values
// of the chunk.
func (g *groupScan) byDictionary(columns *fileColumns, get func(int) *probe.Summary) (none bool) {
	probes, loaded, read, values := g.open(), map[int]*probe.Summary{}, false, 0
	for _, p := range probes {
		if len(p.Columns()) != 1 {
			continue
		}
		i := p.Columns()[0]
		if loaded[i] == nil && p.WantsDictionary(get(i)) && (read || g.scan.patience.Reads()) {
			s := *get(i)
			s.Dict = g.dictionary(columns.statistics(i).In(g.group))
			loaded[i], read = &s, read || s.Dict != nil
			if s.Dict != nil {
				values += s.Dict.Len
			}
		}
	}
	if none = len(loaded) > 0 && g.decide(with(loaded, get)); read {
		g.scan.patience.Note(values, none || len(g.open()) < len(probes))
	}
	return none
}

// with has the summaries that were loaded, and the others of get.
func with(loaded map[int]*probe.Summary, get func(int) *probe.Summary) func(int) *probe.Summary {
	return func(i int) *probe.Summary { return cmp.Or(loaded[i], get(i)) }
}

// dictionary has all values of a column's chunk; nil if its dictionary page does not
// have all. A damaged page is reported by the reader of the column.
func (g *groupScan) dictionary(c *prune.Column) *vector.Vector {
	if c == nil || c.Leaf() < 0 || !c.HasValues() {
		return nil
	}
	chunk := g.group.Columns[c.Leaf()]
	var headers io.ReaderAt
	if g.file.open.Cost().IsLocal() { // else a request for each would take longer than the pages
		headers = &g.file.source
	}
	if dictionaryBytes(chunk) > maxDictionary || !prune.AllDictionary(chunk, headers) {
		return nil
	}
	r, err := column.NewReader(chunk, g.scan.readOptions(&g.file.source))
	if err != nil {
		return nil
	}
	defer r.Close()
	d, err := r.Dictionary()
	if err != nil || d == nil {
		return nil
	}
	v, err := c.Dictionary(d)
	if err != nil {
		return nil
	}
	return v
}

// dictionaryBytes is the length of a chunk's dictionary page, computed from offsets.
func dictionaryBytes(c *fileformat.ColumnChunk) int64 {
	if at := c.Meta.DictionaryPageOffset; at > 0 && at < c.Meta.DataPageOffset {
		return c.Meta.DataPageOffset - at
	}
	return c.Meta.TotalCompressedSize
}

// byPages removes the rows of pages that the page index, or else the statistics in
// page headers, rule out. An index is read only if it is shorter than the data that
// it may save.
func (g *groupScan) byPages(columns *fileColumns, get func(int) *probe.Summary) {
	probes := g.open()
	if len(probes) == 0 {
		return
	}
	data, loaded := g.dataBytes(), map[int]*prune.Pages{}
	pages := func(i int) *prune.Pages {
		p, ok := loaded[i]
		if !ok {
			if p = g.columnPages(columns, i, data); p == nil {
				p = g.headerPages(columns.statistics(i).In(g.group), func(page *probe.Summary) bool {
					return slices.ContainsFunc(probes, func(p probe.Probe) bool {
						return g.scan.test(p, func(of int) *probe.Summary {
							if of == i {
								return page
							}
							return get(of)
						}) == probe.None
					})
				})
			}
			loaded[i] = p
		}
		return p
	}
	for _, p := range probes {
		if g.rows = prune.ByPage(tested{p, g.scan}, g.rows, pages, get); len(g.rows) == 0 {
			return
		}
	}
}

func (g *groupScan) columnPages(columns *fileColumns, i int, data int64) *prune.Pages {
	if columns.source(i) == scan.FromRow {
		return prune.RowNumbers(g.group.FirstRow, g.group.NumRows)
	}
	c := columns.statistics(i).In(g.group)
	if c == nil {
		return nil
	}
	return c.WithSides(g.group, func(side *prune.Column) *prune.Pages { return g.leafPages(side, data) })
}

// leafPages are the pages of a column of one leaf, by its page index.
func (g *groupScan) leafPages(c *prune.Column, data int64) *prune.Pages {
	if c.Leaf() < 0 {
		return nil
	}
	chunk := g.group.Columns[c.Leaf()]
	if chunk.Locked() || chunk.ColumnIndexOffset < 0 || int64(chunk.ColumnIndexLength)+int64(chunk.OffsetIndexLength) > data {
		return nil
	}
	offsets := g.offsetIndex(c.Leaf())
	if offsets == nil {
		return nil
	}
	return g.pagesOf(c, offsets)
}

// headerPages are the pages by the page headers, for a column without column index of a local
// file.
func (g *groupScan) headerPages(c *prune.Column, useful func(*probe.Summary) bool) *prune.Pages {
	if c == nil || c.Leaf() < 0 || g.group.Columns[c.Leaf()].ColumnIndexOffset >= 0 || !g.file.open.Cost().IsLocal() {
		return nil // a request for each header would take longer than the pages
	}
	return c.HeaderPages(g.group, &g.file.source, useful)
}

// dataBytes is the size of the chunks that the scan needs.
func (g *groupScan) dataBytes() int64 {
	n := int64(0)
	for _, leaf := range g.leaves {
		n += max(0, g.group.Columns[leaf].Meta.TotalCompressedSize)
	}
	return n
}

// offsetIndex reads a leaf's offset index, once.
func (g *groupScan) offsetIndex(leaf int) *fileformat.OffsetIndex {
	x, ok := g.offsets[leaf]
	if !ok {
		x = g.file.offsets(g.group.Columns[leaf], g.indexSource())
		g.offsets[leaf] = x
		if p := g.pages[leaf]; p != nil && x != nil {
			p.known = int64(len(x.Pages))
		}
	}
	return x
}

// indexSource is where page indexes are read from. Those of a row group lie one behind the
// other: where a read is a request, one read has those of all columns that are needed.
func (g *groupScan) indexSource() io.ReaderAt {
	cost := g.file.open.Cost()
	if cost.IsLocal() {
		return &g.file.source
	}
	if g.indexes == nil {
		var needed []fetch.Range
		add := func(off, n int64) {
			if g.file.open.CheckRange(off, n) == nil && n > 0 {
				needed = append(needed, fetch.Range{Off: off, N: n, Users: []int{0}})
			}
		}
		for _, leaf := range g.leaves {
			c := g.group.Columns[leaf]
			add(c.OffsetIndexOffset, int64(c.OffsetIndexLength))
			add(c.ColumnIndexOffset, int64(c.ColumnIndexLength))
		}
		g.indexes = fetch.New(&g.file.source, needed, g.scan.request.Budget, 1, fetch.WindowSize(1, cost), cost)
	}
	return g.indexes
}

// account adds the row group's pages to the scan's counters. It is called once, when
// all morsels have ended.
func (g *groupScan) account() {
	for leaf, p := range g.pages {
		total := p.known
		if total < 0 {
			total = prune.DataPages(g.group.Columns[leaf])
		}
		if total < 0 {
			total = p.walked
		}
		total = max(total, p.decoded)
		g.scan.count.pagesTotal.Add(total)
		g.scan.count.pagesPruned.Add(total - p.decoded)
	}
}

// noteReader adds the counters of one reader of a leaf.
func (g *groupScan) noteReader(leaf int, decoded, skipped int64) {
	if decoded > 0 {
		g.used(leaf)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.pages[leaf]; p != nil {
		p.decoded += decoded
		p.walked = max(p.walked, decoded+skipped)
	}
}

// used notes that pages of a leaf are decoded, or would be.
func (g *groupScan) used(leaf int) {
	g.scan.count.leaves.Store(g.group.Columns[leaf].Leaf.Dotted(), nil)
}

// end is called when a morsel has ended.
func (g *groupScan) end() error {
	if g.morsels.Add(-1) > 0 {
		return nil
	}
	g.account()
	g.indexes.Close()
	g.first.Close()
	g.later.Close()
	g.rest.Close()
	return g.file.release()
}
