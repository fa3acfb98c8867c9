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
	leaves []int         // of Values
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
	return out, nil
}

// Reads are the fields that are read of a row group of a derived column, see
// nested.NewReader, and their leaves; with nil those of any row group. Where statistics say that all values are
// shredded, only these are read.
func (c *Column) Reads(g *fileformat.RowGroup) (fields []vector.Path, leaves []int) {
	switch s := c.shredded; {
	case s == nil:
		return nil, c.Leaves
	case g == nil || s.Typed == nil || len(s.Values) == 0 || !c.onlyTyped(g):
		return s.all, c.Leaves
	default:
		fields = []vector.Path{s.Typed}
		return fields, nested.Needed(c.Column, c.options, fields)
	}
}

// onlyTyped reports whether all values are shredded in a row group: the columns of
// other values have only NULLs (VariantShredding.md, "Data Skipping").
func (c *Column) onlyTyped(g *fileformat.RowGroup) bool {
	for _, leaf := range c.shredded.leaves {
		chunk := g.Columns[leaf]
		st := chunk.Statistics()
		if st == nil || st.Min != nil || st.Max != nil || distrustNullCount(chunk.File().Meta.Writer) || st.NullCount != chunk.Meta.NumValues {
			return false
		}
	}
	return true
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
