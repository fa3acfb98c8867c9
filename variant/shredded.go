package variant

import (
	"errors"

	"github.com/parquetsql/parquetsql/vector"
)

var (
	errNoMetadata = errors.New("a Variant has no metadata")
	errBoth       = errors.New("a shredded Variant has both value and typed_value in a row where only objects may")
	errNotObject  = errors.New("a shredded Variant has fields of an object in typed_value and a value that is no object")
)

// read is the dictionary of a row of the flat Variant vector src.
func (l *Layout) read(src *vector.Vector, row int) (*dictionary, error) {
	c := src.Children[metadataChild]
	if c.IsNull(row) {
		return nil, errNoMetadata
	}
	return l.known.in(c, row)
}

// checked is read, with checked names.
func (l *Layout) checked(src *vector.Vector, row int) (*dictionary, error) {
	names, err := l.read(src, row)
	if err != nil {
		return nil, err
	}
	return names, names.validate()
}

// cell is what the columns of a node have in a row.
type cell struct {
	group *vector.Vector // of the columns, flat
	row   int
	value raw  // unchecked; without bytes if it is NULL
	typed bool // typed_value is not NULL
}

// present reports whether there is a value.
func (c *cell) present() bool { return c.typed || c.value != "" }

// cell reads a row of v, the vector of the node's group. In a NULL group, which writers
// should not make, there is nothing.
func (n *node) cell(v *vector.Vector, row int) (c cell, err error) {
	if v.IsNull(row) {
		return cell{}, nil
	}
	c.group, c.row = stored(v, row)
	if n.value >= 0 {
		if column := c.group.Children[n.value]; !column.IsNull(c.row) {
			if c.value = raw(textAt(column, c.row)); c.value == "" {
				return cell{}, errShort
			}
		}
	}
	c.typed = n.kind != notShredded && !c.group.Children[n.typed].IsNull(c.row)
	return c, nil
}

// check is the error of a value that has both columns where it may not.
func (n *node) check(value raw, typed bool) error {
	switch {
	case !typed || value == "":
		return nil
	case n.kind != asObject:
		return errBoth
	case value.kind() != Object:
		return errNotObject
	}
	return nil
}

// build gives a value that is present to a Builder (VariantShredding.md, "Reconstructing
// a Shredded Variant").
func (n *node) build(names *dictionary, c *cell, out rebuilder) error {
	if err := n.check(c.value, c.typed); err != nil {
		return err
	}
	if !c.typed {
		return out.value(names, c.value)
	}
	typed, row := stored(c.group.Children[n.typed], c.row)
	switch n.kind {
	case asObject:
		return n.buildObject(names, c.value, stripe{typed, row}, out)
	case asArray:
		return n.buildArray(names, typed, row, out)
	}
	out.scalar(typed, row)
	return nil
}

func (n *node) buildArray(names *dictionary, list *vector.Vector, row int, out rebuilder) error {
	out.BeginArray()
	for i := list.Offsets[row]; i < list.Offsets[row+1]; i++ {
		c, err := n.element.cell(list.Children[0], int(i))
		switch {
		case err != nil:
		case !c.present(): // where a value is required, a missing one is a Variant null ("Value Shredding")
			out.Null()
		default:
			err = n.element.build(names, &c, out)
		}
		if err != nil {
			return err
		}
	}
	out.End()
	return nil
}

// stripe is a row of the columns of an object.
type stripe struct {
	columns *vector.Vector
	row     int
}

// buildObject merges the shredded fields with those in value, which may have no bytes. A
// field in both should not be; it is that of the columns, as a path that reads only these
// finds it.
func (n *node) buildObject(names *dictionary, value raw, s stripe, out rebuilder) error {
	out.BeginObject()
	var rest restFields
	if err := rest.open(names, value); err != nil {
		return err
	}
	for k := range n.fields {
		f := &n.fields[k]
		if err := rest.buildUntil(f, out); err != nil {
			return err
		}
		c, err := f.node.cell(s.columns.Children[f.child], s.row)
		if err == nil && c.present() {
			f.hint = out.hinted(f.name, f.hint)
			err = f.node.build(names, &c, out)
		}
		if err != nil {
			return err
		}
	}
	if err := rest.buildUntil(nil, out); err != nil {
		return err
	}
	out.End()
	return nil
}
