package rewrite

import (
	"math"

	"github.com/parquetsql/parquetsql/planner/logical"
)

// Limits tells a scan below a LIMIT how many rows suffice. LIMIT itself stays:
// several workers may each bring as many.
func Limits(n logical.Node) (logical.Node, error) {
	return bottomUp(n, func(n logical.Node) (logical.Node, error) {
		l, ok := n.(*logical.Limit)
		if !ok || l.Limit < 0 || l.Offset > math.MaxInt64-l.Limit {
			return n, nil
		}
		if l.Limit == 0 {
			return &logical.Values{Output: l.Schema()}, nil
		}
		if in := suffice(l.In, l.Offset+l.Limit); in != nil {
			return logical.WithInput(l, in), nil
		}
		return n, nil
	})
}

// suffice is the node with the scan below told, or nil where a step between
// changes the number of rows.
func suffice(n logical.Node, rows int64) logical.Node {
	switch n := n.(type) {
	case *logical.Scan:
		if n.Limit >= 0 && n.Limit <= rows {
			return n
		}
		c := *n
		c.Limit = rows
		return &c
	case *logical.Project:
		if in := suffice(n.In, rows); in != nil {
			return logical.WithInput(n, in)
		}
	}
	return nil
}
