package lower

import (
	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan/reader"
)

// placed is a scan whose rows are wanted in the order of the files, and its readers.
type placed struct {
	scan    *reader.Scan
	readers []exec.Placed
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
		b.inOrder[s] = &placed{}
	}
	ops, err := b.build(n)
	if err != nil {
		return nil, err
	}
	if len(ops) == 1 {
		return ops[0], nil
	}
	if p := b.inOrder[s]; ok && len(p.readers) == len(ops) {
		return exec.NewOrderedGather(ops, p.scan, p.readers), nil
	}
	return exec.NewGather(ops), nil
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
