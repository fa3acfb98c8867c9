package prune

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/scan/selection"
)

// ByPage removes from rows the pages in which the probe is TRUE for no row. pages
// returns a column's pages, or nil if they are not known; chunk returns a column's
// summary of the whole row group.
func ByPage(p probe.Probe, rows selection.Ranges, pages func(column int) *Pages, chunk func(column int) *probe.Summary) selection.Ranges {
	indexed := map[int]*Pages{}
	for _, column := range p.Columns() {
		if x := pages(column); x != nil {
			indexed[column] = x
		}
	}
	switch len(indexed) {
	case 0:
		return rows
	case 1:
		for column, x := range indexed {
			s := pageSearch{probe: p, pages: x, rows: rows, get: func(of int, s *probe.Summary) *probe.Summary {
				if of == column {
					return s
				}
				return chunk(of)
			}}
			s.among(0, x.Len())
			return rows.Intersect(s.left)
		}
	}
	return rows.Intersect(pagesOfSeveral(p, rows, indexed, chunk))
}

// pageSearch finds the pages in which a probe with one indexed column may be TRUE.
// It tests a run of pages whose bounds are in order as a whole, and halves it only
// if that does not decide. It needs only the probe's Test, so it works for any
// condition.
type pageSearch struct {
	probe probe.Probe
	pages *Pages
	rows  selection.Ranges // in which to search
	get   func(column int, pages *probe.Summary) *probe.Summary
	left  selection.Ranges // the rows of the pages that were found
}

// among searches the pages from to to-1.
func (s *pageSearch) among(from, to int) {
	first, end := s.pages.starts[from], s.pages.starts[to]
	if !s.rows.Overlaps(first, end) {
		return
	}
	verdict := probe.Some
	switch {
	case to-from == 1:
		verdict = s.test(s.pages.Summary(from))
	case s.pages.run == nil:
		for page := from; page < to; page++ {
			s.among(page, page+1)
		}
		return
	default:
		verdict = s.test(s.pages.run(from, to))
	}
	switch {
	case verdict == probe.None:
	case verdict == probe.All || to-from == 1:
		s.left = s.left.Add(first, end)
	default:
		middle := from + (to-from)/2
		s.among(from, middle)
		s.among(middle, to)
	}
}

func (s *pageSearch) test(pages *probe.Summary) probe.Verdict {
	return s.probe.Test(func(column int) *probe.Summary { return s.get(column, pages) })
}

// pagesOfSeveral is ByPage for several columns, whose pages begin at different rows:
// it tests the rows between each two neighbouring page starts of all columns.
func pagesOfSeveral(p probe.Probe, rows selection.Ranges, indexed map[int]*Pages, chunk func(column int) *probe.Summary) selection.Ranges {
	var cuts []int64
	for _, x := range indexed {
		cuts = append(cuts, x.starts...)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var left selection.Ranges
	for i := 1; i < len(cuts); i++ {
		from, to := cuts[i-1], cuts[i]
		if !rows.Overlaps(from, to) {
			continue
		}
		verdict := p.Test(func(column int) *probe.Summary {
			if x := indexed[column]; x != nil {
				return x.Summary(x.at(from))
			}
			return chunk(column)
		})
		if verdict != probe.None {
			left = left.Add(from, to)
		}
	}
	return left
}
