package prune

import (
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// NewInner describes a leaf within a LIST or MAP column, as nested.Inner gives
// it, whose values are shown in type t.
//
// A row has any number of its values, and statistics are about all of them: a
// condition that they rule out is TRUE for no element of the rows, so that
// unnesting these rows makes none that pass.
//
// Summaries of it never say that no value is NULL. A null_count counts an entry
// for each empty list as well as for each NULL element, and of an empty list
// LEFT JOIN makes a row of NULLs; so NULL is always taken to be among the
// values. What they may say is that there is nothing but NULL: where no entry
// has a value. Summary.Rows is a number of entries or of rows, never of elements.
func NewInner(c nested.Column, o nested.Options, t vector.Type) (*Column, error) {
	leaf := len(c.Leaves) == 1
	if !leaf {
		t = c.Type // nothing will be known of it, and nothing converted
	}
	out, err := NewColumn(c, o, t)
	if err != nil {
		return nil, err
	}
	out.inner = true
	if leaf {
		out.leaf, out.class = c.Leaves[0], classOf(c)
	}
	return out, nil
}

// distrustedInner reports whether the writer is known to have got the bounds of
// such a leaf within a list wrong.
func (c *Column) distrustedInner(w fileformat.Writer) bool {
	nullable := false
	for n := c.Node; n != nil && n.Repetition != fileformat.Repeated; n = n.Parent {
		nullable = nullable || n.Repetition == fileformat.Optional
	}
	return c.inner && distrustElements(w, c.Node.Physical, nullable)
}
