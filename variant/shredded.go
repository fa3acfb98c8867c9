package variant

import (
	"errors"

	"github.com/parquetsql/parquetsql/vector"
)

// sink gets the parts of a value in their order, fields by name. A Variant-encoded value
// is not checked before: the sink does so.
type sink interface {
	null() error
	value(names *dictionary, d raw) error
	typed(v *vector.Vector, row int) error // of one of the primitive types
	begin(object bool)
	name(names *dictionary, id uint32) error // of the next value
	shreddedName(f *shreddedField) error     // of the next value
	end()
}

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

// walk gives a value that is present to a sink (VariantShredding.md, "Reconstructing a
// Shredded Variant").
func (n *node) walk(names *dictionary, c *cell, out sink) error {
	switch {
	case !c.typed:
		return out.value(names, c.value)
	case c.value != "" && n.kind != asObject:
		return errBoth
	case c.value != "" && c.value.kind() != Object:
		return errNotObject
	}
	typed, row := stored(c.group.Children[n.typed], c.row)
	switch n.kind {
	case asObject:
		return n.object(names, c.value, typed, row, out)
	case asArray:
		return n.array(names, typed, row, out)
	}
	return out.typed(typed, row)
}

func (n *node) array(names *dictionary, list *vector.Vector, row int, out sink) error {
	out.begin(false)
	for i := list.Offsets[row]; i < list.Offsets[row+1]; i++ {
		c, err := n.element.cell(list.Children[0], int(i))
		switch {
		case err != nil:
		case !c.present(): // where a value is required, a missing one is a Variant null ("Value Shredding")
			err = out.null()
		default:
			err = n.element.walk(names, &c, out)
		}
		if err != nil {
			return err
		}
	}
	out.end()
	return nil
}

// object merges the shredded fields with those in value, which may have no bytes. A field in both should not be; it is that of the columns, as a path that
// reads only these finds it.
func (n *node) object(names *dictionary, value raw, columns *vector.Vector, row int, out sink) error {
	out.begin(true)
	rest, err := restOf(names, value)
	if err != nil {
		return err
	}
	for k := range n.fields {
		f := &n.fields[k]
		if err := rest.until(f.name, out); err != nil {
			return err
		}
		c, err := f.node.cell(columns.Children[f.child], row)
		if err == nil && c.present() {
			if err = out.shreddedName(f); err == nil {
				err = f.node.walk(names, &c, out)
			}
		}
		if err != nil {
			return err
		}
	}
	if err := rest.all(out); err != nil {
		return err
	}
	out.end()
	return nil
}
