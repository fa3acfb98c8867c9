package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/planner/estimate"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Peers computes a window for groups of peers, where all its calls have the same result for the rows of a group and
// the groups are few: the groups are sorted instead of the rows, which are joined with them.
//
//	SELECT x, RANK() OVER (PARTITION BY p ORDER BY k) FROM t
//	SELECT x, r FROM t JOIN (SELECT p, k, 1 + SUM(n) OVER (those before) AS r
//	  FROM (SELECT p, k, COUNT(*) AS n FROM t GROUP BY p, k)) g ON t.p IS NOT DISTINCT FROM g.p AND t.k IS NOT DISTINCT FROM g.k
func Peers(q logical.Query) (logical.Node, error) {
	est := estimate.New(q.Statistics)
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		w, ok := n.(*logical.Window)
		if !ok || len(w.OrderBy) == 0 || q.SkipsDamage || !logical.Repeatable(w.In) || !ofPeers(w) {
			return n, nil
		}
		r := &peers{query: q, window: w, groups: &logical.Aggregate{In: logical.Again(w.In)}}
		r.addGroups()
		if rows := est.Of(w.In).Count; rows < leastPeers || !est.Known(r.groups) || est.Of(r.groups).Count*rowsInPeers > rows {
			return n, nil
		}
		return r.rewritten()
	})
}

const (
	// rowsInPeers is how many rows the groups must have, on average, to be faster than sorting all rows.
	rowsInPeers = 3
	// leastPeers is from how many rows on that counts: the rows of a window come in its order in practice,
	// which people like to see of few rows.
	leastPeers = 256
)

// ofPeers reports whether all peers have the same results, and can be found by equality.
func ofPeers(w *logical.Window) bool {
	for _, k := range w.OrderBy {
		if !sameAsPeers(k.Expr.Type()) || expr.IsVolatile(k.Expr) {
			return false
		}
	}
	for _, e := range w.Partition {
		if expr.HasVariant(e.Type()) || expr.IsVolatile(e) {
			return false
		}
	}
	return !slices.ContainsFunc(w.Calls, func(c logical.WindowCall) bool {
		return slices.ContainsFunc(c.Call.Exprs(), expr.IsVolatile) || !ofGroup(c.Call)
	})
}

// sameAsPeers reports whether values of a type are peers exactly if they are equal for GROUP BY.
func sameAsPeers(t vector.Type) bool {
	switch {
	case t.IsInteger(), t.IsTimestamp(), t.Kind == vector.Boolean, t.Kind == vector.Date, t.Kind == vector.Varchar:
		return true
	}
	return t.Kind == vector.Decimal && t.Storage() == vector.StoreInt64
}

// combining are the aggregates that give the result of several groups, by the aggregate of each.
var combining = map[string]string{"COUNT": "SUM", "SUM": "SUM", "MIN": "MIN", "MAX": "MAX", "BOOL_AND": "BOOL_AND", "BOOL_OR": "BOOL_OR"}

// ofGroup reports whether a call has one result for a group of peers.
func ofGroup(c *window.Call) bool {
	switch c.Kind() {
	case window.Rank, window.DenseRank, window.PercentRank, window.CumeDist:
		return !c.Ordered()
	case window.Aggregate:
	default:
		return false
	}
	f, a := c.Frame(), c.Aggregate()
	t := a.Type()
	exact := a.Name() != "SUM" || t.IsInteger() || t.Kind == vector.Decimal
	if t.IsNested() && (a.Name() == "MIN" || a.Name() == "MAX") && !t.Equal(a.Args()[0].Type()) { // of the n least or greatest values
		return false
	}
	return f.Unit != window.Rows && f.Exclude == window.ExcludeNone && combining[a.Name()] != "" && exact && !a.Distinct() && !a.Ordered()
}

// peers makes the plan for one window.
type peers struct {
	query  logical.Query
	window *logical.Window
	groups *logical.Aggregate
	keys   []expr.Expr // of the rows, by group
	over   *logical.Window
	count  *logical.Column // rows of a group
}

func (r *peers) addGroups() {
	r.keys = slices.Clone(r.window.Partition)
	for _, k := range r.window.OrderBy {
		r.keys = append(r.keys, k.Expr)
	}
	for _, e := range r.keys {
		c := columnOf(r.query, r.window.In, e)
		c.ID = r.query.IDs.New()
		r.groups.Groups = append(r.groups.Groups, logical.Computed{Column: c, Expr: e})
	}
}

func (r *peers) rewritten() (logical.Node, error) {
	w := r.window
	r.over = &logical.Window{In: r.groups}
	for i := range w.Partition {
		r.over.Partition = append(r.over.Partition, r.groups.Groups[i].Ref())
	}
	for i, k := range w.OrderBy {
		k.Expr = r.groups.Groups[len(w.Partition)+i].Ref()
		r.over.OrderBy = append(r.over.OrderBy, k)
	}
	results := &logical.Project{In: r.over}
	join := &logical.Join{Kind: logical.InnerJoin, L: logical.Again(w.In), R: results}
	for i, g := range r.groups.Groups {
		same, err := expr.NewDistinctFrom(r.keys[i], g.Ref(), true)
		if err != nil {
			return nil, err
		}
		join.On = append(join.On, same)
		results.Items = append(results.Items, logical.HandOn(g.Column))
	}
	out := &logical.Project{In: join}
	for _, c := range w.In.Columns() {
		out.Items = append(out.Items, logical.HandOn(c))
	}
	for _, c := range w.Calls {
		e, err := r.result(c.Call)
		if err != nil {
			return nil, err
		}
		if e == nil {
			return w, nil
		}
		results.Items = append(results.Items, logical.Computed{Column: c.Column, Expr: e})
		out.Items = append(out.Items, logical.HandOn(c.Column))
	}
	return out, nil
}

// result is what a call is for a group, over the columns of the window of groups; nil if that cannot be said.
func (r *peers) result(c *window.Call) (expr.Expr, error) {
	switch c.Kind() {
	case window.DenseRank:
		return r.call("dense_rank", nil, nil)
	case window.Aggregate:
		return r.aggregate(c)
	}
	through, err := r.rows(nil)
	if err != nil {
		return nil, err
	}
	before, err := expr.NewArith(expr.OpSub, through, r.count.Ref())
	if err != nil {
		return nil, err
	}
	one := expr.NewConst(vector.IntScalar(1))
	if c.Kind() == window.Rank {
		return typed(expr.OpAdd, before, one, c.Type())
	}
	all, err := r.rows(window.Whole())
	if err != nil {
		return nil, err
	}
	if c.Kind() == window.CumeDist {
		return share(through, all)
	}
	others, err := expr.NewArith(expr.OpSub, all, one)
	if err != nil {
		return nil, err
	}
	part, err := share(before, others)
	if err != nil {
		return nil, err
	}
	alone, err := expr.NewCompare(expr.OpEq, all, one)
	if err != nil {
		return nil, err
	}
	return expr.NewCase(nil, []expr.Expr{alone}, []expr.Expr{expr.NewConst(vector.FloatScalar(0))}, part)
}

// typed is an operation whose result gets a type.
func typed(op expr.Op, l, r expr.Expr, t vector.Type) (expr.Expr, error) {
	e, err := expr.NewArith(op, l, r)
	if err != nil {
		return nil, err
	}
	return expr.NewCast(e, t, false)
}

// share is a part of a number of rows.
func share(part, of expr.Expr) (expr.Expr, error) {
	var err error
	for _, e := range []*expr.Expr{&part, &of} {
		if *e, err = expr.NewCast(*e, vector.Of(vector.Double), false); err != nil {
			return nil, err
		}
	}
	return expr.NewArith(expr.OpDiv, part, of)
}

// rows is the number of rows in a frame of groups.
func (r *peers) rows(frame *window.Frame) (expr.Expr, error) {
	if r.count == nil {
		call, err := aggregate.New("COUNT", nil, false, nil)
		if err != nil {
			return nil, err
		}
		n := part(r.query, r.groups, call)
		r.count = &n
	}
	return r.call("sum", []expr.Expr{r.count.Ref()}, frame)
}

// call is a column of the window of groups. Equal calls share one.
func (r *peers) call(name string, args []expr.Expr, frame *window.Frame) (expr.Expr, error) {
	call, err := window.New(name, args, window.Options{Frame: frame})
	if err != nil {
		return nil, err
	}
	for _, c := range r.over.Calls {
		if c.Call.Equal(call) {
			return c.Ref(), nil
		}
	}
	c := logical.NewWindowCall(r.query.IDs, call)
	r.over.Calls = append(r.over.Calls, c)
	return c.Ref(), nil
}

// aggregate is an aggregate over frames of groups.
func (r *peers) aggregate(c *window.Call) (expr.Expr, error) {
	moved, err := c.Transform(r.overGroups)
	if err != nil {
		return nil, err
	}
	frame, ids := moved.Frame(), r.groups.Columns().IDs()
	for _, b := range []window.Bound{frame.Start, frame.End} {
		for _, e := range []expr.Expr{b.Offset, b.Limit, b.Key} {
			if e != nil && len(expr.ColumnsOf(e)) > 0 && !logical.Reads(e, ids) {
				return nil, nil
			}
		}
	}
	call, err := r.exactly(c.Aggregate())
	if err != nil {
		return nil, err
	}
	group := part(r.query, r.groups, call)
	e, err := r.call(combining[c.Aggregate().Name()], []expr.Expr{group.Ref()}, &frame)
	if err != nil || !c.Aggregate().Function().ZeroOnEmpty {
		return typedAs(e, c.Type(), err)
	}
	none := expr.NewConst(vector.IntScalar(0))
	e, err = expr.NewCoalesce(e, none)
	return typedAs(e, c.Type(), err)
}

// exactly is a sum of integers without the limits of BIGINT: of a group it may be more than of a frame.
func (r *peers) exactly(a *aggregate.Call) (*aggregate.Call, error) {
	if a.Name() != "SUM" || !a.Args()[0].Type().IsInteger() {
		return a, nil
	}
	wide, err := expr.NewCast(a.Args()[0], vector.DecimalType(38, 0), false)
	if err != nil {
		return nil, err
	}
	return aggregate.New("SUM", []expr.Expr{wide}, false, a.Filter())
}

func typedAs(e expr.Expr, t vector.Type, err error) (expr.Expr, error) {
	if err != nil || e.Type().Equal(t) {
		return e, err
	}
	return expr.NewCast(e, t, false)
}

// overGroups is an expression over the columns of groups.
func (r *peers) overGroups(e expr.Expr) (expr.Expr, error) {
	return expr.Transform(e, func(e expr.Expr) expr.Expr {
		for i, k := range r.keys {
			if expr.Equal(e, k) {
				return r.groups.Groups[i].Ref()
			}
		}
		return e
	})
}
