package mapping

import (
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/convert"
	"github.com/parquetsql/parquetsql/vector"
)

// Column is a column of a table as it is read of one file: the file's column, what of it is
// decoded, and the way to the table's type. It knows no statistics. It is for one goroutine.
type Column struct {
	nested.Column
	Options nested.Options

	convert *convert.Converter
	derived *derived // nil: the column is not derived
}

// NewColumn is a file's column that has type t in the table, whose fields m pairs.
func NewColumn(c nested.Column, o nested.Options, t vector.Type, m *convert.Match) (*Column, error) {
	converter, err := convert.Matched(c.Type, t, m)
	if err != nil {
		return nil, err
	}
	if err := checkVariants(c.Node); err != nil {
		return nil, err
	}
	return &Column{Column: c, Options: o, convert: converter}, nil
}

// Converted is a column of a file with a converter of its own.
func Converted(c nested.Column, o nested.Options, by *convert.Converter) *Column {
	return &Column{Column: c, Options: o, convert: by}
}

// Converter converts the file's type to the table's.
func (c *Column) Converter() *convert.Converter { return c.convert }

// Plain reports whether the column's values are those of the file, so that nothing that was made
// of them is kept here.
func (c *Column) Plain() bool {
	return c.convert.Identity() && c.convert.From().Equal(c.convert.To()) && !c.Type.IsNested() && c.derived == nil
}

// Flat reports whether a row has one value, of one leaf.
func (c *Column) Flat() bool {
	return !c.Group && c.Node.IsLeaf() && c.Node.MaxRep == 0 && c.derived == nil
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
