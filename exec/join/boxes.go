package join

import (
	"context"

	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/geometry/extent"
	"github.com/parquetsql/parquetsql/vector"
)

// Boxes makes a join without Keys find candidates by an R-tree over the boxes of the
// build side's geometries: the boxes of a pair that matches overlap after one was expanded
// by the distance. NULL has no candidate, and neither has an empty geometry.
type Boxes struct {
	Probe, Build expr.Expr // WKB
	Space        extent.Space
	Distance     float64
	// ProbeDistance and BuildDistance are the distance where it is a value of one side, a
	// DOUBLE; then Distance is 0. At least one of them is nil.
	ProbeDistance, BuildDistance expr.Expr
}

// withDistance is what a side evaluates for a row.
func withDistance(geometry, distance expr.Expr) []expr.Expr {
	if distance == nil {
		return []expr.Expr{geometry}
	}
	return []expr.Expr{geometry, distance}
}

// growTree makes the R-tree of a table.
func (t *table) growTree(ctx context.Context) error {
	t.tree = extent.NewSet(t.j.Boxes.Space, t.rows.Len())
	row := int32(0)
	var chunk vector.Batch
	for i := range t.rows.Chunks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.rows.Chunk(i, &chunk)
		t.j.addBoxes(t.tree, &chunk, row)
		row += int32(chunk.Len)
	}
	return t.tree.Freeze(ctx)
}

// addBoxes adds the geometries of the selected rows of a batch in the layout of the build
// side. The ID of its first row is given.
func (j *joiner) addBoxes(set *extent.Set, b *vector.Batch, first int32) {
	v := b.Cols[j.hashed]
	var distances *vector.Vector
	if j.Boxes.BuildDistance != nil {
		distances = b.Cols[j.hashed+1]
	}
	for i := range b.Rows() {
		row, distance := b.Row(i), j.Boxes.Distance
		if v.IsNull(row) || distances != nil && distances.IsNull(row) {
			continue
		}
		if distances != nil {
			distance = distances.Get(row).F64
		}
		set.Add(first+int32(i), v.Get(row).Str, distance)
	}
}

// search finds the candidates of the i-th selected row of the batch. They are valid until
// the next call.
func (p *prober) search(i int) []uint32 {
	p.made = p.made[:0]
	v, row, distance := p.b.Cols[p.hashed], p.b.Row(i), 0.0
	if v.IsNull(row) {
		return nil
	}
	if p.Boxes.ProbeDistance != nil {
		d := p.b.Cols[p.hashed+1].Get(row)
		if d.Null {
			return nil
		}
		distance = d.F64
	}
	p.found = p.t.tree.Find(v.Get(row).Str, distance, p.found[:0])
	for _, id := range p.found {
		p.made = append(p.made, uint32(id))
	}
	return p.made
}

// region is what BuiltBoxes gets: the tree of the table or, if not all rows are in memory,
// one box around them.
func (b *builder) region(ctx context.Context) (*extent.Set, error) {
	if b.table != nil {
		return b.table.tree, nil
	}
	return b.around, b.around.Freeze(ctx)
}

// surround widens the box around the rows that are not in memory.
func (b *builder) surround(rows *vector.Batch) {
	b.addBoxes(b.around, rows, 0)
	b.around.Join()
}

// divide moves the rows of a table to the partitions: there is no memory for them.
func (b *builder) divide(t *table) error {
	if b.waiting == nil {
		b.waiting = spill.NewPartitions(b.layout(&b.built), b.file, b.env.Budget)
		if b.BuiltBoxes != nil {
			b.around = extent.NewSet(b.Boxes.Space, 0)
		}
		b.spills.Store(true)
	}
	if t.rows == nil { // moved already
		return nil
	}
	if b.around != nil {
		var chunk vector.Batch
		for i := range t.rows.Chunks() {
			t.rows.Chunk(i, &chunk)
			b.surround(&chunk)
		}
	}
	return t.moveTo(b.waiting)
}
