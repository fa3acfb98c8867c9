package reader

import (
	"context"
	"slices"

	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// orderGroups opens all files and puts their row groups into the order of the
// column's bounds: ascending by their least value, or descending by their
// greatest. Those without a bound come last. The order changes only how soon a
// TopN can rule row groups out.
func (s *Scan) orderGroups(ctx context.Context, o scan.RowOrder) error {
	type ranked struct {
		group *groupScan
		bound *vector.Scalar
	}
	if !s.needs(o.Column) {
		return nil
	}
	var all []ranked
	give := func() {
		groups := make([]*groupScan, len(all))
		for i, r := range all {
			groups[i] = r.group
		}
		s.queue.give(groups)
	}
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
			bounds := columns.summary(o.Column, g.group)
			r := ranked{g, bounds.Min}
			if o.Descending {
				r.bound = bounds.Max
			}
			all = append(all, r)
		}
		s.giveBack(columns)
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return compareBounds(a.bound, b.bound, o.Descending) })
	give()
	return nil
}

func lastRank(last bool) int {
	if last {
		return 1
	}
	return 0
}
