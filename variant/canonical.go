package variant

import "github.com/parquetsql/parquetsql/vector"

// Canonical makes out the canonical vector of a file's vector src, of the type that
// the layout is of. All values are checked. An error means that the file is damaged,
// or that it breaks the specification in a way that has no reading.
//
// A row without value and typed_value is the Variant null, which the specification
// wants where a value is required. A row that is NULL is NULL.
func (l *Layout) Canonical(src, out *vector.Vector) error {
	l.known.begin()
	l.writer.Reset()
	for row := range src.Len {
		if err := l.canonical(src, row); err != nil {
			return err
		}
	}
	l.writer.Finish(out)
	return nil
}

// canonical appends a row to the writer.
func (l *Layout) canonical(src *vector.Vector, row int) error {
	if src.IsNull(row) {
		l.writer.AppendNull()
		return nil
	}
	src, row = stored(src, row)
	names, err := l.checked(src, row)
	if err != nil {
		return err
	}
	c, err := l.root.cell(src, row)
	switch {
	case err != nil:
		return err
	case !c.present():
		return l.null()
	case c.typed:
		return l.rebuild(&l.root, names, &c)
	}
	value, err := c.value.cut() // no bytes are copied
	if err == nil {
		err = value.check(names)
	}
	l.writer.append(names.bytes, string(value))
	return err
}

// null appends the Variant null to the writer.
func (l *Layout) null() error {
	l.writer.Builder.Reset(nil)
	l.writer.Builder.Null()
	return l.writer.AppendBuilt()
}

// rebuild appends a value of a node to the writer.
func (l *Layout) rebuild(n *node, names *dictionary, c *cell) error {
	l.writer.Builder.Reset(&names.Metadata)
	if err := n.build(names, c, rebuilder{&l.writer.Builder}); err != nil {
		return err
	}
	return l.writer.AppendBuilt()
}

// rebuilder is a Builder that gets parts of a file's values. It keeps errors of its own.
type rebuilder struct{ *Builder }

// value checks a value and gives it.
func (b rebuilder) value(names *dictionary, d raw) error {
	d, err := d.cut()
	if err == nil {
		err = d.check(names)
	}
	if err == nil {
		b.raw(&names.Metadata, d)
	}
	return err
}

// field is value of the name with number id.
func (b rebuilder) field(names *dictionary, id uint32, d raw) error {
	name, err := names.name(id)
	if err != nil {
		return err
	}
	b.Name(name)
	return b.value(names, d)
}
