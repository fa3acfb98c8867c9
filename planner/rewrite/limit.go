package rewrite

import (
	"math"

	"github.com/parquetsql/parquetsql/planner/logical"
)

// Limits tells a scan below a LIMIT how many rows suffice. LIMIT itself stays:
// several workers may each bring as many.
func Limits(q logical.Query) (logical.Node, error) {
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		l, ok := n.(*logical.Limit)
		if !ok || l.Limit < 0 || l.Offset > math.MaxInt64-l.Limit {
			return n, nil
		}
		if l.Limit == 0 {
			return &logical.Values{Output: l.Columns()}, nil
		}
		return mapInputs(l, func(_ int, in logical.Node) (logical.Node, error) { return suffice(in, l.Offset+l.Limit) })
	})
}

// suffice is the node with the limit given to the scans below, unless a node between may make fewer
// rows of more.
func suffice(n logical.Node, rows int64) (logical.Node, error) {
	switch n := n.(type) {
	case *logical.Scan:
		if n.Limit >= 0 && n.Limit <= rows {
			return n, nil
		}
		c := *n
		c.Limit = rows
		return &c, nil
	case *logical.Project, *logical.Union:
		return mapInputs(n, func(_ int, in logical.Node) (logical.Node, error) { return suffice(in, rows) })
	case *logical.Join:
		if n.Kind != logical.LeftJoin && n.Kind != logical.MarkJoin && n.Kind != logical.SingleJoin {
			break
		}
		// each row of the left side makes at least one, whatever the others are
		return mapInputs(n, func(i int, in logical.Node) (logical.Node, error) {
			if i > 0 {
				return in, nil
			}
			return suffice(in, rows)
		})
	}
	return n, nil
}
