package bind

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
	"github.com/parquetsql/parquetsql/vector"
)

// Plans of set operations and of fixed rows. A setChain takes the sides
// of UNION, INTERSECT and EXCEPT from left to right.

// maxNested is how many set operations may depend on each other's result. A chain of
// UNION is one node, however long.
const maxNested = 1000

// setChain is a chain of set operations, from left to right. Its sides are united
// when an operation needs the result.
type setChain struct {
	ids      *logical.IDs
	sides    []side
	distinct bool // equal rows become one
	nested   int
	names    [][]string
}

// newSetChain is a chain of one side. written is as in Add.
func newSetChain(ids *logical.IDs, first logical.Node, written []string) *setChain {
	return &setChain{ids: ids, sides: []side{newSide(first, nil)}, names: [][]string{written}}
}

// Names is lists of names, by column, that ORDER BY may use besides those of the
// result; "" is none.
func (c *setChain) Names() [][]string { return c.names }

// side is columns of a node, or expressions over it. Their names are those of columns.
type side struct {
	node    logical.Node
	columns logical.Columns
	exprs   []expr.Expr
	written ast.Body // nil: it is the result of several sides
}

func newSide(n logical.Node, written ast.Body) side {
	s := side{node: n, columns: n.Columns(), written: written}
	for _, c := range s.columns {
		s.exprs = append(s.exprs, c.Ref())
	}
	return s
}

// Add applies an operation to the result so far. written is the names of the right
// side's columns before they got aliases.
func (c *setChain) Add(op *ast.SetOp, n logical.Node, written []string) error {
	right := newSide(n, op.R)
	if op.ByName {
		return c.byName(op, right)
	}
	want, got := len(c.sides[0].columns), len(right.columns)
	if want != got {
		err := errs.State("42601", fmt.Errorf("%s: the left side has %s, the right side %d", op.Kind, errs.Count(want, "column"), got))
		if right, ok := op.R.(placed); ok {
			return errs.At(right.Start(), right.Stop(), err)
		}
		return err
	}
	var names []string
	for _, x := range right.columns {
		names = append(names, x.Name)
	}
	c.names = append(c.names, written, names)
	if op.Kind == ast.Union && !(op.All && c.distinct) {
		c.sides = append(c.sides, right)
		c.distinct = c.distinct || !op.All
		return nil
	}
	left, err := c.Result()
	if err != nil {
		return err
	}
	c.sides, c.distinct = []side{newSide(left, nil), right}, !op.All
	if op.Kind == ast.Union {
		return c.nest()
	}
	sides, err := unify(c.ids, c.sides)
	if err == nil {
		left, err = matching(c.ids, op, sides[0], sides[1])
	}
	if err != nil {
		return errs.Reword(err, func(err error) error { return fmt.Errorf("%s: %w", op.Kind, err) })
	}
	c.sides = []side{newSide(left, nil)}
	return c.nest()
}

// matching is the rows of l that are in r, or those that are not. With ALL each row of
// r counts for one of l: the n-th of several equal rows is matched with the n-th.
func matching(ids *logical.IDs, op *ast.SetOp, l, r logical.Node) (logical.Node, error) {
	columns := l.Columns()
	if op.All {
		var err error
		if l, err = numbered(ids, l); err != nil {
			return nil, err
		}
		if r, err = numbered(ids, r); err != nil {
			return nil, err
		}
	}
	j := &logical.Join{Kind: logical.SemiJoin, L: l, R: r}
	if op.Kind == ast.Except {
		j.Kind = logical.AntiJoin
	}
	var err error
	if j.On, err = same(l.Columns(), r.Columns()); err != nil || !op.All {
		return j, err
	}
	p := &logical.Project{In: j}
	for _, c := range columns {
		p.Items = append(p.Items, logical.HandOn(c))
	}
	return p, nil
}

// numbered adds a column with the number of a row among those that are equal.
func numbered(ids *logical.IDs, n logical.Node) (logical.Node, error) {
	var all []expr.Expr
	for _, c := range n.Columns() {
		key := expr.OrderKey(c.Ref())
		if key.Type().IsNested() {
			return nil, errs.Unsupported("ALL of a %s", c.Type)
		}
		all = append(all, key)
	}
	w, _, err := logical.NewNumbered(ids, n, all, nil)
	return w, err
}

func (c *setChain) nest() error {
	if c.nested++; c.nested > maxNested {
		return fmt.Errorf("more than %d set operations that need each other's result", maxNested)
	}
	return nil
}

// Result unites the sides.
func (c *setChain) Result() (logical.Node, error) {
	n := c.sides[0].node
	if len(c.sides) > 1 {
		sides, err := unify(c.ids, c.sides)
		if err != nil {
			return nil, errs.Reword(err, func(err error) error { return fmt.Errorf("UNION: %w", err) })
		}
		n = logical.NewUnion(c.ids, sides...)
	}
	if c.distinct {
		var err error
		if n, err = distinctRows(c.ids, n); err != nil {
			return nil, err
		}
	}
	c.sides, c.distinct = []side{newSide(n, nil)}, false
	return n, nil
}

// distinctRows is the different rows of a node.
func distinctRows(ids *logical.IDs, n logical.Node) (logical.Node, error) {
	a, p := &logical.Aggregate{In: n}, &logical.Project{}
	changed := false
	for _, c := range n.Columns() {
		g, it := logical.HandOn(c), logical.HandOn(c)
		if hasCollation(c.Ref()) { // the first of the texts that are the same
			first, err := aggregate.New("first", []expr.Expr{c.Ref()}, false, nil)
			if err == nil {
				g.Expr, err = collationKey(c.Ref())
			}
			if err != nil {
				return nil, err
			}
			text := logical.NewAggregation(ids, first)
			g.ID, g.Type, changed = ids.New(), g.Expr.Type(), true
			a.Aggs, it.Expr = append(a.Aggs, text), text.Ref()
		}
		if expr.HasVariant(c.Type) {
			g.ID, g.Expr = ids.New(), expr.Key(c.Ref())
			g.Type, changed = g.Expr.Type(), true
			it.Expr = expr.FromKey(g.Ref(), c.Type)
		}
		a.Groups, p.Items = append(a.Groups, g), append(p.Items, it)
	}
	if !changed {
		return a, nil
	}
	p.In = a
	return p, nil
}

// same is the conditions that two rows are the same, NULL being the same as NULL.
func same(l, r logical.Columns) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(l))
	var err error
	for i := range l {
		if out[i], err = expr.NewDistinctFrom(l[i].Ref(), r[i].Ref(), true); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// unify casts the columns of several sides, by their position, to common types.
func unify(ids *logical.IDs, sides []side) ([]logical.Node, error) {
	rows := make([][]expr.Expr, len(sides))
	for i, s := range sides {
		rows[i] = make([]expr.Expr, len(s.exprs))
	}
	column := make([]expr.Expr, len(sides))
	for k, first := range sides[0].columns {
		for i, s := range sides {
			column[i] = s.exprs[k]
		}
		cast, _, err := expr.CommonExprs(column)
		if err != nil {
			return nil, misfit(sides, k, fmt.Errorf("column %d (%s): %w", k+1, first.Name, err))
		}
		for i := range sides {
			rows[i][k] = cast[i]
		}
	}
	out := make([]logical.Node, len(sides))
	for i, s := range sides {
		out[i] = computedRows(ids, s.node, s.columns, rows[i])
	}
	return out, nil
}

// misfit is an error of column k at the item of the first side whose type does not fit those before it.
func misfit(sides []side, k int, err error) error {
	var column []expr.Expr
	for _, s := range sides {
		column = append(column, s.exprs[k])
		if _, _, wrong := expr.CommonExprs(column); wrong == nil {
			continue
		}
		if item := ast.ItemOf(s.written, k); item != nil {
			return errs.At(item.Start(), item.Stop(), err)
		}
		break
	}
	return err
}

// computedRows is expressions over a node, named like the columns that they stand for;
// the node itself if they are its columns.
func computedRows(ids *logical.IDs, n logical.Node, names logical.Columns, list []expr.Expr) logical.Node {
	in := n.Columns()
	free, never := in.IDs(), predicate.Required(in)
	p := &logical.Project{In: n}
	changed := len(list) != len(in)
	for i, x := range list {
		c := logical.Computed{Column: logical.Column{Name: names[i].Name, Type: x.Type(), Nullable: predicate.Nullable(x, never)}, Expr: x}
		if ref, ok := x.(*expr.Column); ok && free.Has(logical.ColumnID(ref.Index)) {
			c.ID = logical.ColumnID(ref.Index)
			free.Remove(c.ID)
			changed = changed || in[i].ID != c.ID || in[i].Name != c.Name
		} else {
			c.ID, changed = ids.New(), true
		}
		p.Items = append(p.Items, c)
	}
	if !changed {
		return n
	}
	return p
}

// byName adds a side of UNION BY NAME. The columns of the result are those of the left
// side, then those that only the right side has; where a side lacks one it is NULL.
func (c *setChain) byName(op *ast.SetOp, right side) error {
	n, err := c.Result()
	if err != nil {
		return err
	}
	left := newSide(n, nil)
	l, err := byNames(left, "left")
	if err != nil {
		return err
	}
	r, err := byNames(right, "right")
	if err != nil {
		return err
	}
	names := left.columns
	for _, x := range right.columns {
		if _, ok := l[strings.ToLower(x.Name)]; !ok {
			names = append(names, x)
		}
	}
	c.sides, c.distinct = []side{left.named(names, l), right.named(names, r)}, !op.All
	c.names = nil // they are not by position
	return c.nest()
}

// named is the columns of a side by their names, NULL for those that it lacks.
func (s side) named(names logical.Columns, known map[string]expr.Expr) side {
	s.columns, s.exprs = names, nil
	for _, c := range names {
		x, ok := known[strings.ToLower(c.Name)]
		if !ok {
			x = expr.NewConst(vector.NullOf(vector.Of(vector.Null)))
		}
		s.exprs = append(s.exprs, x)
	}
	return s
}

func byNames(s side, name string) (map[string]expr.Expr, error) {
	out := map[string]expr.Expr{}
	for i, c := range s.columns {
		lower := strings.ToLower(c.Name)
		if _, ok := out[lower]; ok {
			return nil, fmt.Errorf("UNION BY NAME: the %s side has two columns named %q", name, c.Name)
		}
		out[lower] = s.exprs[i]
	}
	return out, nil
}
