package bind

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
	"github.com/parquetsql/parquetsql/planner/scope"
)

// block is the state of binding one SELECT.
type block struct {
	b     *binder
	s     *ast.Select
	outer *typer       // binds names of the query around this one; nil: none
	node  logical.Node // the plan so far
	scope *scope.Scope // the columns of FROM
	items []item
	agg   *aggregation // nil: no aggregation
	// grouped says that the block aggregates though none of its own clauses does.
	grouped bool
	win     *windows
	un      *unnests

	below *stage // aliases in WHERE, GROUP BY and arguments of aggregates
	above *stage // aliases in the select list and ORDER BY
	out   typer  // for the select list and ORDER BY
}

// item is one output column.
type item struct {
	ast   ast.Expr
	alias string
	name  string // of the output column
	x     expr.Expr
}

func (b *binder) selectNode(q *ast.Query, s *ast.Select, outer *typer) (logical.Node, error) {
	k := &block{b: b, s: s, outer: outer, scope: &scope.Scope{}, node: &logical.OneRow{}}
	if s.From != nil {
		if n := b.narrowed(q, s, outer); n != nil {
			return n, nil
		}
		var err error
		if k.node, k.scope, err = b.from(s.From, outer); err != nil {
			return nil, err
		}
	}
	if s.Sample != nil {
		var err error
		if k.node, err = sampleOf(b.ids, k.node, s.Sample, b.seed()); err != nil {
			return nil, err
		}
	}
	again := *k
	node, err := k.bind(q)
	if found, ok := errors.AsType[*ungroupedError](err); ok && found.of == k.scope { // an aggregate within a subquery is of this block
		again.grouped = true
		return again.bind(q)
	}
	return node, err
}

// bind binds the clauses after FROM.
func (k *block) bind(q *ast.Query) (logical.Node, error) {
	if err := k.expand(); err != nil {
		return nil, err
	}
	k.below, k.above = k.stage(inlineCondition, false), k.stage(inlineItem, true)
	if err := k.where(); err != nil {
		return nil, err
	}
	if err := k.group(q); err != nil {
		return nil, err
	}
	k.windowed()
	k.unnested()
	if err := k.list(); err != nil {
		return nil, err
	}
	having, err := k.having()
	if err != nil {
		return nil, err
	}
	qualify, err := k.qualify()
	if err != nil {
		return nil, err
	}
	keys, err := k.order(q)
	if err != nil {
		return nil, err
	}
	return k.assemble(q, having, qualify, keys)
}

// typer binds over the columns of FROM and all aliases of the select list.
func (k *block) typer(clause string) typer {
	t := typer{b: k.b, scope: k.scope, clause: clause, outer: k.outer, steps: k.below.layers}
	t.alias = k.below.aliases(t, len(k.items))
	return t
}

// nameOf is the name of an item without alias: that of the column, else the text, or what PostgreSQL
// calls it.
func (k *block) nameOf(it ast.Item) string {
	if nth, ok := it.Expr.(*ast.Nth); ok {
		if x, err := (&typer{scope: k.scope}).positional(nth); err == nil {
			return x.(*expr.Column).Name
		}
	}
	if id, ok := it.Expr.(*ast.Ident); ok {
		if m, err := k.scope.Resolve(id.Parts); err == nil && len(m.Rest) == 0 {
			return m.Name
		} else if err != nil && len(id.Parts) == 1 {
			return id.Parts[0] // an alias
		}
	}
	if k.b.env.PostgreSQL && it.Label != "" {
		return it.Label
	}
	return it.Text
}

func (k *block) where() error {
	if k.s.Where == nil {
		return nil
	}
	t := k.typer("WHERE")
	where, err := k.conjunction(k.s.Where)
	if err != nil {
		return err
	}
	k.below.evaluated(where)
	cond, err := t.condition(where)
	if err != nil {
		return err
	}
	k.node = &logical.Filter{In: k.below.Compute(k.node), Conjuncts: expr.Conjuncts(cond)}
	return nil
}

// group checks whether the block aggregates, and binds the group keys.
func (k *block) group(q *ast.Query) error {
	k.out = typer{b: k.b, scope: k.scope, clause: "the select list", outer: k.outer, steps: k.above.layers}
	k.out.alias = k.above.aliases(k.out, len(k.items))
	aggregated := k.grouped || len(k.s.GroupBy) > 0 || k.s.Having != nil || k.s.Qualify != nil && k.out.hasAggregate(k.s.Qualify)
	for _, it := range k.items {
		aggregated = aggregated || k.out.hasAggregate(it.ast) || k.s.GroupAll && ast.NamesColumn(it.ast)
	}
	for _, o := range q.OrderBy {
		aggregated = aggregated || k.out.hasAggregate(o.Expr)
	}
	if !aggregated {
		k.above.from, k.out.ungrouped = k.below, true
		k.out.alias = k.above.aliases(k.out, len(k.items))
		return nil
	}
	in := k.typer("an aggregate's argument")
	k.agg = &aggregation{in: &in, below: k.below, simple: true, all: k.s.GroupAll}
	t := k.typer("GROUP BY")
	sets, err := k.groupBy(&t)
	if err != nil {
		return err
	}
	for n := range k.items {
		if !k.s.GroupAll || k.out.hasAggregate(k.items[n].ast) || !ast.NamesColumn(k.items[n].ast) {
			continue // a constant is no key: beside an aggregate alone it leaves one group, as no key does
		}
		k.agg.simple = k.agg.simple && k.items[n].named(k.scope)
		x, name, err := k.itemKey(&t, n)
		if _, ok := errors.AsType[*misplacedAggregate](err); ok && ast.HasSubquery(k.items[n].ast) {
			continue // the aggregate of this block is in a subquery
		}
		if err != nil {
			return err
		}
		k.agg.addGroup(x, name)
	}
	if err := k.agg.ofSets(sets); err != nil {
		return err
	}
	k.out.first, k.out.groups = k.agg.first, true
	k.out.alias = k.above.aliases(k.out, len(k.items))
	return nil
}

// groupKey is an expression over FROM; a whole number is a position in the
// select list.
func (k *block) groupKey(t *typer, g ast.Expr) (expr.Expr, string, error) {
	n, ok, err := k.position(g, "GROUP BY")
	if err != nil {
		return nil, "", err
	}
	if ok {
		return k.itemKey(t, n)
	}
	k.below.evaluated(g)
	x, err := t.bind(g)
	if err != nil {
		return nil, "", err
	}
	k.agg.keys = append(k.agg.keys, writtenKey{g, x})
	if c, ok := x.(*expr.Column); ok {
		return k.below.written(c), c.Name, nil
	}
	return x, x.String(), nil
}

// named reports whether a group key is the name of a column of FROM, or the
// position of one.
func (k *block) named(g ast.Expr) bool {
	if n, ok, err := k.position(g, "GROUP BY"); ok && err == nil {
		return k.items[n].named(k.scope)
	}
	return (&item{ast: g}).named(k.scope)
}

// named reports whether the text of an item is the name of a column of FROM. An
// expression that folds to a column is not: the group keys must have the same text.
func (i *item) named(from *scope.Scope) bool {
	if i.x != nil {
		return true // from a star
	}
	id, ok := i.ast.(*ast.Ident)
	if !ok {
		return false
	}
	m, err := from.Resolve(id.Parts)
	return err == nil && len(m.Rest) == 0
}

// itemKey is item n of the select list as a group key.
func (k *block) itemKey(t *typer, n int) (expr.Expr, string, error) {
	it := k.items[n]
	if it.x != nil {
		return it.x, it.name, nil
	}
	x, err := k.below.item(*t, n, true)
	return x, it.name, err
}

// position is the index of the item that a whole number means.
func (k *block) position(e ast.Expr, clause string) (int, bool, error) {
	l, ok := e.(*ast.Literal)
	if !ok || l.Kind != ast.Integer {
		return 0, false, nil
	}
	n, err := strconv.Atoi(l.Text)
	if err != nil || n < 1 || n > len(k.items) {
		return 0, true, errs.At(l.Pos, l.End, fmt.Errorf("%s %s: the select list has %s", clause, l.Text, errs.Count(len(k.items), "column")))
	}
	return n - 1, true, nil
}

// list binds the select list.
func (k *block) list() error {
	for i := range k.items {
		it := &k.items[i]
		if it.x != nil { // from a star
			if k.agg == nil {
				continue
			}
			x, ok, err := k.agg.key(it.x)
			if err == nil && !ok {
				err = errs.State(errs.Grouping, fmt.Errorf("the column %q, from *, must be in GROUP BY", it.name))
				err = errs.At(it.ast.Start(), it.ast.Stop(), err)
			}
			if err != nil {
				return err
			}
			it.x = x
			continue
		}
		x, err := k.above.item(k.out, i, true)
		if err != nil {
			return err
		}
		it.x = x
	}
	return nil
}

// assemble builds the plan from the steps.
func (k *block) assemble(q *ast.Query, having, qualify *condition, order *ordering) (logical.Node, error) {
	node := k.node
	if k.agg != nil {
		node = k.agg.node(k.below.Compute(node))
	}
	node = qualify.filter(k.win.over(having.filter(node)))
	node, err := k.un.rows(k.above.Compute(node))
	if err != nil {
		return nil, err
	}
	p := k.project(node, order.extra)
	visible := p.Columns()[:len(k.items)]
	keys := make([]expr.SortKey, len(order.keys))
	for i, key := range order.keys {
		if keys[i], err = sortKey(p.Items[key.item].Ref(), key.Order); err != nil {
			return nil, err
		}
	}
	if node, err = k.distinct(p, order, keys); err != nil {
		return nil, err
	}
	if len(keys) > 0 {
		node = &logical.Sort{In: node, Keys: keys}
	}
	node, err = k.b.limit(q, node)
	if err != nil || len(node.Columns()) == len(visible) {
		return node, err
	}
	only := &logical.Project{In: node}
	for _, c := range visible {
		only.Items = append(only.Items, logical.HandOn(c))
	}
	return only, nil
}

// distinct is the rows of a projection without those that DISTINCT and DISTINCT ON drop.
func (k *block) distinct(p *logical.Project, order *ordering, keys []expr.SortKey) (logical.Node, error) {
	if !k.s.Distinct {
		return p, nil
	}
	if k.s.DistinctOn == nil && len(order.extra) == 0 {
		return distinctRows(k.b.ids, p)
	}
	var in logical.Node = p
	if k.s.DistinctOn == nil { // the first of the rows that are the same orders them, as in DuckDB
		numbered, number, err := logical.NewNumbered(k.b.ids, p, nil, nil)
		if err != nil {
			return nil, err
		}
		in, keys = numbered, []expr.SortKey{{Expr: number.Ref()}}
		for i := range k.items {
			order.on = append(order.on, i)
		}
	}
	on := make([]expr.Expr, len(order.on))
	for i, item := range order.on {
		var err error
		if on[i], err = collationKey(p.Items[item].Ref()); err != nil {
			return nil, err
		}
	}
	return k.firstOf(in, on, keys)
}

// project computes the items and, after them, the expressions that only the order
// needs. A column of the input keeps its identity at its first use.
func (k *block) project(in logical.Node, extra []expr.Expr) *logical.Project {
	p := &logical.Project{In: in, Items: make([]logical.Computed, 0, len(k.items)+len(extra))}
	free, never := logical.Made(in), predicate.Required(in.Columns())
	for i := range len(k.items) + len(extra) {
		c := logical.Computed{}
		if i < len(k.items) {
			c.Name, c.Expr = k.items[i].name, k.items[i].x
			if shared := k.above.items[i].column; shared != nil {
				c.Expr = shared.Ref()
			}
		} else {
			c.Expr = extra[i-len(k.items)]
			c.Name = c.Expr.String()
		}
		c.Type, c.Nullable = c.Expr.Type(), predicate.Nullable(c.Expr, never)
		x, ok := c.Expr.(*expr.Column)
		if c.Counts = ok && x.Counts; ok && free.Has(logical.ColumnID(x.Index)) {
			c.ID = logical.ColumnID(x.Index)
			free.Remove(c.ID)
		} else {
			c.ID = k.b.ids.New()
		}
		p.Items = append(p.Items, c)
	}
	return p
}
