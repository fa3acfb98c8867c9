// Package scaling says what a query takes on many machines: requests and bytes of its exchange, skew, time and
// cost. It knows the stages of the query from two runs on this machine, and a test compares what it says with other
// runs.
package scaling

import (
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql"
)

// Stage is a stage of a query as it ran.
type Stage struct {
	Inputs   []parquetsql.StageInput
	Divided  bool // its rows are in partitions
	Splits   bool // its tasks read splits of a table
	Tasks    int
	Scanned  int64 // compressed bytes of its splits
	Rows     int64 // that it has exchanged
	Bytes    int64 // of them
	Segments int64
	Largest  int64 // bytes of its largest partition
}

// Shape is what does not depend on how many tasks a query has.
type Shape struct {
	Stages []Form // the last one exchanges nothing
}

// Form is a stage for any number of tasks. Its rows are those that pass through, which are as many however they
// are divided, or groups: then each task has those that are among its own rows.
type Form struct {
	Inputs   []parquetsql.StageInput
	Divided  bool
	Splits   bool
	Scanned  int64
	Groups   float64 // how many there are in all; 0: rows pass through
	Rows     float64 // that pass through, or that are grouped
	PerRow   float64 // bytes of an exchanged row
	PerBatch float64 // bytes of a batch without rows
}

// Of is the shape of a query, of three runs: two with different numbers of tasks, and one as the first with more
// partitions, which tells the bytes of segments from those of rows.
func Of(few, parted, many []Stage) (*Shape, error) {
	if len(few) != len(many) || len(few) != len(parted) {
		return nil, fmt.Errorf("runs have %d, %d and %d stages: they are of other plans", len(few), len(parted), len(many))
	}
	s := &Shape{}
	for i, a := range few {
		b := many[i]
		f := Form{Inputs: a.Inputs, Divided: a.Divided, Splits: a.Splits, Scanned: a.Scanned, Rows: float64(a.Rows)}
		if a.Rows != b.Rows {
			f.Groups, f.Rows = groupsOf(a, b)
		}
		f.PerBatch, f.PerRow = bytesOf(a, parted[i], b)
		s.Stages = append(s.Stages, f)
	}
	return s, nil
}

// batchRows is how many rows a batch has at most: each is compressed by itself, behind its own header.
const batchRows = 2048

// batches is how many batches rows are in, in so many segments of about the same size.
func batches(segments, rows float64) float64 {
	if segments == 0 {
		return 0
	}
	return segments * max(1, math.Ceil(rows/segments/batchRows-0.05))
}

func (s *Stage) batches() float64 { return batches(float64(s.Segments), float64(s.Rows)) }

// bytesOf divides the bytes of a stage among its batches and its rows: as least squares of what is wrong in each
// run, by its bytes.
func bytesOf(runs ...Stage) (perBatch, perRow float64) {
	var nn, nr, rr, n, r float64
	for _, s := range runs {
		if s.Bytes == 0 {
			continue
		}
		x, y := s.batches()/float64(s.Bytes), float64(s.Rows)/float64(s.Bytes)
		nn, nr, rr, n, r = nn+x*x, nr+x*y, rr+y*y, n+x, r+y
	}
	det := nn*rr - nr*nr
	if det > 1e-6*nn*rr {
		perBatch, perRow = (n*rr-r*nr)/det, (nn*r-nr*n)/det
	}
	switch {
	case rr == 0:
	case perBatch <= 0:
		perBatch, perRow = 0, r/rr
	case perRow < 0:
		perBatch, perRow = n/nn, 0
	}
	return perBatch, perRow
}

// distinct is how many of so many groups are expected among rows that are any of them.
func distinct(groups, rows float64) float64 {
	if groups <= 1 {
		return min(groups, rows)
	}
	return groups * -math.Expm1(rows*math.Log1p(-1/groups))
}

// groupsOf finds how many groups and rows there are, of two numbers of rows that tasks have exchanged: with
// few groups these grow with the tasks, with many they are nearly those of the table.
func groupsOf(a, b Stage) (groups, rows float64) {
	ta, tb := float64(a.Tasks), float64(b.Tasks)
	perA, perB := float64(a.Rows)/ta, float64(b.Rows)/tb
	// For a number of groups the rows follow from the first run. The more groups there are, the fewer of
	// them the tasks of the second run share.
	of := func(groups float64) float64 {
		if groups <= perA*(1+1e-9) {
			return 1e18 // all tasks have all groups
		}
		return ta * math.Log1p(-min(perA/groups, 1-1e-12)) / math.Log1p(-1/groups)
	}
	low, high := perA, perA*1e6
	for range 100 {
		groups = math.Sqrt(low * high)
		if rows = of(groups); distinct(groups, rows/tb) > perB {
			low = groups
		} else {
			high = groups
		}
	}
	return groups, rows
}
