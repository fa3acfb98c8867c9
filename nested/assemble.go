package nested

import (
	"errors"

	"github.com/parquetsql/parquetsql/nested/internal/levels"
	"github.com/parquetsql/parquetsql/vector"
)

var errValues = errors.New("its definition levels count more or fewer values than there are")

// build makes p.out of the rows at hand, which have this number of slots for p:
// the number of rows at the top, of elements below a list or map.
func (r *Reader) build(p *plan, slots int) error {
	if p.cursor < 0 {
		p.out = *vector.NewConstant(vector.NullOf(p.typ), slots)
		return nil
	}
	if p.kind == geometry {
		return r.buildGeometry(p, slots)
	}
	c := r.cursors[p.cursor]
	var err error
	switch p.kind {
	case scalar:
		err = p.buildScalar(c, slots)
	case structure, variant:
		err = p.buildStruct(c, slots)
	default:
		err = p.buildList(c, slots)
	}
	if err != nil {
		return r.corrupt(c, err)
	}
	children := slots
	if p.typ.HasElements() {
		children = p.spans.Elements
	}
	for _, child := range p.children {
		if err := r.build(child, children); err != nil {
			return err
		}
	}
	return nil
}

// buildScalar moves a leaf's values to its slots.
func (p *plan) buildScalar(c *cursor, slots int) error {
	valid, values, err := p.slotsOf(c, slots)
	if err != nil {
		return err
	}
	if values != c.now.NonNull {
		return errValues
	}
	return c.convert.rows(&c.now, valid, slots, &p.out)
}

func (p *plan) buildStruct(c *cursor, slots int) error {
	valid, _, err := p.slotsOf(c, slots)
	p.out = vector.Vector{Type: p.typ, Len: slots, Valid: valid, Children: p.vectors}
	return err
}

func (p *plan) buildList(c *cursor, slots int) error {
	list := levels.List{SlotRep: p.slotRep, SlotDef: p.slotDef, Def: p.def, ElemDef: p.elemDef}
	if err := list.Find(c.levels(), slots, &p.spans); err != nil {
		return err
	}
	p.out = vector.Vector{Type: p.typ, Len: slots, Valid: p.spans.Valid, Offsets: p.spans.Offsets, Children: p.vectors}
	return nil
}

// slotsOf is the validity of the slots, nil if all have a value, and the number
// of values.
func (p *plan) slotsOf(c *cursor, slots int) (vector.Validity, int, error) {
	if p.def == p.slotDef {
		// Nothing here can be NULL. The number of slots is known from the list
		// around them, whose levels agree with these, or from the rows.
		return nil, slots, nil
	}
	bitmap, set, err := levels.Valid(c.levels(), p.slotDef, p.slotRep, p.def, slots, p.bitmap)
	if err != nil {
		return nil, 0, err
	}
	p.bitmap = bitmap
	if set == slots {
		return nil, slots, nil
	}
	return bitmap, set, nil
}
