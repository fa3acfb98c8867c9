package operators

import (
	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/common"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
)

// with makes the rows of a With readable in its body. The rows of one within a recursion are
// others in each round, unless the recursion has fixed them.
func (b *builder) with(n *physical.With) ([]exec.Operator, error) {
	if !n.Fixed {
		delete(b.rows, n.Rows)
	}
	return b.build(n.Body)
}

// shared makes the operators of shared rows for the first who reads them; rows that nothing
// reads have none.
func (b *builder) shared(s *physical.Shared) (*common.Rows, error) {
	if rows := b.rows[s]; rows != nil {
		return rows, nil
	}
	in, err := b.build(s.Def)
	if err != nil {
		return nil, err
	}
	rows := common.New(b.env, in)
	b.rows[s] = rows
	return rows, nil
}

// read makes readers of columns of shared rows.
func (b *builder) read(s *physical.Shared, from []logical.ColumnID, as logical.Columns, readers int) ([]exec.Operator, error) {
	places, err := positionsOf(s.Has).places(from)
	if err != nil {
		return nil, err
	}
	if queue := b.queues[s]; queue != nil {
		return one(queue.Reader(places, as.Schema()))
	}
	rows, err := b.shared(s)
	if err != nil {
		return nil, err
	}
	return rows.Readers(places, readers, as.Schema()), nil
}

// recursive makes the operators of Step anew in each round, or once where each row has its own. What rounds read and is the same
// in all of them is held until the recursion ends: between two rounds nothing reads it.
func (b *builder) recursive(n *physical.Recursive) ([]exec.Operator, error) {
	init, err := b.build(n.Init)
	if err != nil {
		return nil, err
	}
	for _, s := range n.Fixed {
		delete(b.rows, s) // of a run of this recursion in the round before of one around it
	}
	r := common.Recursion{Init: init, Schema: n.Of.Output.Schema(), All: n.Of.All}
	for _, list := range [][]*physical.Shared{n.Fixed, n.Held} {
		for _, s := range list {
			rows, err := b.shared(s)
			if err != nil {
				return nil, err
			}
			r.Keep = append(r.Keep, rows.Hold())
		}
	}
	r.Step = func(before *common.Rows) ([]exec.Operator, error) {
		// Several recursions may run at the same time.
		b.mu.Lock()
		defer b.mu.Unlock()
		b.rows[n.Before] = before
		delete(b.queues, n.Before)
		return b.build(n.Step)
	}
	if byRow(n.Step, n.Before) {
		r.Each = func(before *common.Queue) ([]exec.Operator, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.queues[n.Before] = before
			return b.build(n.Step)
		}
	}
	return one(common.NewRecursive(b.env, r))
}

// byRow reports whether each row of a node is computed from one of these shared rows, which are all that it reads.
func byRow(n physical.Node, of *physical.Shared) bool {
	switch n := n.(type) {
	case *physical.Filter, *physical.Project, *physical.Pick, *physical.Unnest:
		return byRow(n.Inputs()[0], of)
	case *physical.Reuse:
		return n.Rows == of
	}
	return false
}
