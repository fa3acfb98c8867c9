package prune

import (
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/convert"
	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// shredded is where a derived column's values are, in the leaves of one file's VARIANT
// column.
type shredded struct {
	variant.Columns
	all    []vector.Path // all that is read where Values are not NULL
	rest   []vector.Path // all but Typed, where it can be read apart; nil: it cannot
	leaves []int         // of Values
	never  bool          // it is whether a cast fails, which no shredded value does
	// stats is the leaf of Typed as a column of its own, whose statistics describe the
	// derived column where Values are NULL; nil if they do not.
	stats *Column

	entries *entries // of FormEntries, for which nothing else counts; else nil
}

// NewDerived describes what is extracted from a file's VARIANT column. Of its children
// only those are read that may have the value. It is nil if none may.
func NewDerived(c nested.Column, o nested.Options, what expr.Extraction) (*Column, error) {
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
	if what.Form == expr.FormEntries {
		e := newEntries(c, o, layout.Reads(what.Ask()))
		if e == nil {
			return nil, nil
		}
		out := &Column{Column: c, options: o, leaf: -1, convert: converter, shredded: &shredded{entries: e}}
		out.Leaves, out.Nullable = nested.Needed(c, o, e.reads(nil)), true
		return out, nil
	}
	s := &shredded{Columns: layout.Columns(what.Path)}
	if s.Typed == nil && len(s.Values) == 0 {
		return nil, nil
	}
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
	out := &Column{Column: c, options: o, leaf: -1, convert: converter, shredded: s}
	out.Leaves, out.Nullable = nested.Needed(c, o, s.all), true
	if s.Typed != nil {
		if len(what.Path) > 0 {
			s.apart(c, o)
		}
		s.describe(c, o, what)
	}
	return out, nil
}

// apart finds out whether the shredded values of a path can be read apart from the others:
// not within lists, which are only told apart with the rows around them. Of whole values
// all is read, so that one which is in both columns is an error (VariantShredding.md, "Objects").
func (s *shredded) apart(c nested.Column, o nested.Options) {
	for _, leaf := range nested.Needed(c, o, s.all) {
		if node := leafOf(c.Node, leaf); node == nil || node.MaxRep > 0 {
			return
		}
	}
	s.rest = slices.DeleteFunc(slices.Clone(s.all), s.Typed.Equal)
}

// describe finds out what the statistics of the shredded values say of a derived column.
func (s *shredded) describe(c nested.Column, o nested.Options, what expr.Extraction) {
	s.never = what.Form == expr.FormFails && expr.CastIsTotal(s.Type, what.T)
	leaves := nested.Needed(c, o, []vector.Path{s.Typed})
	if len(leaves) != 1 || what.Form == expr.FormFails {
		return
	}
	node := leafOf(c.Node, leaves[0])
	if node == nil || node.MaxRep > 0 || !keepsOrder(s.Type, what) {
		return
	}
	leaf := nested.Column{Name: node.Dotted(), Node: node, Type: s.Type, Nullable: true, Leaves: leaves}
	var err error
	s.stats = &Column{Column: leaf, options: nested.Options{}, leaf: leaves[0], class: classOf(leaf)}
	if what.Form == expr.FormVariant || what.Form == expr.FormJSON { // only its NULLs are known
		s.stats.class, s.stats.onlyNulls = unordered, true
		what = expr.Extraction{Form: expr.FormTry, T: s.Type}
	}
	switch what.Form {
	case expr.FormKey, expr.FormSign:
		s.stats.convert, err = convert.Shredded(s.Type, what)
	default:
		s.stats.convert, err = convert.New(s.Type, what.Type())
	}
	if err != nil {
		s.stats = nil
	}
}

// keepsOrder reports whether an extraction of values of type t keeps their order, tells
// different values apart (but keys and signs: see convert.Converter.Original) and is NULL
// only where they are.
func keepsOrder(t vector.Type, what expr.Extraction) bool {
	to := what.Type()
	switch {
	case what.Form == expr.FormVariant, what.Form == expr.FormJSON, what.Form == expr.FormKey, what.Form == expr.FormSign, t.Equal(to):
		return true
	case t.IsFloat() && to.IsFloat(), t.IsTimestamp() && t.Kind == to.Kind:
		return expr.CastIsTotal(t, to)
	}
	exact := func(t vector.Type) bool { return t.IsInteger() || t.Kind == vector.Decimal }
	return exact(t) && exact(to) && expr.CastIsTotal(t, to)
}

// leafOf is a leaf below a node.
func leafOf(n *fileformat.Node, leaf int) *fileformat.Node {
	if n.IsLeaf() {
		if n.Leaf == leaf {
			return n
		}
		return nil
	}
	for _, c := range n.Children {
		if found := leafOf(c, leaf); found != nil {
			return found
		}
	}
	return nil
}

// In is the column whose statistics describe this one in a row group: of a derived
// column the shredded values, if there are no others.
func (c *Column) In(g *fileformat.RowGroup) *Column {
	if c == nil || c.shredded == nil || c.shredded.stats == nil || !c.onlyTyped(g) {
		return c
	}
	return c.shredded.stats
}

// NeverTrue reports whether a derived column is FALSE in all rows of a row group.
func (c *Column) NeverTrue(g *fileformat.RowGroup) bool {
	return c.shredded != nil && c.shredded.never && c.onlyTyped(g)
}

// Reads are the fields that are read of a row group of a derived column, see
// nested.NewReader, and their leaves; with nil those of any row group. Where statistics say that all values are
// shredded, only these are read.
func (c *Column) Reads(g *fileformat.RowGroup) (fields []vector.Path, leaves []int) {
	switch s := c.shredded; {
	case s == nil:
		return nil, c.Leaves
	case s.entries != nil:
		fields = s.entries.reads(g)
		return fields, c.Needed(fields)
	case g == nil || s.Typed == nil || len(s.Values) == 0 || !c.onlyTyped(g):
		return s.all, c.Leaves
	default:
		fields = []vector.Path{s.Typed}
		return fields, nested.Needed(c.Column, c.options, fields)
	}
}

// Split divides the fields that Reads says: rest is needed only of rows in which typed,
// one path, leads to NULL. typed is nil where they must be read together. Where values are in both,
// though none should be, that of typed counts (VariantShredding.md, "Objects").
func (c *Column) Split(g *fileformat.RowGroup) (typed vector.Path, rest []vector.Path) {
	if s := c.shredded; s != nil && s.Typed != nil && len(s.rest) > 0 && g != nil && !c.onlyTyped(g) {
		return s.Typed, s.rest
	}
	return nil, nil
}

// Needed are the leaves of some of a column's fields.
func (c *Column) Needed(fields []vector.Path) []int {
	return nested.Needed(c.Column, c.options, fields)
}

// onlyTyped reports whether all values are shredded in a row group: the columns of
// other values have only NULLs (VariantShredding.md, "Data Skipping").
func (c *Column) onlyTyped(g *fileformat.RowGroup) bool {
	for _, leaf := range c.shredded.leaves {
		if !onlyNulls(g.Columns[leaf]) {
			return false
		}
	}
	return true
}

// onlyNulls reports whether statistics say that a chunk has no value.
func onlyNulls(chunk *fileformat.ColumnChunk) bool {
	st := chunk.Statistics()
	return st != nil && st.Min == nil && st.Max == nil && !distrustNullCount(chunk.File().Meta.Writer) && st.NullCount == chunk.Meta.NumValues
}

// checkVariants checks of the VARIANTs in a node what their vectors do not show: bytes
// of fixed length are a shredded value only as UUID or DECIMAL (VariantShredding.md,
// "Shredded Value Types").
func checkVariants(n *fileformat.Node) error {
	if n.Logical.Kind == fileformat.LogicalVariant {
		return checkShredded(n)
	}
	for _, c := range n.Children {
		if err := checkVariants(c); err != nil {
			return err
		}
	}
	return nil
}

func checkShredded(n *fileformat.Node) error {
	if n.IsLeaf() && n.Physical == fileformat.FixedLenByteArray && n.Logical.Kind != fileformat.LogicalUUID && n.Logical.Kind != fileformat.LogicalDecimal {
		return fmt.Errorf("%s has bytes of a fixed length, which VARIANT values cannot be shredded into", n.Dotted())
	}
	for _, c := range n.Children {
		if err := checkShredded(c); err != nil {
			return err
		}
	}
	return nil
}

// HasValues is false for a column of which only the NULLs are described, so that its
// dictionary must not be used.
func (c *Column) HasValues() bool { return !c.onlyNulls }
