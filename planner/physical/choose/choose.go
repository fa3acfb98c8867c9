// Package choose makes a physical plan of a logical one: it decides. It knows no operators,
// so that all it decides is in the plan.
//
// Nodes are chosen from the top: a node asks its input for what it can use (see want), as
// rows in the order of the files, or texts that the scan lends. What the input offers,
// as how many streams it has, is in the node that it returns.
//
//	choose.go   the plan, and a case for each node
//	want.go     what a node asks of the scan below it
//	stream.go   the rows of a node in one stream, in the order of the files
//	readers.go  how many readers a scan has
//	lend.go     which texts a scan lends
//	join.go     keys, sides and candidates of joins
//	unread.go   columns that a join need not make
//	order.go    comparisons that find candidates
//	filters.go  which scans a join tells about the keys of its build side
//	topn.go     which scan a TopN tells about its last row
//	shared.go   rows that several places read
//	rounds.go   recursions: rows that are the same in all rounds
package choose

import (
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
)

// Resources is what a query may use.
type Resources struct {
	Workers  int   // goroutines that work at the same time, at least 1
	PageRoom int64 // bytes that pages of scans may take; 0: any
}

// chooser is where in the plan a node is. It is a value: a node that changes it for the
// nodes below it makes another.
type chooser struct {
	Resources
	scope  *scope  // the shared rows that can be read here
	rounds *rounds // the recursions that are around
	reads  reads
}

// Plan decides how to run a query.
func Plan(root logical.Node, r Resources) (*physical.Plan, error) {
	r.Workers = max(r.Workers, 1)
	c := chooser{Resources: r, reads: readsOf(root)}
	n, err := c.result(root)
	if err != nil {
		return nil, err
	}
	return &physical.Plan{Root: n, Keeps: keepsRows(root), Encrypted: readsEncrypted(root)}, nil
}

// result is the rows of a query in one stream.
func (c chooser) result(n logical.Node) (physical.Node, error) {
	if l, ok := n.(*logical.Limit); ok {
		in, err := c.stream(l.In, true, nil)
		return &physical.Limit{Of: l, In: in}, err
	}
	return c.stream(n, true, nil)
}

// readsEncrypted reports whether some table of the plan has encrypted columns.
func readsEncrypted(n logical.Node) bool {
	if s, ok := n.(*logical.Scan); ok {
		return s.Table.Description().Encrypted
	}
	return slices.ContainsFunc(n.Inputs(), readsEncrypted)
}

// keepsRows reports whether a node keeps many rows, rather than pass them on.
func keepsRows(n logical.Node) bool {
	switch n.(type) {
	case *logical.Aggregate, *logical.GroupingSets, *logical.Join, *logical.AsOfJoin, *logical.Sort, *logical.Portion, *logical.Window, *logical.Recursive:
		return true
	}
	return slices.ContainsFunc(n.Inputs(), keepsRows)
}

// node decides about a node of which nothing is wanted but its rows.
func (c chooser) node(n logical.Node) (physical.Node, error) { return c.wanted(n, want{}) }

// wanted decides about a node.
func (c chooser) wanted(n logical.Node, w want) (physical.Node, error) {
	if r := c.rounds.fixing(n); r != nil {
		return c.once(r, n)
	}
	switch n := n.(type) {
	case *logical.Scan:
		return c.scan(n, w)
	case *logical.Filter:
		in, err := c.wanted(n.In, w)
		return &physical.Filter{Of: n, In: in}, err
	case *logical.Project:
		in, err := c.wanted(n.In, w.lending(n, false))
		return &physical.Project{Of: n, In: in}, err
	case *logical.Unnest:
		w.copies = false // there are more rows than texts
		in, err := c.wanted(n.In, w)
		return &physical.Unnest{Of: n, In: in}, err
	case *logical.Union:
		return c.union(n, w)
	case *logical.Values:
		return &physical.Values{Of: n}, nil
	case *logical.OneRow:
		return &physical.OneRow{Of: n}, nil
	case *logical.MetaAggregate:
		return c.metaAggregate(n)
	case *logical.Aggregate:
		in, err := c.wanted(n.In, want{copies: true}.lending(n, true))
		return &physical.Aggregate{Of: n, In: in, OneByOne: aggregate.InOneStream(groupsOf(n.Groups), callsOf(n.Aggs))}, err
	case *logical.GroupingSets:
		in, err := c.wanted(n.In, want{}.lending(n, false))
		return &physical.GroupingSets{Of: n, In: in, OneByOne: aggregate.InOneStream([]expr.Expr{n.Number.Ref()}, callsOf(n.Aggs))}, err
	case *logical.Sort:
		in, err := c.wanted(n.In, want{copies: true}.lending(n, true))
		return &physical.Sort{Of: n, In: in}, err
	case *logical.TopN:
		return c.topN(n)
	case *logical.Limit:
		in, err := c.stream(n.In, false, nil)
		return &physical.Limit{Of: n, In: in}, err
	case *logical.Portion:
		in, err := c.stream(n.In, false, nil)
		return &physical.Portion{Of: n, In: in}, err
	case *logical.Sample: // as OVER (), it counts rows
		in, err := c.stream(n.In, false, nil)
		return &physical.Sample{Of: n, In: in}, err
	case *logical.Window:
		return c.window(n)
	case *logical.Join:
		return c.join(n, w)
	case *logical.AsOfJoin:
		return c.asOf(n, w.copies)
	case *logical.PositionalJoin:
		return c.positional(n)
	case *logical.With:
		return c.with(n)
	case *logical.Reuse:
		return c.reuse(n)
	case *logical.Recursive:
		return c.recursive(n)
	}
	return nil, fmt.Errorf("internal error: planner/physical/choose has no case for a %T", n)
}

// window wants the rows of OVER () in one stream: they have an order of their own, which
// ROW_NUMBER shows.
func (c chooser) window(n *logical.Window) (physical.Node, error) {
	out := &physical.Window{Of: n, Workers: c.Workers}
	var err error
	switch {
	case n.Grouped:
		return c.groupedWindow(n, out)
	case len(n.Partition)+len(n.OrderBy) > 0:
		out.In, err = c.node(n.In)
	default:
		out.In, err = c.stream(n.In, false, nil)
	}
	return out, err
}

// groupedWindow keeps the columns that are read above it, and reads a scan again if there is no memory for
// that: keys and arguments, which are often texts, need not be kept for it.
func (c chooser) groupedWindow(n *logical.Window, out *physical.Window) (physical.Node, error) {
	wanted := want{copies: true}.lending(n, true)
	var err error
	if out.In, err = c.wanted(n.In, wanted); err != nil {
		return nil, err
	}
	if s, _ := scanBelow(n.In); s == nil || !n.Repeats {
		return out, nil
	}
	out.Unread = c.reads.unread(n)
	out.Repeats = out.Unread != nil
	return out, nil
}

// positional joins rows by their order, which below other nodes than those of stream
// only a single worker keeps.
func (c chooser) positional(n *logical.PositionalJoin) (physical.Node, error) {
	if c.source(n.L, nil) == nil || c.source(n.R, nil) == nil {
		c.Workers = 1
	}
	l, err := c.stream(n.L, false, nil)
	if err != nil {
		return nil, err
	}
	r, err := c.stream(n.R, false, nil)
	return &physical.Positional{Of: n, L: l, R: r}, err
}

// union is the rows of all inputs, or of the one that is picked.
func (c chooser) union(n *logical.Union, w want) (physical.Node, error) {
	if len(w.picks) > 0 {
		i := w.picks[0]
		w.picks = w.picks[1:]
		return c.picked(n.In[i], n.From[i], n.Output, w)
	}
	out := &physical.Union{Of: n, Workers: c.Workers}
	for i, in := range n.In {
		part, err := c.picked(in, n.From[i], n.Output, want{copies: w.copies})
		if err != nil {
			return nil, err
		}
		out.In = append(out.In, part)
	}
	return out, nil
}

// picked is a node with the listed columns only.
func (c chooser) picked(n logical.Node, from []logical.ColumnID, as logical.Columns, w want) (physical.Node, error) {
	in, err := c.wanted(n, w)
	if err != nil {
		return nil, err
	}
	return &physical.Pick{In: in, From: from, Output: as}, nil
}

func groupsOf(list []logical.Computed) []expr.Expr {
	out := make([]expr.Expr, len(list))
	for i, c := range list {
		out[i] = c.Expr
	}
	return out
}

func callsOf(list []logical.Aggregation) []*aggregate.Call {
	out := make([]*aggregate.Call, len(list))
	for i, a := range list {
		out[i] = a.Call
	}
	return out
}
