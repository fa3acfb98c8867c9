package reader

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/fetch"
	"github.com/parquetsql/parquetsql/scan/prune"
	"github.com/parquetsql/parquetsql/scan/selection"
)

// counters is scan.Counters with atomic fields.
type counters struct {
	table string

	filesTotal, filesPruned              atomic.Int64
	groupsTotal                          atomic.Int64
	groupsStats, groupsBloom, groupsDict atomic.Int64 // pruned
	pagesTotal, pagesPruned              atomic.Int64
	bytesRead                            atomic.Int64
	decoded, returned                    atomic.Int64 // rows
	corrupt                              atomic.Int64 // units given up

	leaves sync.Map // by name: see Leaves

	unreadMu sync.Mutex
	unread   []unread // whose pages are not counted yet

	progress
}

// unread is a row group that statistics rule out. Its pages are counted when somebody asks: to
// look into the metadata of all of them takes a short query over many files a twentieth of its time.
type unread struct {
	group  *fileformat.RowGroup
	leaves []int
}

// mostUnread bounds how many footers stay in memory for that.
const mostUnread = 64

// ruledOut notes a row group of which no page is read.
func (c *counters) ruledOut(g *groupScan) {
	c.unreadMu.Lock()
	defer c.unreadMu.Unlock()
	if len(c.unread) == mostUnread {
		c.countUnread()
	}
	c.unread = append(c.unread, unread{g.group, g.leaves})
}

// countUnread counts the pages of row groups that were ruled out; unreadMu is held.
func (c *counters) countUnread() {
	for _, u := range c.unread {
		for _, leaf := range u.leaves {
			n := max(prune.DataPages(u.group.Columns[leaf]), 0)
			c.pagesTotal.Add(n)
			c.pagesPruned.Add(n)
		}
	}
	c.unread = c.unread[:0]
}

// Leaves are the leaf columns that had pages decoded, by their paths in the files' schemas; after
// Preview those that would have.
func (s *Scan) Leaves() []string {
	var out []string
	s.count.leaves.Range(func(name, _ any) bool {
		out = append(out, name.(string))
		return true
	})
	slices.Sort(out)
	return out
}

// progress is scan.Progress, or what it is made from, with atomic fields.
type progress struct {
	fileBytes, filesOpened  atomic.Int64
	rowsPlanned, rowsPassed atomic.Int64
	bytesPlanned            atomic.Int64
}

// Progress is how far the scan is.
func (s *Scan) Progress() scan.Progress {
	c := s.count
	return scan.Progress{
		FileBytes:    c.fileBytes.Load(),
		Files:        c.filesTotal.Load() - c.filesPruned.Load(),
		FilesOpened:  c.filesOpened.Load(),
		RowsPlanned:  c.rowsPlanned.Load(),
		RowsPassed:   c.rowsPassed.Load(),
		BytesPlanned: c.bytesPlanned.Load(),
		BytesRead:    c.bytesRead.Load(),
	}
}

// planned notes that a row group will be read, as far as is known before its pages are
// pruned, and makes what counts them.
func (g *groupScan) planned() {
	g.offsets, g.pages = map[int]*fileformat.OffsetIndex{}, make(map[int]*pageCount, len(g.leaves))
	counts := make([]pageCount, len(g.leaves))
	for i, leaf := range g.leaves {
		counts[i].known = -1
		g.pages[leaf] = &counts[i]
		g.chunkBytes += g.group.Columns[leaf].Meta.TotalCompressedSize
	}
	g.scan.count.rowsPlanned.Add(g.group.NumRows)
	g.scan.count.bytesPlanned.Add(g.chunkBytes)
}

// replanned notes what will be read of the row group when its pages are pruned.
func (g *groupScan) replanned(pieces []selection.Ranges) {
	rows, bytes := int64(0), int64(0)
	for _, p := range pieces {
		rows += p.Rows()
	}
	for _, s := range []*fetch.Source{g.first, g.later, g.rest} {
		if s != nil {
			bytes += s.Bytes()
		}
	}
	g.scan.count.rowsPlanned.Add(rows - g.group.NumRows)
	g.scan.count.bytesPlanned.Add(bytes - g.chunkBytes)
}

func (c *counters) read() scan.Counters {
	c.unreadMu.Lock()
	c.countUnread()
	c.unreadMu.Unlock()
	return scan.Counters{
		Table:                     c.table,
		FilesTotal:                c.filesTotal.Load(),
		FilesPruned:               c.filesPruned.Load(),
		RowGroupsTotal:            c.groupsTotal.Load(),
		RowGroupsPrunedStatistics: c.groupsStats.Load(),
		RowGroupsPrunedBloom:      c.groupsBloom.Load(),
		RowGroupsPrunedDictionary: c.groupsDict.Load(),
		PagesTotal:                c.pagesTotal.Load(),
		PagesPruned:               c.pagesPruned.Load(),
		BytesRead:                 c.bytesRead.Load(),
		RowsDecoded:               c.decoded.Load(),
		RowsReturned:              c.returned.Load(),
		PagesSkippedCorrupt:       c.corrupt.Load(),
	}
}
