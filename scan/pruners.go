package scan

// Pruners is a set of the ways in which a scan leaves unread what a query does
// not need. Any set gives the same rows; a sound scan is one where tests of each
// pruner alone, of all and of none agree.
type Pruners uint16

// The pruners. The first five are evidence against rows: each is asked by the
// conjuncts of Request.Filter and, with PruneRunTime, by run-time probes.
const (
	PrunePaths      Pruners = 1 << iota // a file's partition values and its name
	PruneStatistics                     // a row group's statistics in the footer; without it nobody looks at them
	PruneBloom                          // a chunk's bloom filter
	PruneDictionary                     // a chunk's dictionary page
	PrunePages                          // a chunk's column index

	PruneRunTime  // a probe that was added while the scan runs: a TopN's bound, a join's keys
	PruneOrder    // Request.First: row groups and pages with the best bounds come first
	PruneMetadata // Scan.Metadata: aggregates that statistics answer

	NoPruners  Pruners = 0
	AllPruners         = PrunePaths | PruneStatistics | PruneBloom | PruneDictionary | PrunePages | PruneRunTime | PruneOrder | PruneMetadata
)

// Any reports whether the set has at least one of the pruners.
func (s Pruners) Any(of Pruners) bool { return s&of != 0 }
