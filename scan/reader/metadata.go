package reader

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/vector"
)

// Metadata computes aggregates without reading rows where that is exact: for files
// whose bounds are known before they are opened, and for row groups whose statistics decide the whole
// filter, have the NULL count, and have bounds that are values which occur. values has the
// aggregates over these (0 or NULL over none); rest is a scan of all others, nil if there are none.
// s must not be read from afterwards; closing it closes rest.
func (s *Scan) Metadata(ctx context.Context, aggs []scan.MetaAggregate) (values []vector.Scalar, rest *Scan, err error) {
	f := s.folded(aggs, math.MaxInt64)
	if !s.folds() {
		return f.values, s, nil
	}
	f.add(facts{rows: s.counted, all: s.counted > 0})
	if err := s.readyBounds(aggs); err != nil {
		return nil, nil, err
	}
	list := s.queue.takeFiles()
	together := max(len(list), 1)
	if len(list) > filesTogether && !slices.ContainsFunc(list, func(f *files.File) bool { return !f.Near() }) {
		together = filesTogether
	}
	parts := make([]*folded, (len(list)+together-1)/together)
	for i := range parts {
		parts[i] = s.folded(aggs, (math.MaxInt64-max(s.counted, 0))/int64(len(parts)))
	}
	err = parallel.Some(s.parallelism, len(parts), func(i int) error {
		parts[i].err = parts[i].addFiles(ctx, s, list[i*together:min((i+1)*together, len(list))])
		return parts[i].err
	})
	var left []rankedGroup
	for _, p := range slices.Backward(parts) { // the first error in the order of the files
		err = cmp.Or(p.err, err)
	}
	for _, p := range parts {
		f.merge(p)
		left = append(left, p.left...)
	}
	if err != nil {
		s.queue.give(groupsOf(left))
		return nil, nil, err
	}
	if len(left) == 0 {
		return f.values, nil, nil
	}
	if first := f.aggs[0]; first.Kind == scan.Min || first.Kind == scan.Max {
		sortByBound(left, first.Kind == scan.Max)
	}
	s.queue.give(groupsOf(left))
	return f.values, s, nil
}

// folds reports whether aggregates may be computed without reading rows.
func (s *Scan) folds() bool {
	return s.request.Pruning.Any(scan.PruneMetadata) && s.request.Limit < 0
}

// readyBounds makes bounds of the aggregates' columns ready, of all files at once.
func (s *Scan) readyBounds(aggs []scan.MetaAggregate) error {
	if s.table.Ready == nil {
		return nil
	}
	for _, a := range aggs {
		if a.Kind == scan.CountStar || a.Column >= s.own {
			continue
		}
		if err := s.table.Ready(s.ctx, a.Column); err != nil {
			return err
		}
	}
	return nil
}

// filesTogether is how many files a goroutine opens one after the other: that takes several times as long as
// another goroutine takes to begin. Files whose footers have to be read are opened by the Opener, so many at a time
// as it allows.
const filesTogether = 64

// folded is aggregates over rows that were not read.
type folded struct {
	aggs   []scan.MetaAggregate
	values []vector.Scalar
	most   int64         // what a count may be
	left   []rankedGroup // that have to be read
	err    error
}

// folded is aggregates over no rows.
func (s *Scan) folded(aggs []scan.MetaAggregate, most int64) *folded {
	f := &folded{aggs: aggs, values: make([]vector.Scalar, len(aggs)), most: most}
	for i, a := range aggs {
		f.values[i] = vector.IntScalar(0)
		if a.Kind == scan.Min || a.Kind == scan.Max {
			f.values[i] = vector.NullOf(s.table.Columns[a.Column].Type)
		}
	}
	return f
}

// merge adds the values of other rows.
func (f *folded) merge(other *folded) {
	for i, a := range f.aggs {
		switch a.Kind {
		case scan.Min:
			extreme(&f.values[i], nonNull(&other.values[i]), -1)
		case scan.Max:
			extreme(&f.values[i], nonNull(&other.values[i]), 1)
		default:
			f.values[i].I64 += other.values[i].I64
		}
	}
}

func nonNull(s *vector.Scalar) *vector.Scalar {
	if s.Null {
		return nil
	}
	return s
}

// addFiles adds the rows of some files.
func (f *folded) addFiles(ctx context.Context, s *Scan, list []*files.File) error {
	asks := !s.request.OnCorruptSkip && len(s.onlySkip()) == 0
	k := &known{scan: s}
	get := k.summary
	for _, file := range list {
		if asks {
			k.of(file)
			if known, ok := s.factsOf(file, get); ok && f.add(known) {
				continue
			}
		}
		groups, err := s.openFile(ctx, file)
		if err == nil {
			err = f.addGroups(s, groups)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// facts is what is known of rows that were not read.
type facts struct {
	rows, gone int64                      // all, and those of them that are deleted
	all        bool                       // each conjunct is TRUE in all rows
	corrupt    bool                       // damage that shows when rows are read leaves them out
	get        func(i int) *probe.Summary // of all rows
}

// factsOf is what is known of a file before it is opened, as get has it; false: not enough for any aggregate. It is not
// for a scan that may leave out damage, or rows that it does not have to return.
func (s *Scan) factsOf(f *files.File, get func(i int) *probe.Summary) (facts, bool) {
	out := facts{rows: f.Rows, get: get}
	if f.Deletes != nil {
		out.gone = f.Deletes.Rows
	}
	if out.rows < 0 || out.gone < 0 || out.gone > out.rows || f.Err != nil {
		return out, false
	}
	for _, p := range s.probes {
		if p == nil || s.ctx.Err() != nil || p.Test(out.get) != probe.All {
			return out, false
		}
	}
	out.all = true
	return out, true
}

// addGroups adds the row groups of one file. Those that have to be read it appends to left.
func (f *folded) addGroups(s *Scan, groups []*groupScan) error {
	if len(groups) == 0 {
		return nil
	}
	columns, err := s.borrowColumns(groups[0].file)
	if err != nil {
		f.unranked(groups)
		return err
	}
	defer s.giveBack(columns)
	for i, g := range groups {
		known := g.facts(columns)
		if len(s.onlySkip()) > 0 || !f.add(known) {
			f.left = append(f.left, f.ranked(g, known))
			continue
		}
		g.morsels.Store(1)
		if err := g.end(); err != nil {
			f.unranked(groups[i+1:])
			return err
		}
	}
	return nil
}

// ranked is a row group that has to be read: of MIN and MAX soon where the first one's value may be in it.
func (f *folded) ranked(g *groupScan, of facts) rankedGroup {
	switch first := f.aggs[0]; first.Kind {
	case scan.Min, scan.Max:
		return rankedBy(g, of.get(first.Column), first.Kind == scan.Max)
	}
	return rankedGroup{group: g}
}

func (f *folded) unranked(groups []*groupScan) {
	for _, g := range groups {
		f.left = append(f.left, rankedGroup{group: g})
	}
}

func (g *groupScan) facts(columns *fileColumns) facts {
	return facts{
		rows: g.group.NumRows, gone: g.gone, all: !slices.Contains(g.allMatch, false),
		corrupt: g.scan.request.OnCorruptSkip, get: columns.summaries(g.group),
	}
}

// add adds rows to the values. If what is known of them is not enough, it adds nothing and is
// false.
func (f *folded) add(of facts) bool {
	if !of.all {
		return false
	}
	for i, a := range f.aggs {
		if (a.Kind == scan.CountStar || a.Kind == scan.Count) && f.values[i].I64 > f.most-(of.rows-of.gone) {
			return false // a log may say anything
		}
		if a.Kind != scan.CountStar && (of.corrupt || !of.answers(a)) {
			return false
		}
	}
	for i, a := range f.aggs {
		if a.Kind == scan.CountStar {
			f.values[i].I64 += of.rows - of.gone
			continue
		}
		s := of.get(a.Column)
		switch {
		case s.Nulls == s.Rows:
		case a.Kind == scan.Count:
			f.values[i].I64 += s.Rows - s.Nulls - of.gone
		case a.Kind == scan.Min:
			extreme(&f.values[i], s.Min, -1)
		default:
			extreme(&f.values[i], s.Max, 1)
		}
	}
	return true
}

// answers reports whether what is known determines an aggregate exactly. The rows that are deleted
// may have been those with a NULL, or with the least value.
func (f *facts) answers(a scan.MetaAggregate) bool {
	s := f.get(a.Column)
	switch {
	case s == nil || s.Rows != f.rows || a.NoNulls && s.Nulls != 0:
		return false
	case s.Nulls == s.Rows:
		return true
	case a.Kind == scan.Count:
		return s.Nulls == 0 || s.Nulls > 0 && f.gone == 0
	case f.gone > 0:
		return false
	case a.Kind == scan.Min:
		return s.Min != nil && s.MinExact && !s.MayHaveNaN
	}
	return s.Max != nil && s.MaxExact && !s.MayHaveNaN
}

// extreme sets *to to the lesser (sign -1) or the greater of *to and a bound.
func extreme(to *vector.Scalar, bound *vector.Scalar, sign int) {
	if bound == nil {
		return
	}
	if order, ok := expr.OrderScalars(bound, to); to.Null || ok && order*sign > 0 {
		t := to.Type
		*to = *bound
		to.Type = t
	}
}
