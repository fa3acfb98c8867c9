package scan

// Pruners is a set of ways to skip data that a query does not need. Every set
// gives the same rows: tests compare each pruner alone, all and none.
type Pruners uint16

// The pruners. The first five prove that rows cannot pass. The conjuncts of
// Request.Filter use each of them; with PruneRunTime, run-time probes do too.
const (
	PrunePaths      Pruners = 1 << iota // a file's partition values and its name
	PruneStatistics                     // a row group's statistics in the footer; without it nothing uses them
	PruneBloom                          // a chunk's bloom filter
	PruneDictionary                     // a chunk's dictionary page
	PrunePages                          // a chunk's column index

	PruneRunTime  // probes added while the scan runs: a TopN's bound, a join's keys
	PruneOrder    // Request.First: row groups and pages with the best bounds come first
	PruneMetadata // Scan.Metadata: aggregates that statistics answer

	NoPruners  Pruners = 0
	AllPruners         = PrunePaths | PruneStatistics | PruneBloom | PruneDictionary | PrunePages | PruneRunTime | PruneOrder | PruneMetadata
)

// Any reports whether the set has at least one of the pruners.
func (s Pruners) Any(of Pruners) bool { return s&of != 0 }
