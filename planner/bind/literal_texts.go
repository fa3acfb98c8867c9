package bind

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// textLiterals is the strings of a constant, or of the elements of a constant list.
func textLiterals(x expr.Expr) ([]string, bool) {
	c, ok := x.(*expr.Const)
	switch {
	case !ok || c.Value.Null:
		return nil, false
	case c.Value.Type.Kind == vector.Varchar:
		return []string{c.Value.Str}, true
	case c.Value.Type.Kind != vector.List || c.Value.Type.Fields[0].Type.Kind != vector.Varchar:
		return nil, false
	}
	items := c.Value.Nested.Children[0]
	out := make([]string, items.Len)
	for i := range out {
		s := items.Get(i)
		if s.Null {
			return nil, false
		}
		out[i] = s.Str
	}
	return out, len(out) > 0
}
