package reader

import (
	"context"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// Metadata computes aggregates from footers where that is exact: for row groups whose
// statistics decide the whole filter, have the NULL count, and have bounds that are
// values which occur. values has the aggregates over these row groups (0 or NULL over
// none); rest is a scan of all others, nil if there are none. s must not be read from
// afterwards; closing it closes rest.
func (s *Scan) Metadata(ctx context.Context, aggs []scan.MetaAggregate) (values []vector.Scalar, rest *Scan, err error) {
	values = make([]vector.Scalar, len(aggs))
	for i, a := range aggs {
		values[i] = vector.IntScalar(0)
		if a.Kind == scan.Min || a.Kind == scan.Max {
			values[i] = vector.NullOf(s.table.Columns[a.Column].Type)
		}
	}
	if !s.request.Pruning.Any(scan.PruneMetadata) || s.request.Limit >= 0 {
		return values, s, nil
	}
	var left []*groupScan
	for _, f := range s.queue.takeFiles() {
		groups, err := s.openFile(ctx, f)
		if err != nil {
			s.queue.give(left)
			return nil, nil, err
		}
		if len(groups) == 0 {
			continue
		}
		columns, err := s.fileColumns(groups[0].file)
		if err != nil {
			s.queue.give(append(left, groups...))
			return nil, nil, err
		}
		for i, g := range groups {
			if !g.fold(columns, aggs, values) {
				left = append(left, g)
				continue
			}
			g.morsels.Store(1)
			if err := g.end(); err != nil {
				s.queue.give(append(left, groups[i+1:]...))
				return nil, nil, err
			}
		}
	}
	if len(left) == 0 {
		return values, nil, nil
	}
	s.queue.give(left)
	return values, s, nil
}

// fold adds a row group to the values. If its metadata is not enough, it adds nothing
// and returns false.
func (g *groupScan) fold(columns *fileColumns, aggs []scan.MetaAggregate, values []vector.Scalar) bool {
	for _, all := range g.allMatch {
		if !all {
			return false
		}
	}
	if len(g.scan.onlySkip()) > 0 {
		return false
	}
	get := columns.summaries(g.group)
	for _, a := range aggs {
		if a.Kind != scan.CountStar && !answers(get(a.Column), a.Kind) {
			return false
		}
		if a.Kind != scan.CountStar && g.scan.request.OnCorruptSkip {
			return false // whether a page is damaged shows when it is read
		}
	}
	for i, a := range aggs {
		if a.Kind == scan.CountStar {
			values[i].I64 += g.group.NumRows
			continue
		}
		s := get(a.Column)
		switch a.Kind {
		case scan.Count:
			values[i].I64 += s.Rows - s.Nulls
		case scan.Min:
			extreme(&values[i], s.Min, -1)
		case scan.Max:
			extreme(&values[i], s.Max, 1)
		}
	}
	return true
}

// answers reports whether a summary determines the aggregate exactly.
func answers(s *probe.Summary, kind scan.MetaKind) bool {
	switch {
	case s.Nulls == s.Rows:
		return true
	case kind == scan.Count:
		return s.Nulls >= 0
	case kind == scan.Min:
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
