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

// Locate finds what a path of FieldSteps and PositionSteps leads to in the listed rows
// of a file's vector src, or in all rows if rows is nil. It looks at the columns of
// Columns(path) only; all others may be NULL. Values in Rest and Text are checked, those
// beside the path are not. Rest and Text are NULL in rows that are not listed.
//
// The vectors are valid as long as src is, and until the next call.
func (l *Layout) Locate(src *vector.Vector, rows []int32, path vector.Path, w Wanted) (Located, error) {
	return l.locate(search{layout: l, src: src, rows: rows, wanted: w}, path)
}

// Visit is Locate, but the values of Located.Rest are given to f instead, row by row. A
// value is valid during the call.
func (l *Layout) Visit(src *vector.Vector, rows []int32, path vector.Path, f func(row int, v *Value)) (Located, error) {
	return l.locate(search{layout: l, src: src, rows: rows, visit: f}, path)
}

func (l *Layout) locate(s search, path vector.Path) (Located, error) {
	l.known.begin()
	src := s.src
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
	s.node, s.beyond, s.at = n, beyond, at
	return out, s.rest(&out)
}

// search is what Located.Rest and Text are made of: of the values of a node at a place,
// in rows of a Variant, the part that a path beyond the node leads to.
type search struct {
	layout *Layout
	node   *node
	beyond vector.Path
	src    *vector.Vector
	rows   []int32 // nil: all
	at     place
	wanted Wanted
	visit  func(row int, v *Value) // gets the values; nil: the layout's writer has them
	value  Value                   // that is visited
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
	if shredded && s.visit == nil && s.wanted != Values && s.wanted != Binaries {
		if err := n.bind(s.at.vector); err != nil {
			return err
		}
	}
	s.layout.writer.Reset()
	s.layout.texts.reset()
	if s.rows == nil {
		s.rows = s.layout.all(s.src.Len)
	}
	for _, row := range s.rows {
		if err := s.row(int(row), required); err != nil {
			return err
		}
	}
	out.Text = s.layout.texts.vector(s.src.Len)
	if w := &s.layout.writer; w.Len() > 0 {
		out.Rest = &s.layout.rest
		w.pad(s.src.Len)
		w.Finish(out.Rest)
	}
	return nil
}

// all lists n rows.
func (l *Layout) all(n int) []int32 {
	for len(l.every) < n {
		l.every = append(l.every, int32(len(l.every)))
	}
	return l.every[:n]
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
	at := s.at.row(row)
	if at < 0 || s.src.IsNull(row) {
		return nil
	}
	c, err := s.node.cell(s.at.vector, at)
	switch {
	case err != nil:
		return err
	case required && !c.present():
		return s.null(row)
	case c.value == "" && (!c.typed || len(s.beyond) > 0 || s.node.kind == asPrimitive):
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
	switch {
	case s.wanted == Text:
		return l.texts.done(row, append(l.texts.all, "null"...))
	case s.visit == nil:
		l.writer.pad(row)
		return l.null()
	}
	s.value = Value{emptyMetadata, "\x00"}
	s.visit(row, &s.value)
	return nil
}

// shredded is an object or array in columns.
func (s *search) shredded(row int, c *cell) error {
	l := s.layout
	if s.wanted == Binaries {
		return nil
	}
	names, err := l.checked(stored(s.src, row))
	if err != nil {
		return err
	}
	switch {
	case s.visit != nil:
		return s.rebuilt(row, names, c)
	case s.wanted == Values:
		l.writer.pad(row)
		return l.rebuild(s.node, names, c)
	}
	l.text.start(names)
	all, err := l.text.columns(l.texts.all, s.node, c.row, c.value, true)
	if err != nil {
		return err
	}
	return l.texts.done(row, all)
}

// rebuilt is an object or array in columns that is visited.
func (s *search) rebuilt(row int, names *dictionary, c *cell) error {
	b := &s.layout.writer.Builder
	b.Reset(&names.Metadata)
	if err := s.node.build(names, c, rebuilder{b}); err != nil {
		return err
	}
	metadata, value, err := b.Finish()
	if err != nil {
		return err
	}
	if s.value, err = Parse(metadata, string(value)); err == nil {
		s.visit(row, &s.value)
	}
	return err
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
		return nil
	case s.wanted == Text, container && (s.wanted == ValuesAndText || s.wanted == Strings):
		return s.text(row, names, d)
	}
	of := &emptyMetadata // so that rows do not keep the file's
	if container {
		of, err = &names.Metadata, names.validate()
	}
	if err == nil {
		err = d.check(names)
	}
	switch {
	case err != nil:
	case s.wanted == Strings && (k == String || k == shortString):
		text, _ := d.text()
		l.texts.view(row, text)
	case s.visit != nil:
		s.value = Value{*of, d}
		s.visit(row, &s.value)
	default:
		l.writer.pad(row)
		l.writer.append(of.bytes, string(d))
	}
	return err
}

// text is the JSON text of a Variant-encoded value.
func (s *search) text(row int, names *dictionary, d raw) error {
	l := s.layout
	if err := names.validate(); err != nil {
		return err
	}
	l.text.start(names)
	all, _, err := l.text.raw(l.texts.all, d, MaxDepth)
	if err != nil {
		return err
	}
	return l.texts.done(row, all)
}
