package variant

import "github.com/parquetsql/parquetsql/vector"

// Canonical makes out the canonical vector of a file's vector src, of the type that
// the layout is of. All values are checked. An error means that the file is damaged,
// or that it breaks the specification in a way that has no reading.
//
// A row without value and typed_value is the Variant null, which the specification
// wants where a value is required. A row that is NULL is NULL.
func (l *Layout) Canonical(src, out *vector.Vector) error {
	l.writer.Reset()
	for row := range src.Len {
		if err := l.canonical(&l.root, src, row, src, row); err != nil {
			return err
		}
	}
	l.writer.Finish(out)
	return nil
}

// canonical appends the value of a node, in row at of v, to the writer. The Variant
// is in row of src.
func (l *Layout) canonical(n *node, src *vector.Vector, row int, v *vector.Vector, at int) error {
	if src.IsNull(row) {
		l.writer.AppendNull()
		return nil
	}
	src, row = stored(src, row)
	if err := l.read(src, row); err != nil {
		return err
	}
	b := &l.writer.Builder
	if !n.present(v, at) {
		if n != &l.root {
			l.writer.AppendNull()
			return nil
		}
		b.Reset(nil)
		b.Null()
		return l.writer.AppendBuilt()
	}
	flat, place := stored(v, at)
	if !n.hasTyped(flat, place) { // not shredded: no bytes are copied
		value, err := n.residual(&l.names, flat, place)
		l.writer.append(l.names.bytes, string(value))
		return err
	}
	b.Reset(&l.names)
	if err := n.walk(&l.names, v, at, builderSink{b}); err != nil {
		return err
	}
	return l.writer.AppendBuilt()
}

// builderSink builds what it gets.
type builderSink struct{ *Builder }

func (b builderSink) null()                           { b.Null() }
func (b builderSink) value(names *Metadata, d raw)    { b.raw(names, d) }
func (b builderSink) typed(v *vector.Vector, row int) { b.scalar(v, row) }
func (b builderSink) begin(object bool)               { b.nest(object) }
func (b builderSink) name(name string)                { b.Name(name) }
func (b builderSink) shreddedName(f *shreddedField)   { f.hint = b.hinted(f.name, f.hint) }
func (b builderSink) end()                            { b.End() }
