package reader

import (
	"context"
	"slices"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// orderGroups opens all files and puts their row groups into the order of the
// column's bounds: ascending by their least value, or descending by their
// greatest. Those without a bound come last. The order changes only how soon a
// TopN can rule row groups out.
func (s *Scan) orderGroups(ctx context.Context, o scan.RowOrder) error {
	if !s.needs(o.Column) {
		return nil
	}
	var all []rankedGroup
	give := func() { s.queue.give(groupsOf(all)) }
	for _, f := range s.queue.takeFiles() {
		groups, err := s.openFile(ctx, f)
		if err == nil && len(groups) == 0 {
			continue
		}
		var columns *fileColumns
		if err == nil {
			columns, err = s.borrowColumns(groups[0].file)
		}
		if err != nil {
			discard(groups, nil)
			give()
			return err
		}
		for _, g := range groups {
			all = append(all, rankedBy(g, columns.summary(o.Column, g.group), o.Descending))
		}
		s.giveBack(columns)
	}
	sortByBound(all, o.Descending)
	give()
	return nil
}

// rankedGroup is a row group and the bound of its values that says how soon it is read.
type rankedGroup struct {
	group *groupScan
	bound *vector.Scalar
}

func rankedBy(g *groupScan, of *probe.Summary, descending bool) rankedGroup {
	if descending {
		return rankedGroup{g, of.Max}
	}
	return rankedGroup{g, of.Min}
}

func sortByBound(groups []rankedGroup, descending bool) {
	slices.SortStableFunc(groups, func(a, b rankedGroup) int { return compareBounds(a.bound, b.bound, descending) })
}

func groupsOf(ranked []rankedGroup) []*groupScan {
	out := make([]*groupScan, len(ranked))
	for i, r := range ranked {
		out[i] = r.group
	}
	return out
}

func lastRank(last bool) int {
	if last {
		return 1
	}
	return 0
}
