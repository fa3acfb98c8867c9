package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Conditions that ask one column for several things: city LIKE 'a%' OR city LIKE '%b'. They are NULL where the column is,
// and else TRUE or FALSE, so that they are asked once of each value of a dictionary, and the rows once for all of them.

// oneColumn is the index of the column that all of a condition is about; -1 if it is of another kind.
func oneColumn(e Expr) int {
	switch e := e.(type) {
	case *Compare:
		if isValue(e.L) {
			return indexOf(e.R)
		}
		if isValue(e.R) {
			return indexOf(e.L)
		}
	case *In:
		for _, v := range e.List {
			if !isValue(v) {
				return -1
			}
		}
		return indexOf(e.X)
	case *Like:
		if isValue(e.Pattern) && e.Escape == nil {
			return indexOf(e.X)
		}
	case *Logic:
		column := oneColumn(e.Args[0])
		for _, a := range e.Args[1:] {
			if column < 0 || oneColumn(a) != column {
				return -1
			}
		}
		return column
	}
	return -1
}

// isValue reports whether e is a constant that is no NULL.
func isValue(e Expr) bool {
	c, ok := e.(*Const)
	return ok && !c.Value.Null
}

// indexOf is the index of a column that is not nested; -1 for other expressions.
func indexOf(e Expr) int {
	if c, ok := e.(*Column); ok && !c.T.IsNested() {
		return c.Index
	}
	return -1
}

// ofOneColumn is the node of AND or OR of conditions on one column. They see a batch that has this column alone.
func (e *Logic) ofOneColumn(by *Compiler) kernel.Node {
	var column *Column
	alone, err := Transform(e, func(n Expr) Expr {
		if c, ok := n.(*Column); ok {
			column = c
			return NewColumn(0, c.Name, c.T)
		}
		return n
	})
	l, ok := alone.(*Logic)
	if err != nil || !ok {
		return e.node(by)
	}
	was := by.alone
	by.alone = true // what is within it has nothing to gain
	inner := kernel.AsSelector(l.listed().node(by))
	by.alone = was
	run := func(m *quota.Meter, args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		return inner.Select(&kernel.Frame{Cols: args, N: n, Meter: m}, rows, into)
	}
	return kernel.NewLongCondition([]kernel.Node{by.Node(column)}, run)
}

// listed is the same condition on one column with IN for x = 1 OR x = 2, and NOT IN for x <> 1 AND x <> 2.
func (e *Logic) listed() *Logic {
	op := OpNe
	if e.Or {
		op = OpEq
	}
	var column *Column
	var values, others []Expr
	for _, a := range e.Args {
		if c, value := comparedWith(a, op); c != nil {
			column, values = c, append(values, value)
			continue
		}
		others = append(others, a)
	}
	if len(values) < 2 {
		return e
	}
	in, err := NewIn(column, values, !e.Or)
	if err != nil {
		return e
	}
	return &Logic{Or: e.Or, Args: append([]Expr{in}, others...)}
}

// manyOfColumn is how many conjuncts on one column are evaluated as one. Fewer stay apart: each may rule out a row group.
const manyOfColumn = 8

// Unite joins conjuncts that are many on one column, or that deny words of one text, at the place of the first.
func Unite(conjuncts []Expr) []Expr {
	conjuncts = searches(conjuncts, false, func(_ *search, of []Expr) Expr { return &Logic{Args: of} })
	if len(conjuncts) < manyOfColumn {
		return conjuncts
	}
	columns, count := make([]int, len(conjuncts)), map[int]int{}
	for i, e := range conjuncts {
		columns[i] = oneColumn(e)
		count[columns[i]]++
	}
	var out []Expr
	joined, place := map[int]*Logic{}, map[int]int{}
	for i, e := range conjuncts {
		c := columns[i]
		switch l := joined[c]; {
		case c < 0 || count[c] < manyOfColumn:
			out = append(out, e)
		case l != nil:
			l.Args = append(l.Args, e)
		default:
			joined[c], place[c] = &Logic{Args: []Expr{e}}, len(out)
			out = append(out, nil)
		}
	}
	for c, l := range joined {
		if l = l.listed(); len(l.Args) == 1 {
			out[place[c]] = l.Args[0]
		} else {
			out[place[c]] = l
		}
	}
	return out
}

// manyArms is how many arms of OR are worth a look at what they have in common.
const manyArms = 8

// needed are conditions that hold wherever one of the arms of OR does: of (a = 1 AND b = 2) OR (a = 3 AND b = 4), a IN (1, 3) and b
// IN (2, 4).
func (e *Logic) needed() []Expr {
	if !e.Or || len(e.Args) < manyArms || anyCanFail(e.Args) {
		return nil
	}
	lists := map[int][]Expr{}
	var order []*Column
	for i, arm := range e.Args {
		parts := []Expr{arm}
		if l, ok := arm.(*Logic); ok && !l.Or {
			parts = l.Args
		}
		for _, p := range parts {
			c, value := comparedWith(p, OpEq)
			if c == nil || len(lists[c.Index]) != i { // not in all arms before, or twice in this one
				continue
			}
			if i == 0 {
				order = append(order, c)
			}
			lists[c.Index] = append(lists[c.Index], value)
		}
	}
	var out []Expr
	for _, c := range order {
		if len(lists[c.Index]) < len(e.Args) {
			continue
		}
		if in, err := NewIn(c, lists[c.Index], false); err == nil {
			out = append(out, in)
		}
	}
	return out
}

// comparedWith returns the column and the constant of column = constant, or of another operator.
func comparedWith(e Expr, op scalar.Op) (*Column, Expr) {
	c, ok := e.(*Compare)
	if !ok || c.Op != op || oneColumn(c) < 0 {
		return nil, nil
	}
	if column, ok := c.L.(*Column); ok {
		return column, c.R
	}
	return c.R.(*Column), c.L
}
