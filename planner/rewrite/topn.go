package rewrite

import "github.com/parquetsql/parquetsql/planner/logical"

// maxTopN is how many rows a TopN may have to hold. Beyond, sorting all rows
// is about as fast and can spill.
const maxTopN = 100_000

// TopN joins a LIMIT with the sort below it.
func TopN(q logical.Query) (logical.Node, error) {
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		l, ok := n.(*logical.Limit)
		if !ok || l.Limit < 0 || l.Limit > maxTopN || l.Offset > maxTopN-l.Limit {
			return n, nil
		}
		s, ok := l.In.(*logical.Sort)
		if !ok {
			return n, nil
		}
		return &logical.TopN{In: s.In, Keys: s.Keys, Offset: l.Offset, Limit: l.Limit}, nil
	})
}
