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

// Repeated is c and what a second scan of the same rows did: both read, but files, row groups and pages are
// those of one of them.
func (c Counters) Repeated(second Counters) Counters {
	return Counters{
		Table:                     c.Table,
		FilesTotal:                max(c.FilesTotal, second.FilesTotal),
		FilesPruned:               max(c.FilesPruned, second.FilesPruned),
		RowGroupsTotal:            max(c.RowGroupsTotal, second.RowGroupsTotal),
		RowGroupsPrunedStatistics: max(c.RowGroupsPrunedStatistics, second.RowGroupsPrunedStatistics),
		RowGroupsPrunedBloom:      max(c.RowGroupsPrunedBloom, second.RowGroupsPrunedBloom),
		RowGroupsPrunedDictionary: max(c.RowGroupsPrunedDictionary, second.RowGroupsPrunedDictionary),
		PagesTotal:                max(c.PagesTotal, second.PagesTotal),
		PagesPruned:               max(c.PagesPruned, second.PagesPruned),
		BytesRead:                 c.BytesRead + second.BytesRead,
		RowsDecoded:               c.RowsDecoded + second.RowsDecoded,
		RowsReturned:              c.RowsReturned + second.RowsReturned,
		PagesSkippedCorrupt:       max(c.PagesSkippedCorrupt, second.PagesSkippedCorrupt),
	}
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

	twice    bool // see Repeated
	fraction float64
}

// Repeated is p, of a scan that has ended, and how far a second scan of the same rows is: what both read, and the files
// of one of them. The second is what the first has left to pass, so that the fraction never goes back.
func (p Progress) Repeated(second Progress) Progress {
	first := p.Fraction()
	return Progress{
		FileBytes:    p.FileBytes,
		Files:        p.Files,
		FilesOpened:  max(p.FilesOpened, second.FilesOpened),
		RowsPlanned:  p.RowsPlanned + second.RowsPlanned,
		RowsPassed:   p.RowsPassed + second.RowsPassed,
		BytesPlanned: p.BytesPlanned + second.BytesPlanned,
		BytesRead:    p.BytesRead + second.BytesRead,
		twice:        true,
		fraction:     first + (1-first)*second.Fraction(),
	}
}

// Fraction is how much the scan has passed, from 0 to 1, by rows and by the files that are not opened yet.
func (p Progress) Fraction() float64 {
	switch {
	case p.twice:
		return p.fraction
	case p.Files == 0 || p.FilesOpened == 0:
		return 0
	}
	within := 1.0
	if p.RowsPlanned > 0 {
		within = float64(p.RowsPassed) / float64(p.RowsPlanned)
	}
	return min(within*float64(p.FilesOpened)/float64(p.Files), 1)
}
