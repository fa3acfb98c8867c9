package variant

import "github.com/parquetsql/parquetsql/vector"

// Located is what a path leads to, in each row of a vector.
type Located struct {
	// Typed has the values that are shredded, as their column has them; nil if the
	// path is not shredded into primitive values. Where it is NULL, see Rest and Text.
	Typed *vector.Vector
	// Rest has all other values, as a canonical vector; nil if there are none. A row
	// that is NULL in all vectors has no value: the result is SQL's NULL.
	Rest *vector.Vector
	// Text has JSON text, of values that Rest then has not; nil if there is none. See
	// Wanted.
	Text *vector.Vector
}

// Wanted is what Locate makes of the values that Typed has not.
type Wanted uint8

// It makes
const (
	Values        Wanted = iota // Rest of all of them
	ValuesAndText               // Rest of primitive values, Text of objects and arrays
	Strings                     // as ValuesAndText, but Text has strings too, as they are
	Text                        // Text of all of them
	Binaries                    // Rest of Binary values only: all others become text without fail
)

// Locate finds what a path of FieldSteps and PositionSteps leads to in a file's
// vector src. It looks at the columns of Columns(path) only; all others may be NULL.
// Values in Rest and Text are checked, those beside the path are not.
//
// The vectors are valid as long as src is, and until the next call.
func (l *Layout) Locate(src *vector.Vector, path vector.Path, w Wanted) (Located, error) {
	l.known.begin()
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
	s := search{layout: l, node: n, beyond: beyond, src: src, at: at, wanted: w, typed: out.Typed}
	return out, s.rest(&out)
}

// search is what Located.Rest and Text are made of: of the values of a node at a place,
// in rows of a Variant, the part that a path beyond the node leads to.
type search struct {
	layout *Layout
	node   *node
	beyond vector.Path
	src    *vector.Vector
	at     place
	wanted Wanted
	typed  *vector.Vector // Located.Typed

	values bool // some row of the writer has a value
}

// rest makes out.Rest and out.Text.
func (s *search) rest(out *Located) error {
	n := s.node
	shredded := n.kind == asObject || n.kind == asArray
	if n.value < 0 && (!shredded || len(s.beyond) > 0) {
		return nil
	}
	if err := s.at.flatten(); err != nil {
		return err
	}
	// A Variant without any value is the Variant null; a field or element is not there.
	required := n == &s.layout.root && len(s.beyond) == 0
	if !required && (!shredded || len(s.beyond) > 0) && allNull(s.at.vector.Children[n.value]) {
		return nil
	}
	s.layout.writer.Reset()
	s.layout.texts.reset()
	for row := range s.src.Len {
		if err := s.row(row, required); err != nil {
			return err
		}
	}
	out.Text = s.layout.texts.vector(s.src.Len)
	if s.values {
		out.Rest = &s.layout.rest
		s.layout.writer.Finish(out.Rest)
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

// row finds the value of a row. required is whether there must be one.
func (s *search) row(row int, required bool) error {
	l := s.layout
	at := s.at.row(row)
	if at < 0 || s.src.IsNull(row) {
		l.writer.AppendNull()
		return nil
	}
	c, err := s.node.cell(s.at.vector, at)
	switch {
	case err != nil:
		return err
	case required && !c.present():
		return s.null(row)
	case c.value == "" && (!c.typed || len(s.beyond) > 0 || s.node.kind == asPrimitive):
		l.writer.AppendNull()
		return nil
	case !c.typed || len(s.beyond) > 0:
		return s.encoded(row, c.value)
	case s.node.kind == asPrimitive:
		return errBoth
	}
	return s.shredded(row, &c)
}

// null is the Variant null in a row.
func (s *search) null(row int) error {
	l := s.layout
	if s.wanted == Text {
		l.writer.AppendNull()
		return l.texts.done(row, append(l.texts.all, "null"...))
	}
	s.values = true
	return l.null()
}

// shredded is an object or array in columns.
func (s *search) shredded(row int, c *cell) error {
	l := s.layout
	if s.wanted == Binaries {
		l.writer.AppendNull()
		return nil
	}
	names, err := l.checked(stored(s.src, row))
	if err != nil {
		return err
	}
	if s.wanted == Values {
		s.values = true
		return l.rebuild(s.node, names, c)
	}
	l.writer.AppendNull()
	l.text.start(l.texts.all, names)
	if err := s.node.walk(names, c, &l.text); err != nil {
		return err
	}
	return l.texts.done(row, l.text.take())
}

// encoded is what is found in a Variant-encoded value.
func (s *search) encoded(row int, d raw) error {
	l := s.layout
	var names *dictionary
	var err error
	found := true
	if len(s.beyond) > 0 || s.wanted != Binaries {
		if names, err = l.read(stored(s.src, row)); err != nil {
			return err
		}
	}
	if d, found, err = d.find(names, s.beyond); err != nil {
		return err
	}
	k := d.kind()
	container := k == Object || k == Array
	switch {
	case !found || s.wanted == Binaries && k != Binary:
		l.writer.AppendNull()
		return nil
	case s.wanted == Text, container && (s.wanted == ValuesAndText || s.wanted == Strings):
		return s.text(row, names, d)
	}
	metadata := emptyMetadata.bytes // so that rows do not keep the file's
	if container {
		metadata, err = names.bytes, names.validate()
	}
	if err == nil {
		err = d.check(names)
	}
	if err == nil && s.wanted == Strings && (k == String || k == shortString) {
		l.writer.AppendNull()
		text, _ := d.text()
		l.texts.view(row, text)
		return nil
	}
	s.values = true
	l.writer.append(metadata, string(d))
	return err
}

// text is the JSON text of a Variant-encoded value.
func (s *search) text(row int, names *dictionary, d raw) error {
	l := s.layout
	if err := names.validate(); err != nil {
		return err
	}
	l.writer.AppendNull()
	l.text.start(l.texts.all, names)
	if _, err := l.text.raw(d, MaxDepth); err != nil {
		return err
	}
	return l.texts.done(row, l.text.take())
}
