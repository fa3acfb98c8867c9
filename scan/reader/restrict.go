package reader

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/scan"
)

// Restrict adds conjuncts to the filter that became known after the scan was planned:
// what a join knows of the keys of its other side. It must come before the first Next
// of a reader, else it does nothing, and so if the option forbids run-time pruning. The
// conjuncts read columns that the scan reads anyway, and the caller does without the
// rows that do not satisfy them.
func (s *Scan) Restrict(conjuncts []expr.Expr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.begun || s.request.Limit >= 0 || s.request.First != nil || !s.request.Pruning.Any(scan.PruneRunTime) {
		return
	}
	for _, e := range conjuncts {
		columns := ascending(expr.ColumnsOf(e))
		if slices.ContainsFunc(columns, func(c int) bool { return !s.needs(c) || s.fields[c] != nil }) {
			continue
		}
		s.request.Filter = append(slices.Clip(s.request.Filter), e)
		s.filterColumns = append(s.filterColumns, columns)
		s.probes = append(s.probes, probe.New(s.ctx, e))
	}
}

// filter is the conjuncts of the scan. There are no more after the first call.
func (s *Scan) filter() []expr.Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun = true
	return s.request.Filter
}
