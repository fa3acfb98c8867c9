package join

import (
	"context"
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/geometry/boxtree"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/vector"
)

// Boxes makes a join without Keys find candidates by an R-tree over the boxes of the
// build side's geometries: the boxes of a pair that matches overlap after one was expanded
// by Distance. NULL has no candidate, and neither has an empty geometry.
type Boxes struct {
	Probe, Build expr.Expr // WKB
	Distance     float64
}

// everywhere is the box of bytes that are no WKB, so that On is evaluated for them, which
// is the error.
var everywhere = boxtree.Box{MinX: math.Inf(-1), MinY: math.Inf(-1), MaxX: math.Inf(1), MaxY: math.Inf(1)}

// boxOf is the box of a WKB, expanded by the distance.
func boxOf(s string, distance float64) boxtree.Box {
	b, _, err := wkb.Bounds(s)
	if err != nil {
		return everywhere
	}
	if distance > 0 {
		b = b.Expand(distance)
	}
	return boxtree.Box{MinX: b.X.Min, MinY: b.Y.Min, MaxX: b.X.Max, MaxY: b.Y.Max}
}

// treeBytes is what the tree needs per row, and the candidates of one probe row.
const treeBytes = boxtree.ItemBytes + 4

// growTree makes the R-tree of a table.
func (t *table) growTree(ctx context.Context) error {
	items := make([]boxtree.Item, 0, t.rows.Len())
	column, row := t.j.hashed, int32(0)
	var chunk vector.Batch
	for i := range t.rows.Chunks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.rows.Chunk(i, &chunk)
		v := chunk.Cols[column]
		for k := range chunk.Len {
			if !v.IsNull(k) {
				items = append(items, boxtree.Item{Box: boxOf(v.Str[k], 0), ID: row})
			}
			row++
		}
	}
	t.tree = boxtree.New(items)
	return nil
}

// search finds the candidates of the i-th selected row of the batch. They are valid until
// the next call.
func (p *prober) search(i int) []uint32 {
	p.boxed = p.boxed[:0]
	v, row := p.b.Cols[p.hashed], p.b.Row(i)
	if v.IsNull(row) {
		return nil
	}
	p.found = p.t.tree.Search(boxOf(v.Get(row).Str, p.Boxes.Distance), p.found[:0])
	for _, id := range p.found {
		p.boxed = append(p.boxed, uint32(id))
	}
	return p.boxed
}

// candidates are the rows that the pairs of the i-th selected row are made with, from the
// first on. id is its group.
func (p *prober) candidates(s *source, i int, id uint32) []uint32 {
	if p.t.tree == nil {
		rows := s.list(id)
		if s.spans != nil {
			rows = rows[s.spans[i].from:s.spans[i].to]
		}
		return rows
	}
	if p.k == 0 || p.boxedRow != i { // else they are those of the call before
		p.boxedRow = i
		return p.search(i)
	}
	return p.boxed
}
