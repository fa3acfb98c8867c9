package choose

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
)

// stream is the rows of a node in one stream. Rows that come from a scan through nodes
// that keep their order are in the order of the files and of the rows in each, whatever
// the number of readers, and those of a UNION ALL in the order of its inputs. Users rely
// on it: the first rows of a table are the same today and tomorrow.
//
// result says that the rows are those of the query. picks are the inputs that were picked
// of the unions below, from the top.
func (c chooser) stream(n logical.Node, result bool, picks []int) (physical.Node, error) {
	w := want{picks: picks}
	below := c.source(n, picks)
	if u, ok := below.(*logical.Union); ok {
		return c.concat(n, u, result, picks)
	}
	s, ordered := below.(*logical.Scan)
	if ordered {
		w.order = &order{whole: handsOn(n)}
	}
	if result {
		w.lendRows(n)
	}
	in, err := c.wanted(n, w)
	if err != nil {
		return nil, err
	}
	from := scanOf(in)
	if in.Streams() == 1 && !(ordered && from.Ahead) {
		return in, nil
	}
	if ordered {
		return &physical.Gather{In: in, Order: from, Wide: w.order.whole && isWide(s)}, nil
	}
	return &physical.Gather{In: in}, nil
}

// concat is the stream of a node for each input of the union below it, one after the
// other. Each is read by all workers.
func (c chooser) concat(n logical.Node, u *logical.Union, result bool, picks []int) (physical.Node, error) {
	out := &physical.Concat{}
	for i := range u.In {
		part, err := c.stream(n, result, append(slices.Clip(picks), i))
		if err != nil {
			return nil, err
		}
		out.In = append(out.In, part)
	}
	return out, nil
}

// source is the scan or the union that a node's rows come from in its order, nil if
// there is none.
func (c chooser) source(n logical.Node, picks []int) logical.Node {
	for c.rounds.fixing(n) == nil {
		switch below := n.(type) {
		case *logical.Scan:
			return below
		case *logical.Filter:
			n = below.In
		case *logical.Project:
			n = below.In
		case *logical.Unnest:
			n = below.In
		case *logical.Union:
			if len(picks) == 0 {
				return below
			}
			n, picks = below.In[picks[0]], picks[1:]
		default:
			return nil
		}
	}
	return nil
}

// scanOf is the scan whose rows a node hands on, in their order; nil if there is none.
func scanOf(n physical.Node) *physical.Scan { return scanThrough(n, false) }

// scanThrough is scanOf, and with joins that of their probe sides.
func scanThrough(n physical.Node, joins bool) *physical.Scan {
	for {
		switch below := n.(type) {
		case *physical.Scan:
			return below
		case *physical.Filter:
			n = below.In
		case *physical.Project:
			n = below.In
		case *physical.Pick:
			n = below.In
		case *physical.Unnest:
			n = below.In
		case *physical.Join:
			if !joins {
				return nil
			}
			n = below.Probe
		default:
			return nil
		}
	}
}

// handsOn reports whether a node does nothing with the rows of a scan.
func handsOn(n logical.Node) bool {
	for {
		switch below := n.(type) {
		case *logical.Scan:
			return true
		case *logical.Project:
			if slices.ContainsFunc(below.Items, func(c logical.Computed) bool { return !isColumn(c.Expr) }) {
				return false
			}
			n = below.In
		default:
			return false
		}
	}
}

func isColumn(e expr.Expr) bool {
	_, ok := e.(*expr.Column)
	return ok
}
