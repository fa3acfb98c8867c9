package lower

import (
	"errors"
	"slices"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/reader"
)

// placed is a scan whose rows are wanted in the order of the files, and its readers.
type placed struct {
	scan    *reader.Scan
	readers []exec.Placed
	whole   bool // all that is done with the rows is to hand them on
	ahead   bool // one reader works ahead of the consumer
}

// wideColumns is how many columns make rows wide. A reader of such rows can be a few batches
// ahead of its turn, not a row group. So two readers work by turns, each with the pages of
// a row group in memory, of all columns; one reads as fast as the consumer takes the values.
// Where there is a filter, others help once it is known to leave few rows.
const wideColumns = 32

// readersOf is how many of the workers of a table read it.
func (b *builder) readersOf(n *logical.Scan, t *catalog.Table) int {
	workers, order := b.workersOf(t, len(n.Read)), b.inOrder[n]
	switch {
	case order == nil || len(n.Filter) > 0:
	case n.Limit >= 0 && n.Limit <= fewRows:
		return 1 // the first rows are wanted, which others cannot help to find
	case order.whole && isWide(n) && workers > 1:
		order.ahead = true
		return 1
	}
	return workers
}

// isWide reports whether the rows of a scan are wide.
func isWide(s *logical.Scan) bool { return len(s.Read) > wideColumns }

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

// stream is the rows of a node in one stream. Rows that come from a scan through
// operators that keep their order are in the order of the files and of the rows in
// each, whatever the number of workers, and those of a UNION ALL in the order of its
// inputs. Users rely on it: the first rows of a table are the same today and tomorrow.
func (b *builder) stream(n logical.Node) (exec.Operator, error) {
	below := b.source(n)
	if u, ok := below.(*logical.Union); ok {
		return b.concat(n, u)
	}
	s, ok := below.(*logical.Scan)
	if ok {
		b.inOrder[s] = &placed{whole: handsOn(n)}
	}
	lent := n == b.result && b.lendRows(n)
	ops, err := b.build(n)
	if err != nil {
		return nil, err
	}
	p := b.inOrder[s]
	if len(ops) == 1 && !(ok && p.ahead) {
		return ops[0], nil
	}
	if ok && len(p.readers) == len(ops) {
		return exec.Ordered{Env: b.env, Order: p.scan, Lent: lent, Wide: p.whole && isWide(s)}.Gather(ops, p.readers), nil
	}
	if lent {
		return nil, errors.New("internal error: texts are lent to rows that are not in order")
	}
	return b.env.Gather(ops), nil
}

// concat is the stream of a node for each input of the union below it, one after the
// other. Each is read by all workers.
func (b *builder) concat(n logical.Node, u *logical.Union) (exec.Operator, error) {
	var parts []exec.Operator
	defer delete(b.input, u)
	for i := range u.In {
		b.input[u] = i
		part, err := b.stream(n)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return exec.NewConcat(parts), nil
}

// source is the scan or the union that a node's rows come from in its order, nil if
// there is none.
func (b *builder) source(n logical.Node) logical.Node {
	for b.scope.fixedRows(n) == nil {
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
			i, ok := b.input[below]
			if !ok {
				return below
			}
			n = below.In[i]
		default:
			return nil
		}
	}
	return nil
}
