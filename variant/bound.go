package variant

import "github.com/parquetsql/parquetsql/vector"

// bound is the columns of a node in the vectors at hand, for the JSON text of many rows.
type bound struct {
	group vector.Validity // of the group of the columns; nil: no row is NULL
	value *vector.Vector  // nil: NULL in all rows
	typed *vector.Vector  // nil: NULL in all rows; flat unless it has primitive values

	dict   *vector.Vector // that typed has codes of, if there are few,
	quoted []string       // and its JSON texts; "": not asked for yet
}

// maxQuoted bounds the texts of a dictionary that are kept.
const maxQuoted = 1 << 14

// bind finds the columns of a node in a vector of its group, and those of the nodes below.
func (n *node) bind(v *vector.Vector) error {
	n.at.group, n.at.value, n.at.typed = nil, nil, nil
	if allNull(v) {
		return nil
	}
	v, err := v.Flatten(nil)
	if err != nil {
		return err
	}
	n.at.group = v.Valid
	if n.value >= 0 && !allNull(v.Children[n.value]) {
		n.at.value = v.Children[n.value]
	}
	if n.kind == notShredded || allNull(v.Children[n.typed]) {
		return nil
	}
	n.at.typed = v.Children[n.typed]
	if n.kind == asPrimitive {
		n.at.quote()
		return nil
	}
	return n.bindBelow()
}

// bindBelow binds the nodes below an object or array.
func (n *node) bindBelow() (err error) {
	if n.at.typed, err = n.at.typed.Flatten(nil); err != nil {
		return err
	}
	if n.kind == asArray {
		return n.element.bind(n.at.typed.Children[0])
	}
	for i := range n.fields {
		f := &n.fields[i]
		if err := f.node.bind(n.at.typed.Children[f.child]); err != nil {
			return err
		}
	}
	return nil
}

// quote makes room for the texts of a dictionary.
func (b *bound) quote() {
	dict := b.typed.Dict
	switch {
	case b.typed.Form != vector.Dictionary || dict.Len > maxQuoted:
		b.dict = nil
	case dict != b.dict:
		b.dict, b.quoted = dict, vector.Resize(b.quoted, dict.Len)
		clear(b.quoted)
	}
}

// cell is what the columns have in a row.
func (b *bound) cell(row int) (value raw, typed bool, err error) {
	if b.group != nil && !b.group.Get(row) {
		return "", false, nil
	}
	if v := b.value; v != nil && !v.IsNull(row) {
		if value = raw(textAt(v, row)); value == "" {
			err = errShort
		}
	}
	return value, b.typed != nil && !b.typed.IsNull(row), err
}

// text appends the JSON text of a primitive value.
func (b *bound) text(dst []byte, row int) ([]byte, error) {
	v := b.typed
	if b.dict == nil {
		return AppendShredded(dst, v, row)
	}
	at := &b.quoted[v.Codes[row]]
	if *at == "" {
		text, err := AppendShredded(nil, v, row)
		if err != nil {
			return dst, err
		}
		*at = string(text)
	}
	return append(dst, *at...), nil
}

// begun reports whether an object or array has no value yet, in a text that has at
// least its bracket: no value ends with one that opens.
func begun(text []byte) bool {
	last := text[len(text)-1]
	return last == '{' || last == '['
}

// columns writes the value of a node that is bound, in a row where it is present.
func (t *jsonText) columns(dst []byte, n *node, row int, value raw, typed bool) ([]byte, error) {
	if err := n.check(value, typed); err != nil {
		return dst, err
	}
	switch {
	case !typed:
		dst, _, err := t.raw(dst, value, MaxDepth)
		return dst, err
	case n.kind == asObject:
		return t.columnsOfObject(dst, n, row, value)
	case n.kind == asArray:
		return t.columnsOfArray(dst, n, row)
	}
	return n.at.text(dst, row)
}

// columnsOfObject merges fields as buildObject does.
func (t *jsonText) columnsOfObject(dst []byte, n *node, row int, value raw) ([]byte, error) {
	var rest restFields
	if err := rest.open(t.names, value); err != nil {
		return dst, err
	}
	dst = append(dst, '{')
	for k := range n.fields {
		f := &n.fields[k]
		var err error
		if dst, err = rest.textUntil(dst, f, t); err != nil {
			return dst, err
		}
		value, typed, err := f.node.at.cell(row)
		if err == nil && (typed || value != "") {
			if dst, err = t.prepared(dst, f.text, begun(dst)); err == nil {
				dst, err = t.columns(dst, &f.node, row, value, typed)
			}
		}
		if err != nil {
			return dst, err
		}
	}
	dst, err := rest.textUntil(dst, nil, t)
	return append(dst, '}'), err
}

func (t *jsonText) columnsOfArray(dst []byte, n *node, row int) ([]byte, error) {
	dst = append(dst, '[')
	offsets := n.at.typed.Offsets
	for i := int(offsets[row]); i < int(offsets[row+1]); i++ {
		if !begun(dst) {
			dst = append(dst, ',')
		}
		value, typed, err := n.element.at.cell(i)
		switch {
		case err != nil:
		case !typed && value == "": // a Variant null, see buildArray
			dst = append(dst, "null"...)
		default:
			dst, err = t.columns(dst, n.element, i, value, typed)
		}
		if err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}
