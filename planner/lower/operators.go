package lower

import (
	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/group"
	"github.com/parquetsql/parquetsql/exec/order"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Operators that each worker runs on its own rows.

// each adds one operator per stream of the node.
func (b *builder) each(in logical.Node, on func(exec.Operator) exec.Operator) ([]exec.Operator, error) {
	ops, err := b.build(in)
	for i := range ops {
		ops[i] = on(ops[i])
	}
	return ops, err
}

func (b *builder) filter(n *logical.Filter) ([]exec.Operator, error) {
	conjuncts, err := positionsOf(n.In.Columns()).all(b.ctx, n.Conjuncts)
	if err != nil {
		return nil, err
	}
	return b.each(n.In, func(in exec.Operator) exec.Operator { return exec.NewFilter(b.env, in, conjunction(conjuncts)) })
}

// conjunction is the AND of conjuncts.
func conjunction(conjuncts []expr.Expr) expr.Expr {
	if len(conjuncts) == 1 {
		return conjuncts[0]
	}
	if e, err := expr.NewAnd(conjuncts...); err == nil {
		return e
	}
	return &expr.Logic{Args: conjuncts}
}

func (b *builder) project(n *logical.Project) ([]exec.Operator, error) {
	exprs, err := positionsOf(n.In.Columns()).computed(b.ctx, n.Items)
	if err != nil {
		return nil, err
	}
	schema := n.Columns().Schema()
	ops, err := b.inputOf(n, false)
	for i := range ops {
		ops[i] = exec.NewProject(b.env, ops[i], exprs, schema)
	}
	return ops, err
}

func (b *builder) unnest(n *logical.Unnest) ([]exec.Operator, error) {
	on, err := positionsOf(n.Columns()).expr(b.ctx, n.On)
	if err != nil {
		return nil, err
	}
	read := []*expr.Column{n.List}
	if s := n.Series; s != nil {
		read = []*expr.Column{s.From, s.To, s.Step}
	}
	ids := make([]logical.ColumnID, len(read))
	for i, c := range read {
		ids[i] = logical.ColumnID(c.Index)
	}
	at, err := positionsOf(n.In.Columns()).places(ids)
	if err != nil {
		return nil, err
	}
	u := exec.Unnest{Column: at[0], Pos: n.Pos.ID != 0, Outer: n.Outer, On: on}
	if n.Series != nil {
		u.Series = &exec.Series{From: at[0], To: at[1], Step: at[2], Inclusive: n.Series.Inclusive}
	}
	keep := logical.SetOf(n.Keep...)
	for i, c := range n.In.Columns() {
		if keep.Has(c.ID) {
			u.Keep = append(u.Keep, i)
		}
	}
	for _, e := range n.Elements {
		u.Fields = append(u.Fields, e.Field)
	}
	return b.each(n.In, func(in exec.Operator) exec.Operator { return exec.NewUnnest(b.env, in, u) })
}

// Operators that need the rows of all workers.

func (b *builder) aggregate(n *logical.Aggregate) ([]exec.Operator, error) {
	below := positionsOf(n.In.Columns())
	groups, err := below.computed(b.ctx, n.Groups)
	if err != nil {
		return nil, err
	}
	aggs, err := below.aggregates(b.ctx, n.Aggs)
	if err != nil {
		return nil, err
	}
	in, err := b.inputOf(n, true)
	if err != nil {
		return nil, err
	}
	return group.New(b.env, in, groups, aggs, n.Columns().Schema()), nil
}

func (b *builder) groupingSets(n *logical.GroupingSets) ([]exec.Operator, error) {
	below := positionsOf(n.In.Columns())
	s := group.Sets{Numbers: n.Numbers(), Schema: n.Columns().Schema()}
	var err error
	if s.Keys, err = below.computed(b.ctx, n.Keys); err != nil {
		return nil, err
	}
	if s.Aggs, err = below.aggregates(b.ctx, n.Aggs); err != nil {
		return nil, err
	}
	in, err := b.inputOf(n, false)
	if err != nil {
		return nil, err
	}
	return group.NewSets(b.env, in, s)
}

func (b *builder) sort(n *logical.Sort) ([]exec.Operator, error) {
	keys, err := positionsOf(n.In.Columns()).keys(b.ctx, n.Keys)
	if err != nil {
		return nil, err
	}
	in, err := b.inputOf(n, true)
	if err != nil {
		return nil, err
	}
	return []exec.Operator{order.NewSort(b.env, in, keys)}, nil
}
