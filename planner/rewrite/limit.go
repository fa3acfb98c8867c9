package rewrite

import (
	"math"

	"github.com/parquetsql/parquetsql/planner/logical"
)

// maxLate is how many rows a LIMIT may let through for what is computed of them
// to be computed after it. It is then done by one worker, but only for rows
// that are shown: no other can be the cause of an error.
const maxLate = 10_000

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
			return late(logical.WithInput(l, in).(*logical.Limit)), nil
		}
		return late(l), nil
	})
}

// late moves a LIMIT below what is computed of its rows.
func late(l *logical.Limit) logical.Node {
	p, ok := l.In.(*logical.Project)
	if !ok || l.Limit > maxLate || l.Offset > maxLate {
		return l
	}
	return logical.WithInput(p, late(&logical.Limit{In: p.In, Offset: l.Offset, Limit: l.Limit}))
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
