package variant

import "github.com/parquetsql/parquetsql/vector"

// place is where the values of a node are: those of row i of the Variant are in row
// rows[i] of the vector, -1 if there is none. If rows is nil, row i is row i, but for
// rows that valid has not.
type place struct {
	vector *vector.Vector
	rows   []int32
	valid  vector.Validity
}

// descend goes to the node that path leads to, which is shredded on all of it.
func (p *place) descend(n *node, path vector.Path) error {
	for _, s := range path {
		if err := p.down(n.typed); err != nil {
			return err
		}
		if n.kind == asArray {
			if err := p.element(s.Position); err != nil {
				return err
			}
			n = n.element
			continue
		}
		f := n.field(s.Name)
		if err := p.down(f.child); err != nil {
			return err
		}
		n = &f.node
	}
	return nil
}

// row is the row of the vector for row i of the Variant, -1 if there is none.
func (p *place) row(i int) int {
	switch {
	case p.rows != nil:
		return int(p.rows[i])
	case p.valid != nil && !p.valid.Get(i):
		return -1
	}
	return i
}

// flatten makes the vector flat.
func (p *place) flatten() (err error) {
	p.vector, err = p.vector.Flatten(nil)
	return err
}

// down goes to a child of a STRUCT or VARIANT.
func (p *place) down(child int) error {
	if err := p.flatten(); err != nil {
		return err
	}
	if p.rows == nil {
		p.valid = vector.And(p.valid, p.vector.Valid)
	}
	for i, row := range p.rows {
		if row >= 0 && p.vector.IsNull(int(row)) {
			p.rows[i] = -1
		}
	}
	p.vector = p.vector.Children[child]
	return nil
}

// element goes to the element of a LIST at a position.
func (p *place) element(position int64) error {
	if err := p.flatten(); err != nil {
		return err
	}
	list := p.vector
	n := list.Len
	if p.rows != nil {
		n = len(p.rows)
	}
	rows := make([]int32, n)
	for i := range rows {
		row := p.row(i)
		rows[i] = -1
		if row < 0 || list.IsNull(row) {
			continue
		}
		from, to := int64(list.Offsets[row]), int64(list.Offsets[row+1])
		at := from + position
		if position < 0 {
			at = to + position
		}
		if at >= from && at < to {
			rows[i] = int32(at)
		}
	}
	p.vector, p.rows, p.valid = list.Children[0], rows, nil
	return nil
}

// values are the values of a column of n rows.
func (p *place) values(n int) (*vector.Vector, error) {
	if p.rows != nil || p.vector.Form == vector.Constant {
		return p.gather(n)
	}
	out := *p.vector // a view, for the file's vector is not changed
	out.Valid = vector.And(out.Valid, p.valid)
	return &out, nil
}

func (p *place) gather(n int) (*vector.Vector, error) {
	out := &vector.Vector{}
	if p.vector.Len == 0 { // nothing to gather for the rows that are not there
		out.Type = p.vector.Type
		out.AppendNulls(n)
		return out, nil
	}
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(max(0, p.row(i)))
	}
	if err := out.Gather(p.vector, rows); err != nil {
		return nil, err
	}
	for i := range rows {
		if p.row(i) < 0 {
			out.SetNull(i)
		}
	}
	return out, nil
}
