package choose

import (
	"slices"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

const (
	// bytesPerReader is the size of a table per reader. For fewer bytes, starting another
	// one and merging its rows costs more than it saves.
	bytesPerReader = 256 << 10
	// fewRows is how many rows one reader reads as soon as several do.
	fewRows = 64 << 10
	// pageBytes is what a reader usually has in memory of a column: a page of 1 MiB and bytes
	// of the file. Those of a small table have less.
	pageBytes = 5 << 18
	pageShare = 4 // times the bytes of the column in all files, at most
	// wideColumns is how many columns make rows wide. A reader of such rows can be a few
	// batches ahead of its turn, not a row group. So two readers work by turns, each with the
	// pages of a row group in memory, of all columns; one reads as fast as the consumer takes
	// the values. Where there is a filter, others help once it is known to leave few rows.
	wideColumns = 32
)

// scan decides who reads a table.
func (c chooser) scan(n *logical.Scan, w want) (physical.Node, error) {
	source, err := sourceOf(n)
	if err != nil {
		return nil, err
	}
	readers, ahead := c.readersOf(n, source, w.order)
	if w.copies {
		w.lent = nil
		for _, p := range n.Read {
			w.lent = append(w.lent, p.Column)
		}
	}
	return &physical.Scan{Of: n, Source: source, Readers: readers, Lent: w.lent, First: w.first, InOrder: w.order != nil, Ahead: ahead}, nil
}

// metaAggregate asks metadata where the user allows it.
func (c chooser) metaAggregate(n *logical.MetaAggregate) (physical.Node, error) {
	w := want{}.lending(n, true)
	source, err := sourceOf(n.In)
	if err != nil {
		return nil, err
	}
	in := &physical.Scan{Of: n.In, Source: source, Readers: c.workersOf(n.In, source), Lent: w.lent}
	answers := source.Answers()
	if answers {
		in.Asks = n.Asks
	}
	return &physical.MetaAggregate{Of: n, In: in, FromMetadata: answers, Restricts: onlyExtremes(n, source.Description())}, nil
}

// onlyExtremes reports whether all aggregates are MIN or MAX of values that statistics may bound.
func onlyExtremes(n *logical.MetaAggregate, of *scan.Table) bool {
	return !slices.ContainsFunc(n.Asks, func(a scan.MetaAggregate) bool {
		return a.Kind != scan.Min && a.Kind != scan.Max || a.NoNulls || a.Column >= len(of.Columns) || of.Columns[a.Column].Type.Storage() == vector.StoreNested
	})
}

// sourceOf is what is behind the table of a scan.
func sourceOf(n *logical.Scan) (scan.Source, error) {
	s, ok := n.Table.(scan.Source)
	if !ok {
		return nil, errs.Unsupported("scanning %T", n.Table)
	}
	return s, nil
}

// workersOf is how many workers could read a table: fewer than there are where the table is
// small, or where the pages of all would not fit into memory.
func (c chooser) workersOf(n *logical.Scan, source scan.Source) int {
	size := max(0, min(source.Bytes(), 1<<50)) // a log may say any size
	workers := min(int64(c.Workers), 1+size/bytesPerReader)
	if c.PageRoom > 0 {
		pages := int64(max(len(n.Read), 1)) * min(pageBytes, 1+size*pageShare/int64(max(len(source.Description().Columns), 1)))
		workers = min(workers, max(1, c.PageRoom/pages))
	}
	return int(workers)
}

// readersOf is how many of the workers of a table read it, and whether that is one that works
// ahead of the consumer.
func (c chooser) readersOf(n *logical.Scan, source scan.Source, o *order) (readers int, ahead bool) {
	workers := c.workersOf(n, source)
	switch {
	case o == nil || len(n.Filter) > 0:
	case n.Limit >= 0 && n.Limit <= fewRows:
		return 1, false // the first rows are wanted, which others cannot help to find
	case o.whole && isWide(n) && workers > 1:
		return 1, true
	}
	return workers, false
}

// isWide reports whether the rows of a scan are wide.
func isWide(s *logical.Scan) bool { return len(s.Read) > wideColumns }
