package reader

import (
	"sync/atomic"

	"github.com/parquetsql/parquetsql/scan"
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
}

func (c *counters) read() scan.Counters {
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
