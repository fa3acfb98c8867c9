package scan

import "sync/atomic"

// Counters is what a scan did, under the names of EXPLAIN ANALYZE.
type Counters struct {
	Table                     string `json:"table"`
	FilesTotal                int64  `json:"files_total"`
	FilesPruned               int64  `json:"files_pruned"`
	RowGroupsTotal            int64  `json:"row_groups_total"`
	RowGroupsPrunedStatistics int64  `json:"row_groups_pruned_statistics"`
	RowGroupsPrunedBloom      int64  `json:"row_groups_pruned_bloom"`
	RowGroupsPrunedDictionary int64  `json:"row_groups_pruned_dictionary"`
	PagesTotal                int64  `json:"pages_total"`
	PagesPruned               int64  `json:"pages_pruned"`
	BytesRead                 int64  `json:"bytes_read"`
	RowsDecoded               int64  `json:"rows_decoded"`
	RowsReturned              int64  `json:"rows_returned"`
	PagesSkippedCorrupt       int64  `json:"pages_skipped_corrupt"`
}

// counters is Counters while goroutines add to it.
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

func (c *counters) read() Counters {
	return Counters{
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
