package variant

import "github.com/parquetsql/parquetsql/vector"

// Entries finds the entries of what path leads to in the listed rows of a file's vector
// src, or in all rows if rows is nil; other rows have any. It looks at the columns of
// Reads only. Values that are Variant-encoded are checked, those in columns are for the
// layouts of EntryTypes.
func (l *Layout) Entries(to *Lister, src *vector.Vector, rows []int32, path vector.Path) (*Entries, error) {
	l.known.begin()
	to.begin(src.Len)
	n, _, beyond, found := l.root.follow(path)
	if !found {
		return to.finish(src.Len, nil)
	}
	at := place{vector: src}
	if err := at.descend(&l.root, path[:len(path)-len(beyond)]); err != nil {
		return nil, err
	}
	if err := at.flatten(); err != nil {
		return nil, err
	}
	s := listing{layout: l, to: to, node: n, beyond: beyond, src: src, at: at}
	if len(beyond) == 0 && (n.kind == asArray || n.kind == asObject) {
		if err := s.open(); err != nil {
			return nil, err
		}
	}
	if s.isDirect() {
		return s.direct()
	}
	if rows == nil {
		rows = l.all(src.Len)
	}
	for _, row := range rows {
		if err := to.row(int(row)); err != nil {
			return nil, err
		}
		ok, err := s.row(int(row))
		if err != nil {
			return nil, err
		}
		if ok {
			to.out.Valid.Set(int(row))
		}
	}
	return to.finish(src.Len, s.sources)
}

// listing is how the entries of the values of a node at a place are found, or of what a
// path beyond the node leads to in them.
type listing struct {
	layout *Layout
	to     *Lister
	node   *node
	beyond vector.Path
	src    *vector.Vector
	at     place

	typed   *vector.Vector   // the shredded arrays or objects, flat; nil: there are none
	sources []*vector.Vector // of their entries
}

// open makes the sources of shredded entries.
func (s *listing) open() error {
	group := s.at.vector
	typed, err := group.Children[s.node.typed].Flatten(nil)
	if err != nil {
		return err
	}
	s.typed = typed
	if s.node.kind == asArray {
		elements, err := s.node.element.variants(typed.Children[0], s.metadata(typed.Children[0].Len, true))
		s.sources = []*vector.Vector{elements}
		return err
	}
	metadata := s.metadata(typed.Len, false)
	for i := range s.node.fields {
		f := &s.node.fields[i]
		v, err := f.node.variants(typed.Children[f.child], metadata)
		if err != nil {
			return err
		}
		s.sources = append(s.sources, v)
	}
	return nil
}

// metadata is that of each of n rows of the shredded values or, if elements, of their
// elements: that of the Variant around them.
func (s *listing) metadata(n int, elements bool) *vector.Vector {
	c := s.src.Children[metadataChild]
	if allNull(c) || s.src.Form == vector.Constant && s.src.IsNull(0) {
		return vector.NewConstant(vector.NullOf(vector.Of(vector.Blob)), n)
	}
	dict := c
	if c.Form == vector.Dictionary {
		dict = c.Dict
	}
	out := &vector.Vector{Type: c.Type, Form: vector.Dictionary, Len: n, Dict: dict, Codes: make([]int32, n)}
	for row := range s.src.Len {
		at := s.at.row(row)
		if at < 0 || s.src.IsNull(row) || c.IsNull(row) {
			continue
		}
		code := int32(row)
		switch c.Form {
		case vector.Constant:
			code = 0
		case vector.Dictionary:
			code = c.Codes[row]
		}
		if !elements {
			out.Codes[at] = code
			continue
		}
		for i := s.typed.Offsets[at]; i < s.typed.Offsets[at+1]; i++ {
			out.Codes[i] = code
		}
	}
	return out
}

// isDirect reports whether all entries are elements of shredded arrays, one of each row.
func (s *listing) isDirect() bool {
	n := s.node
	return s.typed != nil && n.kind == asArray && s.at.rows == nil && (n.value < 0 || allNull(s.at.vector.Children[n.value]))
}

// direct is the entries as the columns have them.
func (s *listing) direct() (*Entries, error) {
	out, err := s.to.finish(s.src.Len, s.sources)
	if err != nil {
		return nil, err
	}
	out.Offsets, out.Picks, out.Direct = s.typed.Offsets, nil, 1
	out.Valid = vector.And(vector.And(s.at.valid, s.at.vector.Valid), s.typed.Valid)
	return out, nil
}

// row lists the entries of a row; false if its value has none.
func (s *listing) row(row int) (bool, error) {
	at := s.at.row(row)
	if at < 0 || s.src.IsNull(row) {
		return false, nil
	}
	c, err := s.node.cell(s.at.vector, at)
	if err != nil {
		return false, err
	}
	typed := c.typed && s.typed != nil
	switch {
	case !typed && c.value == "":
		return false, nil
	case !typed:
		names, err := s.layout.checked(stored(s.src, row))
		if err != nil {
			return false, err
		}
		d, found, err := c.value.find(names, s.beyond)
		if !found || err != nil {
			return false, err
		}
		if err := d.check(names); err != nil {
			return false, err
		}
		return s.to.value(&names.Metadata, d)
	}
	if err := s.node.check(c.value, c.typed); err != nil {
		return false, err
	}
	if s.node.kind == asObject {
		return true, s.object(row, at, c.value)
	}
	for i := s.typed.Offsets[at]; i < s.typed.Offsets[at+1]; i++ {
		s.to.element(1, i)
	}
	return true, nil
}

// object lists the fields of an object in columns, with those in value, which may have no
// bytes, as node.buildObject has them.
func (s *listing) object(row, at int, value raw) error {
	var rest restFields
	if value != "" {
		names, err := s.layout.checked(stored(s.src, row))
		if err == nil {
			err = rest.open(names, value)
		}
		if err != nil {
			return err
		}
	}
	for k := range s.node.fields {
		f := &s.node.fields[k]
		if err := rest.listUntil(f, s.to); err != nil {
			return err
		}
		c, err := f.node.cell(s.typed.Children[f.child], at)
		if err != nil {
			return err
		}
		if c.present() {
			s.to.field(f.name, int32(1+k), int32(at))
		}
	}
	return rest.listUntil(nil, s.to)
}

// listUntil gives the fields before a shredded one to a Lister, all of them if f is nil.
func (r *restFields) listUntil(f *shreddedField, to *Lister) error {
	for {
		if ok, err := r.before(f); !ok || err != nil {
			return err
		}
		d, err := r.bytes()
		if err == nil {
			d, err = d.cut()
		}
		if err == nil {
			err = d.check(r.names)
		}
		if err != nil {
			return err
		}
		name, _ := r.names.name(r.id)
		to.field(name, 0, to.encoded(&r.names.Metadata, d))
		if err := r.pass(len(d)); err != nil {
			return err
		}
	}
}
