package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
	"github.com/parquetsql/parquetsql/vector"
)

// fewTuples are compared with each row one after the other: that is about as fast as to look them up.
const fewTuples = 16

// Tuples makes of a long list of tuples, (a, b) IN ((1, 2), (3, 4), …) or the OR of ANDs that this is, a semi join with the
// tuples as rows. In its place a IN (1, 3, …) and b IN (2, 4, …) remain, by which a scan skips. NOT IN becomes an anti join or,
// where a or b may be NULL, a mark join.
func Tuples(q logical.Query) (logical.Node, error) {
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		switch n := n.(type) {
		case *logical.Scan:
			return joinTuples(q.IDs, n, n.Filter, func(rest []expr.Expr) logical.Node {
				c := *n
				c.Filter = rest
				return &c
			})
		case *logical.Filter:
			return joinTuples(q.IDs, n, n.Conjuncts, func(rest []expr.Expr) logical.Node {
				if len(rest) == 0 {
					return n.In
				}
				return &logical.Filter{In: n.In, Conjuncts: rest}
			})
		}
		return n, nil
	})
}

// joinTuples is n, whose conditions are conjuncts, with joins for the lists of tuples among them; with makes n with other conditions.
// The conjuncts behind a list must not fail, as the list may be what keeps rows from them.
func joinTuples(ids *logical.IDs, n logical.Node, conjuncts []expr.Expr, with func([]expr.Expr) logical.Node) (logical.Node, error) {
	from := len(conjuncts)
	for from > 0 && !expr.CanFail(conjuncts[from-1]) && !expr.IsVolatile(conjuncts[from-1]) {
		from--
	}
	rest := slices.Clone(conjuncts[:from])
	var lists []*tuples
	for _, c := range conjuncts[from:] {
		t := tuplesOf(c)
		if t == nil {
			rest = append(rest, c)
			continue
		}
		among, err := t.among()
		if err != nil {
			return nil, err
		}
		rest, lists = append(rest, among...), append(lists, t)
	}
	if t, others := excluded(rest[from:]); t != nil {
		rest, lists = append(rest[:from], others...), append(lists, t)
	}
	if lists == nil || !logical.Made(n).Contains(logical.ReadBy(conjuncts...)) {
		return n, nil
	}
	out := with(rest)
	var err error
	for _, t := range lists {
		if out, err = t.join(ids, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// tuples are rows of constants, one of which, or none with not, several expressions have to equal.
type tuples struct {
	of   []expr.Expr
	rows [][]expr.Expr
	not  bool
}

// tuplesOf is what a condition demands; nil if that is something else, or little.
func tuplesOf(c expr.Expr) *tuples {
	or, ok := c.(*expr.Logic)
	if !ok || !or.Or || len(or.Args) < fewTuples {
		return nil
	}
	t := &tuples{}
	for _, arg := range or.Args {
		if !t.add(expr.Conjuncts(arg), expr.OpEq) {
			return nil
		}
	}
	return t
}

// excluded is what conditions like a <> 1 OR b <> 2 demand together, of the same expressions, and the other conditions; nil
// if that is little.
func excluded(conjuncts []expr.Expr) (t *tuples, others []expr.Expr) {
	if len(conjuncts) < fewTuples {
		return nil, nil
	}
	t = &tuples{not: true}
	for _, c := range conjuncts {
		if or, ok := c.(*expr.Logic); !ok || !or.Or || !t.add(or.Args, expr.OpNe) {
			others = append(others, c)
		}
	}
	if len(t.rows) < fewTuples {
		return nil, nil
	}
	return t, others
}

// add adds the row of constants with which comparisons compare the expressions; the first row says which these are. It is false
// if they are no such comparisons.
func (t *tuples) add(comparisons []expr.Expr, op expr.Op) bool {
	n := len(comparisons)
	if n < 2 || t.of != nil && n != len(t.of) {
		return false
	}
	of, row := make([]expr.Expr, n), make([]expr.Expr, n)
	for i, x := range comparisons {
		c, ok := x.(*expr.Compare)
		if !ok || c.Op != op || !isKey(c) {
			return false
		}
		at := i
		if t.of != nil {
			at = slices.IndexFunc(t.of, func(e expr.Expr) bool { return expr.Equal(e, c.L) })
		} else if slices.ContainsFunc(of[:i], func(e expr.Expr) bool { return expr.Equal(e, c.L) }) {
			at = -1
		}
		if at < 0 || row[at] != nil {
			return false
		}
		of[at], row[at] = c.L, c.R
	}
	t.of, t.rows = of, append(t.rows, row)
	return true
}

// isKey reports whether an expression is compared with a constant of its type, as the keys of a join are compared.
func isKey(c *expr.Compare) bool {
	value, ok := c.R.(*expr.Const)
	t := c.L.Type()
	return ok && !value.Value.Null && t.Equal(value.Type()) && !t.Shown().IsNested() && t.Collation == 0
}

// among is for each expression that it equals one of its constants.
func (t *tuples) among() ([]expr.Expr, error) {
	out := make([]expr.Expr, len(t.of))
	for i, e := range t.of {
		list := make([]expr.Expr, len(t.rows))
		for k, row := range t.rows {
			list[k] = row[i]
		}
		slices.SortFunc(list, compareConsts)
		list = slices.CompactFunc(list, func(a, b expr.Expr) bool { return compareConsts(a, b) == 0 })
		var err error
		if out[i], err = expr.NewIn(e, list, false); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func compareConsts(a, b expr.Expr) int { return a.(*expr.Const).Value.Compare(&b.(*expr.Const).Value) }

// join is the rows of n that have one of the tuples, or none.
func (t *tuples) join(ids *logical.IDs, n logical.Node) (logical.Node, error) {
	var columns logical.Columns
	for _, e := range t.of {
		columns = append(columns, logical.Column{Name: e.String(), Type: e.Type()})
	}
	values, err := logical.NewValues(ids, columns, t.rows)
	if err != nil {
		return nil, err
	}
	on := make([]expr.Expr, len(t.of))
	for i, e := range t.of {
		if on[i], err = expr.NewCompare(expr.OpEq, e, values.Output[i].Ref()); err != nil {
			return nil, err
		}
	}
	j := &logical.Join{Kind: logical.SemiJoin, L: n, R: values, On: on}
	never := predicate.Required(n.Columns())
	switch {
	case !t.not:
		return j, nil
	case !slices.ContainsFunc(t.of, func(e expr.Expr) bool { return predicate.Nullable(e, never) }):
		j.Kind = logical.AntiJoin
		return j, nil
	}
	j.Kind, j.On = logical.MarkJoin, nil
	j.Mark = logical.Column{ID: ids.New(), Name: "in", Type: vector.Of(vector.Boolean), Nullable: true}
	if j.Test, err = expr.NewAnd(on...); err != nil {
		return nil, err
	}
	none, err := expr.NewNot(j.Mark.Ref())
	if err != nil {
		return nil, err
	}
	return sameColumns(&logical.Filter{In: j, Conjuncts: []expr.Expr{none}}, n.Columns()), nil
}
