package variant

import "github.com/parquetsql/parquetsql/vector"

// Ask is what is asked of a value: what a path leads to or, unless Each is nil, what these
// ask of each of its entries.
type Ask struct {
	Path vector.Path
	Each []Ask
}

// Reads are the columns of a file that answer an Ask, as paths from the Variant by
// FieldSteps and ElementSteps.
type Reads struct {
	Always []vector.Path
	// Values are columns of Variant-encoded values, which are not needed where they have
	// only NULLs; else they need Metadata.
	Values   []vector.Path
	Metadata bool // it is needed always
	// Shapes are columns of which any one leaf is needed: it tells which rows are NULL and
	// how many elements there are.
	Shapes []vector.Path
}

// Reads finds the columns that answer an Ask. Columns has more to say of single paths.
func (l *Layout) Reads(a Ask) Reads {
	var r Reads
	r.add(&l.root, nil, a)
	return r
}

// add adds the columns of a node for an Ask. at leads to the node.
func (r *Reads) add(n *node, at vector.Path, a Ask) {
	n, below, rest, found := n.follow(a.Path)
	if !found {
		return
	}
	at = at.Then(below...)
	if n.value >= 0 {
		r.Values = append(r.Values, at.Then(vector.Step{Name: valueName}))
	}
	if len(rest) > 0 || n.kind == notShredded {
		return
	}
	typed := at.Then(vector.Step{Name: typedName})
	switch {
	case a.Each == nil:
		r.Always = append(r.Always, typed)
		r.Metadata = r.Metadata || n.kind != asPrimitive
	case n.kind == asArray:
		r.Shapes = append(r.Shapes, typed)
		for _, e := range a.Each {
			r.add(n.element, typed.Then(vector.Step{Kind: vector.ElementStep}), e)
		}
	case n.kind == asObject:
		r.Shapes = append(r.Shapes, typed)
		for i := range n.fields {
			f := &n.fields[i]
			field := typed.Then(vector.Step{Name: f.name})
			r.present(&f.node, field)
			for _, e := range a.Each {
				r.add(&f.node, field, e)
			}
		}
	}
}

// present adds what tells in which rows a field is there.
func (r *Reads) present(n *node, at vector.Path) {
	if n.value >= 0 {
		r.Values = append(r.Values, at.Then(vector.Step{Name: valueName}))
	}
	if n.kind != notShredded {
		r.Shapes = append(r.Shapes, at.Then(vector.Step{Name: typedName}))
	}
}
