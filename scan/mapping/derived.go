package mapping

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/convert"
	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// derived is where a derived column's values are, in the leaves of one file's VARIANT column.
type derived struct {
	variant.Columns
	what   expr.Extraction
	all    []vector.Path // all that is read where Values are not NULL
	rest   []vector.Path // all but Typed, where it can be read alone; nil: it cannot
	leaves []int         // of Values
	never  bool          // it is whether a cast fails, which no shredded value does

	entries *entries // of FormEntries, for which nothing else counts; else nil

	empty func(*fileformat.ColumnChunk) bool // see NewDerived
}

// NewDerived describes what is extracted from a file's VARIANT column. Of its children
// only those are read that may have the value, and of a row group only those that have values:
// empty says that a chunk has none. It is nil if none may have the value.
func NewDerived(c nested.Column, o nested.Options, what expr.Extraction, empty func(*fileformat.ColumnChunk) bool) (*Column, error) {
	converter, err := convert.Extract(c.Type, what)
	if err != nil {
		return nil, err
	}
	if err := checkVariants(c.Node); err != nil {
		return nil, err
	}
	layout, err := variant.NewLayout(c.Type)
	if err != nil {
		return nil, err
	}
	d := &derived{what: what, empty: empty}
	out := &Column{Column: c, Options: o, convert: converter, derived: d}
	out.Nullable = true
	if what.Form == expr.FormEntries {
		if d.entries = newEntries(c, o, layout.Reads(what.Ask()), empty); d.entries == nil {
			return nil, nil
		}
		out.Leaves = nested.Needed(c, o, d.entries.reads(nil))
		return out, nil
	}
	d.Columns = layout.Columns(what.Path)
	if d.Typed == nil && len(d.Values) == 0 {
		return nil, nil
	}
	d.plan(c, o)
	out.Leaves = nested.Needed(c, o, d.all)
	return out, nil
}

// plan finds out what is read.
func (s *derived) plan(c nested.Column, o nested.Options) {
	s.all = slices.Clone(s.Values)
	if s.Metadata {
		s.all = append(s.all, vector.FieldPath("metadata"))
	}
	if s.Typed != nil {
		s.all = append(s.all, s.Typed)
	}
	if slices.ContainsFunc(s.all, func(p vector.Path) bool { return len(p) == 0 }) {
		s.all = nil
	}
	s.leaves = nested.Needed(c, o, s.Values)
	if s.Typed == nil {
		return
	}
	if len(s.what.Path) > 0 {
		s.apart(c, o)
	}
	s.never = s.what.Form == expr.FormFails && expr.CastIsTotal(s.Type, s.what.T)
}

// apart finds out whether the shredded values of a path can be read without the others. Within
// lists they cannot: which row has them is known only with the rows around it. Of whole values
// all is read, so that one which is in both columns is an error (VariantShredding.md, "Objects").
func (s *derived) apart(c nested.Column, o nested.Options) {
	for _, leaf := range nested.Needed(c, o, s.all) {
		if node := LeafOf(c.Node, leaf); node == nil || node.MaxRep > 0 {
			return
		}
	}
	s.rest = slices.DeleteFunc(slices.Clone(s.all), s.Typed.Equal)
}

// LeafOf is a leaf below a node.
func LeafOf(n *fileformat.Node, leaf int) *fileformat.Node {
	if n.IsLeaf() {
		if n.Leaf == leaf {
			return n
		}
		return nil
	}
	for _, c := range n.Children {
		if found := LeafOf(c, leaf); found != nil {
			return found
		}
	}
	return nil
}

// Shredded is the path to the shredded values of a derived column, their type, and what is
// extracted; nil if it has none.
func (c *Column) Shredded() (typed vector.Path, t vector.Type, what expr.Extraction) {
	if c.derived == nil || c.derived.Typed == nil {
		return nil, vector.Type{}, expr.Extraction{}
	}
	return c.derived.Typed, c.derived.Type, c.derived.what
}

// NeverTrue reports whether a derived column is FALSE in all rows of a row group.
func (c *Column) NeverTrue(g *fileformat.RowGroup) bool {
	return c.derived != nil && c.derived.never && c.OnlyTyped(g)
}

// Reads are the fields that are read of a row group of a derived column, see
// nested.NewReader, and their leaves; with nil those of any row group. Where statistics say that all values are
// shredded, only these are read.
func (c *Column) Reads(g *fileformat.RowGroup) (fields []vector.Path, leaves []int) {
	switch s := c.derived; {
	case s == nil:
		return nil, c.Leaves
	case s.entries != nil:
		fields = s.entries.reads(g)
		return fields, c.Needed(fields)
	case g == nil || s.Typed == nil || len(s.Values) == 0 || !c.OnlyTyped(g):
		return s.all, c.Leaves
	default:
		fields = []vector.Path{s.Typed}
		return fields, nested.Needed(c.Column, c.Options, fields)
	}
}

// Split divides the fields that Reads says: rest is needed only of rows in which typed,
// one path, leads to NULL. typed is nil where they must be read together. Where values are in both,
// though none should be, that of typed counts (VariantShredding.md, "Objects").
func (c *Column) Split(g *fileformat.RowGroup) (typed vector.Path, rest []vector.Path) {
	if s := c.derived; s != nil && s.Typed != nil && len(s.rest) > 0 && g != nil && !c.OnlyTyped(g) {
		return s.Typed, s.rest
	}
	return nil, nil
}

// Needed are the leaves of some of a column's fields.
func (c *Column) Needed(fields []vector.Path) []int {
	return nested.Needed(c.Column, c.Options, fields)
}

// OnlyTyped reports whether all values are shredded in a row group: the columns of
// other values have only NULLs (VariantShredding.md, "Data Skipping").
func (c *Column) OnlyTyped(g *fileformat.RowGroup) bool {
	for _, leaf := range c.derived.leaves {
		if !c.derived.empty(g.Columns[leaf]) {
			return false
		}
	}
	return true
}
