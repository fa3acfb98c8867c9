package prune

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr/probe"
)

// ByPage takes away from rows those that lie in pages where the probe can be
// TRUE for none. pages has a column's pages, or nil where it has no index;
// chunk has what is known of a column over the whole row group.
func ByPage(p probe.Probe, rows Ranges, pages func(column int) *Pages, chunk func(column int) *probe.Summary) Ranges {
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

// pageSearch looks for the pages of the one indexed column of a probe where that
// may be TRUE. Runs of pages whose bounds are in order are halved only where the
// probe cannot be decided for the whole run: a search that needs no more of the
// probe than its Test, so that it serves any condition.
type pageSearch struct {
	probe probe.Probe
	pages *Pages
	rows  Ranges // that are of interest
	get   func(column int, pages *probe.Summary) *probe.Summary
	left  Ranges // the pages that were found
}

// among searches the pages from up to to.
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

// pagesOfSeveral is ByPage of several columns, whose pages begin at different
// rows: it asks about the rows between one beginning and the next.
func pagesOfSeveral(p probe.Probe, rows Ranges, indexed map[int]*Pages, chunk func(column int) *probe.Summary) Ranges {
	var cuts []int64
	for _, x := range indexed {
		cuts = append(cuts, x.starts...)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var left Ranges
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
