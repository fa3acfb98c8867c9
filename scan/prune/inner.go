package prune

import (
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// NewInner describes a leaf within a LIST or MAP column, as nested.Inner returns
// it, that has type t in the query.
//
// A row has any number of the leaf's values, and statistics describe all of them. If
// they rule a condition out, it is TRUE for no element, and unnesting these rows
// emits no row that passes.
//
// Its summaries never say that no value is NULL: null_count counts empty lists as
// well as NULL elements, and LEFT JOIN emits a row of NULLs for an empty list. They
// may say that all values are NULL. Summary.Rows counts entries or rows, never
// elements.
func NewInner(c nested.Column, o nested.Options, t vector.Type) (*Column, error) {
	leaf := len(c.Leaves) == 1
	if !leaf {
		t = c.Type // it has no statistics, and nothing is converted
	}
	out, err := NewColumn(c, o, t, nil)
	if err != nil {
		return nil, err
	}
	out.inner = true
	if leaf {
		out.leaf, out.class = c.Leaves[0], classOf(c)
	}
	return out, nil
}

// distrustedInner reports whether the writer is known to write wrong bounds for this
// leaf within a list.
func (c *Column) distrustedInner(w fileformat.Writer) bool {
	nullable := false
	for n := c.Node; n != nil && n.Repetition != fileformat.Repeated; n = n.Parent {
		nullable = nullable || n.Repetition == fileformat.Optional
	}
	return c.inner && distrustElements(w, c.Node.Physical, nullable)
}
