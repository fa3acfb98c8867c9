package variant

import "github.com/parquetsql/parquetsql/vector"

// Located is what a path leads to, in each row of a vector.
type Located struct {
	// Typed has the values that are shredded, as their column has them; nil if the
	// path is not shredded into primitive values. Where it is NULL, see Rest.
	Typed *vector.Vector
	// Rest has all other values, as a canonical vector; nil if there are none. A row
	// that is NULL in both has no value: the result is SQL's NULL.
	Rest *vector.Vector
	// Text has the JSON text of objects and arrays that are shredded, which Rest then has
	// not; nil if there are none, or without AsText.
	Text *vector.Vector
}

// Containers is what Locate makes of objects and arrays that are shredded.
type Containers uint8

// They are rebuilt, in Rest; or their JSON text is in Text, without rebuilding them; or
// they are left out.
const (
	Rebuilt Containers = iota
	AsText
	LeftOut
)

// Locate finds what a path of FieldSteps and PositionSteps leads to in a file's
// vector src. It looks at the columns of Columns(path) only; all others may be NULL.
// Values in Rest are checked, those beside the path are not.
//
// The vectors are valid as long as src is.
func (l *Layout) Locate(src *vector.Vector, path vector.Path, c Containers) (Located, error) {
	n, _, beyond, found := l.root.follow(path)
	if !found {
		return Located{}, nil
	}
	at := place{vector: src}
	if err := at.descend(&l.root, path[:len(path)-len(beyond)]); err != nil {
		return Located{}, err
	}
	var out Located
	if n.kind == asPrimitive && len(beyond) == 0 {
		typed := at
		if err := typed.down(n.typed); err != nil {
			return Located{}, err
		}
		var err error
		if out.Typed, err = typed.values(src.Len); err != nil {
			return Located{}, err
		}
	}
	return out, l.rest(search{n, beyond, src, at, c}, &out)
}

// search is what Located.Rest is made of: of the values of a node at a place, in
// rows of a Variant, the part that a path beyond the node leads to.
type search struct {
	node   *node
	beyond vector.Path
	src    *vector.Vector
	at     place
	shred  Containers
}

// rest makes out.Rest and out.Text.
func (l *Layout) rest(s search, out *Located) error {
	n := s.node
	whole := n.kind != asPrimitive && n.kind != notShredded && len(s.beyond) == 0
	if !whole && n.value < 0 {
		return nil
	}
	if err := s.at.flatten(); err != nil {
		return err
	}
	// A Variant without any value is the Variant null; a field or element is not there.
	required := n == &l.root && len(s.beyond) == 0
	if !whole && !required && allNull(s.at.vector.Children[n.value]) {
		return nil
	}
	l.writer.Reset()
	l.texts.begin(l)
	some := false
	for row := range s.src.Len {
		at := s.at.row(row)
		switch {
		case at < 0 || s.src.IsNull(row) || !required && !n.present(s.at.vector, at):
			l.writer.AppendNull()
			continue
		case required && !n.present(s.at.vector, at):
			l.writer.Builder.Reset(nil)
			l.writer.Builder.Null()
			if err := l.writer.AppendBuilt(); err != nil {
				return err
			}
			some = true
			continue
		case whole && s.shred == LeftOut && n.hasTyped(s.at.vector, at):
			l.writer.AppendNull()
			continue
		case whole && s.shred == AsText && n.hasTyped(s.at.vector, at):
			if err := l.read(stored(s.src, row)); err != nil {
				return err
			}
			if err := l.texts.add(l, row, s.at.vector, at, n); err != nil {
				return err
			}
			l.writer.AppendNull()
			continue
		case whole:
			if err := l.canonical(n, s.src, row, s.at.vector, at); err != nil {
				return err
			}
			some = true
			continue
		case s.at.vector.Children[n.value].IsNull(at):
			l.writer.AppendNull()
			continue
		case out.Typed != nil && !out.Typed.IsNull(row):
			return errBoth
		}
		found, err := l.beyond(&s, row, at)
		if err != nil {
			return err
		}
		some = some || found
	}
	out.Text = l.texts.vector(l, s.src.Len)
	if some {
		out.Rest = &vector.Vector{}
		l.writer.Finish(out.Rest)
	}
	return nil
}

// allNull reports whether a column has no value.
func allNull(v *vector.Vector) bool {
	n := v.Len
	if v.Form == vector.Constant {
		n = min(n, 1)
	}
	return v.Type.Kind == vector.Null || v.Valid != nil && v.Valid.Count(n) == 0 || n == 0
}

// beyond appends what is found in a Variant-encoded value.
func (l *Layout) beyond(s *search, row, at int) (found bool, err error) {
	src, row := stored(s.src, row)
	metadata := src.Children[metadataChild]
	if metadata.IsNull(row) {
		return false, errNoMetadata
	}
	v, err := Parse(textAt(metadata, row), textAt(s.at.vector.Children[s.node.value], at))
	if err == nil {
		v, found, err = v.At(s.beyond)
	}
	switch {
	case err != nil:
		return false, err
	case !found:
		l.writer.AppendNull()
		return false, nil
	case v.data.kind() != Object && v.data.kind() != Array:
		v.names = emptyMetadata // so that rows do not keep the file's
	case v.names.bytes != l.names.bytes:
		if err := v.names.check(); err != nil {
			return false, err
		}
		l.names = v.names
	}
	if err := v.data.check(&v.names, MaxDepth); err != nil {
		return false, err
	}
	l.writer.Append(&v)
	return true, nil
}
