package operators

import (
	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/common"
	"github.com/parquetsql/parquetsql/exec/group"
	"github.com/parquetsql/parquetsql/exec/order"
	"github.com/parquetsql/parquetsql/exec/sample"
	execwindow "github.com/parquetsql/parquetsql/exec/window"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
)

// Operators that each worker runs on its own rows.

// each adds one operator per stream of the node.
func (b *builder) each(in physical.Node, on func(exec.Operator) exec.Operator) ([]exec.Operator, error) {
	ops, err := b.build(in)
	for i := range ops {
		ops[i] = on(ops[i])
	}
	return ops, err
}

// narrowed is the streams of in for expressions that are computed of them. Batches have fewer
// rows where these are very many.
func (b *builder) narrowed(in physical.Node, exprs []expr.Expr) ([]exec.Operator, error) {
	return b.each(in, func(op exec.Operator) exec.Operator { return exec.Narrowed(b.env, op, exprs) })
}

func (b *builder) filter(n *physical.Filter) ([]exec.Operator, error) {
	conjuncts, err := positionsOf(n.In.Columns()).all(b.ctx, n.Of.Conjuncts)
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

func (b *builder) project(n *physical.Project) ([]exec.Operator, error) {
	exprs, err := positionsOf(n.In.Columns()).computed(b.ctx, n.Of.Items)
	if err != nil {
		return nil, err
	}
	schema := n.Columns().Schema()
	ops, err := b.narrowed(n.In, n.Of.Exprs())
	for i := range ops {
		ops[i] = exec.NewProject(b.env, ops[i], exprs, schema)
	}
	return ops, err
}

// pick hands its input on where that has the columns as they are.
func (b *builder) pick(n *physical.Pick) ([]exec.Operator, error) {
	below := n.In.Columns()
	places, err := positionsOf(below).places(n.From)
	if err != nil {
		return nil, err
	}
	same := len(n.From) == len(below)
	exprs := make([]expr.Expr, len(places))
	for i, at := range places {
		same = same && at == i
		exprs[i] = expr.NewColumn(at, n.Output[i].Name, n.Output[i].Type)
	}
	if same {
		return b.build(n.In)
	}
	schema := n.Output.Schema()
	return b.each(n.In, func(in exec.Operator) exec.Operator { return exec.NewProject(b.env, in, exprs, schema) })
}

func (b *builder) unnest(p *physical.Unnest) ([]exec.Operator, error) {
	n := p.Of
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
	below := p.In.Columns()
	at, err := positionsOf(below).places(ids)
	if err != nil {
		return nil, err
	}
	u := exec.Unnest{Column: at[0], Pos: n.Pos.ID != 0, Outer: n.Outer, On: on}
	if n.Series != nil {
		u.Series = &exec.Series{From: at[0], To: at[1], Step: at[2], Inclusive: n.Series.Inclusive}
	}
	keep := logical.SetOf(n.Keep...)
	for i, c := range below {
		if keep.Has(c.ID) {
			u.Keep = append(u.Keep, i)
		}
	}
	for _, e := range n.Elements {
		u.Fields = append(u.Fields, e.Field)
	}
	return b.each(p.In, func(in exec.Operator) exec.Operator { return exec.NewUnnest(b.env, in, u) })
}

// portion passes on a part of the rows of one stream, which are kept until all are counted, unless a sort below keeps them.
func (b *builder) portion(n *physical.Portion) ([]exec.Operator, error) {
	streams, err := b.build(n.In)
	if err != nil {
		return nil, err
	}
	in, total := streams[0], order.Total(streams[0])
	if total == nil {
		rows := common.New(b.env, streams)
		in, total = rows.InOrder(), rows.Len
	}
	return one(exec.NewPortion(in, offsetOf(in, n.Of.Offset), n.Of.Percent, total))
}

// offsetOf is how many rows of an operator are to be skipped: none where it does so itself.
func offsetOf(in exec.Operator, n int64) int64 {
	if n > 0 && order.Skip(in, n) {
		return 0
	}
	return n
}

// sample draws rows of one stream.
func (b *builder) sample(n *physical.Sample) ([]exec.Operator, error) {
	in, err := b.build(n.In)
	if err != nil {
		return nil, err
	}
	if of := n.Of; of.Size > 0 {
		return one(sample.New(b.env, in[0], sample.Rows{Size: of.Size, Of: of.Of, Seed: of.Seed}))
	}
	return one(sample.NewChance(in[0], n.Of.Chance, n.Of.Seed))
}

// Operators that need the rows of all workers.

func (b *builder) aggregate(n *physical.Aggregate) ([]exec.Operator, error) {
	below := positionsOf(n.In.Columns())
	groups, err := below.computed(b.ctx, n.Of.Groups)
	if err != nil {
		return nil, err
	}
	aggs, err := below.aggregates(b.ctx, n.Of.Aggs)
	if err != nil {
		return nil, err
	}
	in, err := b.narrowed(n.In, n.Of.Exprs())
	if err != nil {
		return nil, err
	}
	return group.New(b.env, in, groups, aggs, n.Columns().Schema()), nil
}

func (b *builder) groupingSets(n *physical.GroupingSets) ([]exec.Operator, error) {
	below := positionsOf(n.In.Columns())
	s := group.Sets{Numbers: n.Of.Numbers(), Schema: n.Columns().Schema()}
	var err error
	if s.Keys, err = below.computed(b.ctx, n.Of.Keys); err != nil {
		return nil, err
	}
	if s.Aggs, err = below.aggregates(b.ctx, n.Of.Aggs); err != nil {
		return nil, err
	}
	in, err := b.narrowed(n.In, n.Of.Exprs())
	if err != nil {
		return nil, err
	}
	return group.NewSets(b.env, in, s)
}

func (b *builder) sort(n *physical.Sort) ([]exec.Operator, error) {
	keys, err := positionsOf(n.In.Columns()).keys(b.ctx, n.Of.Keys)
	if err != nil {
		return nil, err
	}
	in, err := b.narrowed(n.In, n.Of.Exprs())
	if err != nil {
		return nil, err
	}
	return one(order.NewSort(b.env, in, keys))
}

func (b *builder) window(n *physical.Window) ([]exec.Operator, error) {
	below := positionsOf(n.In.Columns())
	var w execwindow.Window
	var err error
	if w.Partition, err = below.all(b.ctx, n.Of.Partition); err != nil {
		return nil, err
	}
	if w.OrderBy, err = below.keys(b.ctx, n.Of.OrderBy); err != nil {
		return nil, err
	}
	for _, c := range n.Of.Calls {
		call, err := c.Call.Transform(below.of(b.ctx))
		if err != nil {
			return nil, err
		}
		w.Calls = append(w.Calls, call)
	}
	in, err := b.build(n.In)
	if err != nil {
		return nil, err
	}
	if n.Of.Grouped {
		return b.grouped(n, in, w), nil
	}
	if n.Of.First > 0 {
		first := order.Contenders{Partition: w.Partition, Keys: w.OrderBy, N: int(n.Of.First), Expected: n.Of.Expected / float64(len(in))}
		for i := range in {
			if in[i], err = order.NewContenders(b.env, in[i], first); err != nil {
				return nil, err
			}
		}
	}
	return execwindow.New(b.env, in, w, n.Workers, n.Columns().Schema())
}

// grouped keeps rows with the numbers of their groups, and sorts them if there is no memory for that.
func (b *builder) grouped(n *physical.Window, in []exec.Operator, w execwindow.Window) []exec.Operator {
	beside := group.Beside{Keys: w.Partition, Schema: n.Columns().Schema(), Unread: n.Unread}
	for _, c := range w.Calls {
		beside.Aggs = append(beside.Aggs, c.Aggregate())
	}
	beside.Otherwise = func(rest []exec.Operator) ([]exec.Operator, error) {
		if n.Repeats {
			b.mu.Lock() // the query runs
			defer b.mu.Unlock()
			b.repeats = true
			var err error
			rest, err = b.build(n.In)
			if b.repeats = false; err != nil {
				return nil, err
			}
		}
		return execwindow.New(b.env, rest, w, len(in), beside.Schema)
	}
	return group.NewBeside(b.env, in, beside)
}
