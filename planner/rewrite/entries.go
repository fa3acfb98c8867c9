package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Entries makes UNNEST of a VARIANT take from each element or field only what the query
// reads of it: of x->>'$.name' the name and not x. It comes before Paths, to which what is
// taken of all entries is one extraction, so that a scan reads only the columns of the
// names.
func Entries(q logical.Query) (logical.Node, error) {
	if !makesEntries(q.Root) {
		return q.Root, nil
	}
	root, err := Prune(q) // so that what nothing needs is not taken
	if err != nil {
		return nil, err
	}
	// An UNNEST of what another one makes is above it, and what it takes of each of its
	// entries is what the one below takes.
	for _, list := range entryLists(root) {
		e := entries{newPaths(q.IDs), list}
		e.source = e.add
		e.collect(root)
		n, err := e.visit(root, logical.Set{})
		if err != nil {
			return nil, err
		}
		q.Root = sameColumns(n, q.Root.Columns())
		if q.Root, err = Prune(q); err != nil {
			return nil, err
		}
		if root, err = bottomUp(q.Root, e.narrow); err != nil {
			return nil, err
		}
		q.Root = root
	}
	return root, nil
}

// makesEntries reports whether some node makes entries of VARIANTs.
func makesEntries(n logical.Node) bool {
	if p, ok := n.(*logical.Project); ok && slices.ContainsFunc(p.Items, isEntries) {
		return true
	}
	return slices.ContainsFunc(n.Inputs(), makesEntries)
}

func isEntries(c logical.Computed) bool {
	x, ok := c.Expr.(*expr.Extract)
	return ok && x.Form == expr.FormEntries
}

// entries is one run for the UNNEST of a column.
type entries struct {
	*paths
	list logical.ColumnID
}

// entriesOf is the projection below an UNNEST that makes its list, the item and the entries
// of a VARIANT that this is; nil if it is something else, or is read elsewhere, too.
func entriesOf(n logical.Node) (u *logical.Unnest, p *logical.Project, item int, x *expr.Extract) {
	u, ok := n.(*logical.Unnest)
	if !ok || u.List == nil || slices.Contains(u.Keep, logical.ColumnID(u.List.Index)) {
		return nil, nil, 0, nil
	}
	p, ok = u.In.(*logical.Project)
	if !ok {
		return nil, nil, 0, nil
	}
	item = slices.IndexFunc(p.Items, func(c logical.Computed) bool { return c.ID == logical.ColumnID(u.List.Index) })
	if item < 0 {
		return nil, nil, 0, nil
	}
	x, ok = p.Items[item].Expr.(*expr.Extract)
	if !ok || x.Form != expr.FormEntries || slices.ContainsFunc(u.Elements, func(e logical.Element) bool { return e.Type.Kind == vector.Struct }) {
		return nil, nil, 0, nil
	}
	return u, p, item, x
}

// entryLists are the columns with entries that are unnested, from the top.
func entryLists(n logical.Node) []logical.ColumnID {
	var out []logical.ColumnID
	if u, _, _, x := entriesOf(n); x != nil {
		out = append(out, logical.ColumnID(u.List.Index))
	}
	inputs := n.Inputs()
	for i := len(inputs) - 1; i >= 0; i-- { // of an Apply the right one reads the left one
		out = append(out, entryLists(inputs[i])...)
	}
	return out
}

// add makes the UNNEST at hand take what is wanted of the values of the entries, too.
func (e *entries) add(n logical.Node) logical.Node {
	u, p, item, x := entriesOf(n)
	if x == nil || logical.ColumnID(u.List.Index) != e.list {
		return n
	}
	what := taken(u, x)
	added := slices.Clip(u.Elements)
	for i, value := range u.Elements {
		from := what.Entries[i]
		if from.Form != expr.FormVariant {
			continue
		}
		for _, w := range e.wanted[value.ID] {
			entry := expr.Entry{Name: w.Of(from.Name), Extraction: w}
			entry.Path = from.Path.Then(w.Path...)
			made := logical.Column{ID: e.ids.New(), Name: entry.Name, Type: w.Type(), Nullable: true}
			what.Entries = append(what.Entries, entry)
			added = append(added, logical.Element{Column: made})
			e.made[value.ID] = append(e.made[value.ID], derived{made, w})
		}
	}
	return e.over(u, p, item, &expr.Extract{X: x.X, Extraction: what}, added)
}

// taken is an extraction of the entries that are elements of an UNNEST, in their order.
func taken(u *logical.Unnest, x *expr.Extract) expr.Extraction {
	columns := vector.ElementColumns(u.List.T)
	what := x.Extraction
	what.Entries = nil
	for _, c := range u.Elements {
		what.Entries = append(what.Entries, x.Entries[columns[c.Field].Steps[1]])
	}
	return what
}

// narrow makes the UNNEST at hand take no more than the columns that it still has.
func (e *entries) narrow(n logical.Node) (logical.Node, error) {
	u, p, item, x := entriesOf(n)
	if x == nil || logical.ColumnID(u.List.Index) != e.list {
		return n, nil
	}
	return e.over(u, p, item, &expr.Extract{X: x.X, Extraction: taken(u, x)}, u.Elements), nil
}

// over is an UNNEST of other entries, whose fields are its elements.
func (e *entries) over(u *logical.Unnest, p *logical.Project, item int, x *expr.Extract, elements []logical.Element) logical.Node {
	below := &logical.Project{In: p.In, Items: slices.Clone(p.Items)}
	list := logical.Column{ID: e.ids.New(), Name: p.Items[item].Name, Type: x.Type(), Nullable: true}
	below.Items[item] = logical.Computed{Column: list, Expr: x}
	c := *u
	c.In, c.List, c.Elements = below, list.Ref(), slices.Clone(elements)
	fields := vector.ElementColumns(list.Type)
	for i := range c.Elements {
		c.Elements[i].Field = slices.IndexFunc(fields, func(f vector.ElementColumn) bool { return len(f.Steps) == 2 && f.Steps[1] == i })
	}
	e.list = list.ID
	return &c
}
