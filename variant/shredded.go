package variant

import (
	"errors"

	"github.com/parquetsql/parquetsql/vector"
)

// sink gets the parts of a value in their order, fields by name. A value given to it
// has passed check.
type sink interface {
	null()
	value(names *Metadata, d raw)
	typed(v *vector.Vector, row int) // of one of the primitive types
	begin(object bool)
	name(name string)              // of the next value
	shreddedName(f *shreddedField) // of the next value
	end()
}

var (
	errNoMetadata = errors.New("a Variant has no metadata")
	errBoth       = errors.New("a shredded Variant has both value and typed_value in a row where only objects may")
	errNotObject  = errors.New("a shredded Variant has fields of an object in typed_value and a value that is no object")
)

// read sets l.names to the metadata of a row of the flat Variant vector src. Rows
// often have the same as the row before.
func (l *Layout) read(src *vector.Vector, row int) error {
	c := src.Children[metadataChild]
	if c.IsNull(row) {
		return errNoMetadata
	}
	text := textAt(c, row)
	if l.names.bytes == text && text != "" {
		return nil
	}
	names, err := ParseMetadata(text)
	if err == nil {
		err = names.check()
	}
	if err != nil {
		return err
	}
	l.names = names
	return nil
}

// present reports whether there is a value in a row. A NULL group, which writers
// should not make, has none.
func (n *node) present(v *vector.Vector, row int) bool {
	if v.IsNull(row) {
		return false
	}
	v, row = stored(v, row)
	return n.value >= 0 && !v.Children[n.value].IsNull(row) || n.hasTyped(v, row)
}

func (n *node) hasTyped(v *vector.Vector, row int) bool {
	return n.kind != notShredded && !v.Children[n.typed].IsNull(row)
}

// walk gives the value of a row, which is present, to a sink (VariantShredding.md,
// "Reconstructing a Shredded Variant").
func (n *node) walk(names *Metadata, v *vector.Vector, row int, out sink) error {
	v, row = stored(v, row)
	value, err := n.residual(names, v, row)
	switch {
	case err != nil:
		return err
	case !n.hasTyped(v, row):
		out.value(names, value)
		return nil
	case value != "" && n.kind != asObject:
		return errBoth
	case value != "" && value.kind() != Object:
		return errNotObject
	}
	typed := v.Children[n.typed]
	switch n.kind {
	case asObject:
		typed, row = stored(typed, row)
		return n.object(names, value, typed, row, out)
	case asArray:
		typed, row = stored(typed, row)
		return n.array(names, typed, row, out)
	}
	out.typed(typed, row)
	return nil
}

// residual is what the column value has in a row; no bytes if it is NULL.
func (n *node) residual(names *Metadata, v *vector.Vector, row int) (raw, error) {
	if n.value < 0 || v.Children[n.value].IsNull(row) {
		return "", nil
	}
	d, err := raw(textAt(v.Children[n.value], row)).cut()
	if err != nil {
		return "", err
	}
	return d, d.check(names, MaxDepth)
}

func (n *node) array(names *Metadata, list *vector.Vector, row int, out sink) error {
	out.begin(false)
	for i := list.Offsets[row]; i < list.Offsets[row+1]; i++ {
		// Where a value is required, a missing one is a Variant null ("Value Shredding").
		if !n.element.present(list.Children[0], int(i)) {
			out.null()
		} else if err := n.element.walk(names, list.Children[0], int(i), out); err != nil {
			return err
		}
	}
	out.end()
	return nil
}

// object merges the shredded fields with those in value, which may have no bytes. A field in both should not be; it is that of the columns, as a path that
// reads only these finds it.
func (n *node) object(names *Metadata, value raw, columns *vector.Vector, row int, out sink) error {
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
		column := columns.Children[f.child]
		if !f.node.present(column, row) {
			continue
		}
		out.shreddedName(f)
		if err := f.node.walk(names, column, row, out); err != nil {
			return err
		}
	}
	if err := rest.all(out); err != nil {
		return err
	}
	out.end()
	return nil
}
