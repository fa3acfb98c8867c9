package scan

// Counters counts what a scan did. The JSON names are those of EXPLAIN ANALYZE.
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

// Progress is how far a scan is. What is planned grows as files are opened and shrinks
// as row groups and pages are pruned.
type Progress struct {
	FileBytes    int64 // the size of the files that are not pruned
	Files        int64 // how many these are
	FilesOpened  int64
	RowsPlanned  int64 // to be passed, in the files that are opened
	RowsPassed   int64
	BytesPlanned int64 // to be read, in the files that are opened
	BytesRead    int64
}
