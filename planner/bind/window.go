package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// windows is the window functions of a block. The select list, QUALIFY and ORDER BY read
// their results; binding these clauses adds the calls that they contain.
type windows struct {
	in    *typer // over FROM or the groups: arguments and definitions of windows
	stage *stage // the aliases that these use
	nodes []*logical.Window
	known expr.Index                      // of the nodes, by their first keys
	calls map[*logical.Window]*expr.Index // of their calls, by the first arguments
	drawn map[ast.Expr]expr.Expr          // the columns of volatile keys, see steady
}

// windowed lets the select list, QUALIFY and ORDER BY have window functions.
func (k *block) windowed() {
	in := k.out
	k.win = &windows{in: &in, stage: k.stage(inlineCondition, false), calls: map[*logical.Window]*expr.Index{}, drawn: map[ast.Expr]expr.Expr{}}
	in.clause, in.steps = "another window function", k.win.stage.layers
	in.alias = k.win.stage.aliases(in, len(k.items))
	k.out.first = k.win.first
	k.out.alias = k.above.aliases(k.out, len(k.items))
}

// first binds the call of a window function, and what is bound below it.
func (w *windows) first(e ast.Expr) (expr.Expr, bool, error) {
	if c, ok := e.(*ast.Call); ok && c.Over != nil {
		x, err := w.call(c)
		return x, true, err
	}
	if w.in.first == nil {
		return nil, false, nil
	}
	return w.in.first(e)
}

// call finds or adds a call.
func (w *windows) call(e *ast.Call) (expr.Expr, error) {
	if !window.Is(e.Name) && function.Is(e.Name) {
		return nil, fmt.Errorf("%s is neither an aggregate nor a window function: it takes no OVER", strings.ToUpper(e.Name))
	}
	node, err := w.definition(e.Over)
	if err != nil {
		return nil, err
	}
	parts, err := w.in.parts(e, w.stage)
	if err != nil {
		return nil, err
	}
	o := window.Options{Distinct: e.Distinct, Filter: parts.filter, OrderBy: parts.order, IgnoreNulls: e.IgnoreNulls, Span: w.in.b.span(e)}
	if o.Frame, err = w.frame(e.Over.Frame, node.OrderBy); err != nil {
		return nil, err
	}
	if len(o.OrderBy) > 0 && window.Only(e.Name) && e.Over.Frame == nil && len(node.OrderBy) == 0 {
		node.OrderBy, o.OrderBy, o.Frame = o.OrderBy, nil, window.Whole() // RANK(ORDER BY x) OVER ()
		for i := range node.OrderBy {
			node.OrderBy[i].Expr = w.steady(e.OrderBy[i].Expr, node.OrderBy[i].Expr)
		}
	}
	name, args, err := collatedExtreme(e.Name, parts.args)
	if err != nil {
		return nil, err
	}
	call, err := window.New(name, args, o)
	if err != nil {
		return nil, err
	}
	if node, err = w.node(node); err != nil {
		return nil, err
	}
	i, added := w.calls[node].Place(expr.FirstArgument(parts.args), len(node.Calls), func(i int) bool { return node.Calls[i].Call.Equal(call) })
	if added {
		node.Calls = append(node.Calls, logical.NewWindowCall(w.in.b.ids, call))
	}
	return node.Calls[i].Ref(), nil
}

// definition binds PARTITION BY and ORDER BY.
func (w *windows) definition(s *ast.Window) (*logical.Window, error) {
	n := &logical.Window{}
	for _, e := range s.Partition {
		w.stage.evaluated(e)
	}
	for _, o := range s.OrderBy {
		w.stage.evaluated(o.Expr)
	}
	var err error
	if n.Partition, err = w.in.all(s.Partition...); err != nil {
		return nil, err
	}
	if n.OrderBy, err = w.in.sortKeys(s.OrderBy); err != nil {
		return nil, err
	}
	for i, e := range n.Partition {
		if e, err = collationKey(e); err != nil {
			return nil, err
		}
		e = expr.OrderKey(e)
		n.Partition[i] = e
		if e.Type().Shown().Storage() == vector.StoreNested {
			return nil, errs.Unsupported("PARTITION BY a %s", e.Type().Name())
		}
	}
	for _, o := range n.OrderBy {
		if o.Expr.Type().Shown().Storage() == vector.StoreNested {
			return nil, errs.Unsupported("ORDER BY a %s", o.Expr.Type().Name())
		}
	}
	for i := range n.Partition {
		n.Partition[i] = w.steady(s.Partition[i], n.Partition[i])
	}
	for i := range n.OrderBy {
		n.OrderBy[i].Expr = w.steady(s.OrderBy[i].Expr, n.OrderBy[i].Expr)
	}
	return n, dividePartition(n)
}

// steady is a key of a window that has one value for each row: keys are evaluated where rows are
// sorted and again where partitions and peers end, and RANDOM() would have another value there. The
// calls over a named window share the values.
func (w *windows) steady(e ast.Expr, key expr.Expr) expr.Expr {
	if !expr.IsVolatile(key) {
		return key
	}
	if w.drawn[e] == nil {
		w.drawn[e] = w.in.once(key)
	}
	return w.drawn[e]
}

// maxWindows is as many as there are tables in FROM: the rows are sorted for each.
const maxWindows = 1000

// node is the node with a definition; all calls over one window have the same.
func (w *windows) node(n *logical.Window) (*logical.Window, error) {
	i, added := w.known.Place(expr.FirstArgument(n.Exprs()), len(w.nodes), func(i int) bool {
		known := w.nodes[i]
		return slices.EqualFunc(known.Partition, n.Partition, expr.Equal) && slices.EqualFunc(known.OrderBy, n.OrderBy, sameKey)
	})
	if added {
		w.nodes = append(w.nodes, n)
		w.calls[n] = &expr.Index{}
	}
	if i >= maxWindows {
		return nil, errs.Unsupported("more than %d different windows in one SELECT", maxWindows)
	}
	return w.nodes[i], nil
}

func sameKey(a, b expr.SortKey) bool {
	return a.Desc == b.Desc && a.NullsFirst == b.NullsFirst && expr.Equal(a.Expr, b.Expr)
}

// frame binds a frame; nil is the default one.
func (w *windows) frame(f *ast.Frame, order []expr.SortKey) (*window.Frame, error) {
	if f == nil {
		return nil, nil
	}
	out := window.Frame{
		Unit:    [...]window.Unit{ast.Range: window.Range, ast.Rows: window.Rows, ast.Groups: window.Groups}[f.Unit],
		Exclude: [...]window.Exclude{ast.ExcludeNone: window.ExcludeNone, ast.ExcludeRow: window.ExcludeRow, ast.ExcludeGroup: window.ExcludeGroup, ast.ExcludeTies: window.ExcludeTies}[f.Exclude],
	}
	var err error
	if out.Start, err = w.bound(f.Start); err != nil {
		return nil, err
	}
	if out.End, err = w.bound(f.End); err != nil {
		return nil, err
	}
	return window.NewFrame(out, order)
}

func (w *windows) bound(b ast.FrameBound) (out window.Bound, err error) {
	out.Kind = [...]window.BoundKind{
		ast.UnboundedPreceding: window.UnboundedPreceding, ast.Preceding: window.Preceding, ast.CurrentRow: window.CurrentRow,
		ast.Following: window.Following, ast.UnboundedFollowing: window.UnboundedFollowing,
	}[b.Kind]
	if b.Offset != nil {
		out.Offset, err = w.in.bind(b.Offset)
	}
	return out, err
}

// over adds the calls above a node.
func (w *windows) over(in logical.Node) logical.Node {
	if len(w.nodes) == 0 {
		return in
	}
	in = w.stage.Compute(in)
	for _, n := range w.nodes {
		n.In, in = in, n
	}
	return in
}

// windowing is the code of PostgreSQL for window functions where there can be none.
const windowing = "42P20"

// misplaced is the error of a window function where there can be none.
func (t *typer) misplaced(e *ast.Call) error {
	name := strings.ToUpper(e.Name)
	switch {
	case e.Over == nil:
		return fmt.Errorf("%s is a window function: it needs OVER (…)", name)
	case t.clause == "WHERE" || t.clause == "HAVING":
		return errs.State(windowing, fmt.Errorf("the window function %s is not allowed in %s; QUALIFY is the condition for it", name, t.clause))
	}
	return errs.State(windowing, fmt.Errorf("the window function %s is not allowed in %s", name, t.clause))
}

// firstOf keeps the first row, in the order of keys, for each combination of values:
// DISTINCT ON.
func (k *block) firstOf(in logical.Node, on []expr.Expr, keys []expr.SortKey) (logical.Node, error) {
	w, number, err := logical.NewNumbered(k.b.ids, in, on, keys)
	if err != nil {
		return nil, err
	}
	first, err := expr.NewCompare(expr.OpLe, number.Ref(), expr.NewConst(vector.IntScalar(1)))
	if err != nil {
		return nil, err
	}
	return &logical.Filter{In: w, Conjuncts: []expr.Expr{first}}, nil
}
