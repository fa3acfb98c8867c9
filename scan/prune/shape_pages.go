package prune

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
)

// WithSides are the pages of a column. Those of a geometry column are made of its own pages
// and of those of the columns with its bounds, which pages returns, nil where they are not
// known. The pages of different columns begin at different rows, so that each page here
// ends where one of theirs does.
func (c *Column) WithSides(g *fileformat.RowGroup, pages func(*Column) *Pages) *Pages {
	own := pages(c)
	if c.shapes == nil || !c.shapes.trusted(c, g) {
		return own
	}
	sides := make([]*Pages, len(c.shapes.sides))
	for i, side := range c.shapes.sides {
		sides[i] = pages(side)
	}
	return c.shapePages(g, own, sides)
}

func (c *Column) shapePages(g *fileformat.RowGroup, own *Pages, sides []*Pages) *Pages {
	starts := []int64{0, g.NumRows}
	for _, p := range append(slices.Clone(sides), own) {
		if p != nil {
			starts = append(starts, p.starts...)
		}
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	chunk := c.Chunk(g)
	whole := make([]*probe.Summary, len(sides))
	for i := range sides {
		whole[i] = c.shapes.sides[i].Chunk(g)
	}
	return newPages(starts, func(page int, rows int64) *probe.Summary {
		out := Unknown(rows)
		if own != nil {
			out.Nulls = nullsOf(own.Summary(own.at(starts[page])), rows)
		}
		s := c.shapes.bounds(func(i int) *probe.Summary {
			if p := sides[i]; p != nil {
				return p.Summary(p.at(starts[page]))
			}
			return whole[i]
		}).And(*chunk.Shapes)
		out.Shapes = &s
		return out
	})
}

// nullsOf is the number of NULLs in some rows of a page.
func nullsOf(page *probe.Summary, rows int64) int64 {
	switch page.Nulls {
	case 0:
		return 0
	case page.Rows:
		return rows
	}
	return -1
}
