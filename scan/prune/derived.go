package prune

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/convert"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/vector"
)

// shredded is the leaf of the shredded values of a derived column as a column of its own, whose
// statistics describe the derived column in row groups without other values; nil if they do not.
func shredded(c *mapping.Column) *Column {
	typed, t, what := c.Shredded()
	if typed == nil || what.Form == expr.FormFails {
		return nil
	}
	leaves := nested.Needed(c.Column, c.Options, []vector.Path{typed})
	if len(leaves) != 1 {
		return nil
	}
	node := mapping.LeafOf(c.Node, leaves[0])
	if node == nil || node.MaxRep > 0 || !keepsOrder(t, what) {
		return nil
	}
	leaf := nested.Column{Name: node.Dotted(), Node: node, Type: t, Nullable: true, Leaves: leaves}
	out := &Column{leaf: leaves[0], class: classOf(leaf)}
	if what.Form == expr.FormVariant || what.Form == expr.FormJSON { // only its NULLs are known
		out.class, out.onlyNulls = unordered, true
		what = expr.Extraction{Form: expr.FormTry, T: t}
	}
	converter, err := shreddedConverter(t, what)
	if err != nil {
		return nil
	}
	out.Column = mapping.Converted(leaf, nested.Options{}, converter)
	return out
}

func shreddedConverter(t vector.Type, what expr.Extraction) (*convert.Converter, error) {
	if what.Form == expr.FormKey || what.Form == expr.FormSign {
		return convert.Shredded(t, what)
	}
	return convert.New(t, what.Type())
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

// In is the column whose statistics describe this one in a row group: of a derived
// column the shredded values, if there are no others.
func (c *Column) In(g *fileformat.RowGroup) *Column {
	if c == nil || c.shredded == nil || !c.OnlyTyped(g) {
		return c
	}
	return c.shredded
}

// OnlyNulls reports whether statistics say that a chunk has no value.
func OnlyNulls(chunk *fileformat.ColumnChunk) bool {
	st := chunk.Statistics()
	return st != nil && st.Min == nil && st.Max == nil && !distrustNullCount(chunk.File().Meta.Writer) && st.NullCount == chunk.Meta.NumValues
}

// HasValues is false where the column's evidence is about NULLs alone, so that its
// dictionary must not be used.
func (c *Column) HasValues() bool { return !c.onlyNulls }
