package reader

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/scan"
)

// better is a condition of SetBetter on one column.
type better struct {
	column int
	probe  probe.Probe
}

// SetBetter implements scan.Scan.
func (s *Scan) SetBetter(slot int, conditions []expr.Expr) {
	any, err := expr.NewOr(conditions...)
	if err != nil {
		return // what can be left out is read
	}
	var list []better
	for _, c := range conditions {
		if p := s.usable(probe.New(s.ctx, c), scan.PruneRunTime); p != nil && len(p.Columns()) == 1 {
			list = append(list, better{p.Columns()[0], p})
		}
	}
	s.better.Store(&list)
	s.SetProbe(slot, probe.New(s.ctx, any))
}

// useless are the columns of which no value in a row group is better than those that SetBetter knows of.
// Columns that conjuncts read are none of them.
func (c *fileColumns) useless(g *fileformat.RowGroup) []int {
	list := c.scan.better.Load()
	if list == nil {
		return nil
	}
	var none, some []int
	for _, b := range *list {
		if b.probe.Test(c.summaries(g)) == probe.None {
			none = append(none, b.column)
		} else {
			some = append(some, b.column)
		}
	}
	return slices.DeleteFunc(none, func(i int) bool {
		return slices.Contains(some, i) || slices.ContainsFunc(c.scan.filterColumns, func(of []int) bool { return slices.Contains(of, i) })
	})
}
