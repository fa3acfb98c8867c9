package predicate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// EqualColumns is the two columns of a conjunct a = b, if from a = b and b = c follows
// a = c: their types are the same, or both are integers.
func EqualColumns(e expr.Expr) (a, b *expr.Column, ok bool) {
	c, ok := e.(*expr.Compare)
	if !ok || c.Op != expr.OpEq {
		return nil, nil, false
	}
	a, ok = c.L.(*expr.Column)
	b, ok2 := c.R.(*expr.Column)
	if !ok || !ok2 || a.Index == b.Index {
		return nil, nil, false
	}
	whole := a.T.IsInteger() && b.T.IsInteger()
	return a, b, whole || a.T.Equal(b.T) && a.T.Storage() != vector.StoreNested
}

// Classes is sets of columns that are equal.
type Classes struct {
	of   map[logical.ColumnID]int // the set of a column
	sets [][]*expr.Column         // in the order of their first columns; merged ones are nil
}

// NewClasses has no columns.
func NewClasses() *Classes { return &Classes{of: map[logical.ColumnID]int{}} }

// Add makes two columns equal. It reports whether they were not.
func (k *Classes) Add(a, b *expr.Column) bool {
	i, j := k.set(a), k.set(b)
	if i == j {
		return false
	}
	i, j = min(i, j), max(i, j)
	for _, c := range k.sets[j] {
		k.of[logical.ColumnID(c.Index)] = i
	}
	k.sets[i], k.sets[j] = append(k.sets[i], k.sets[j]...), nil
	return true
}

func (k *Classes) set(c *expr.Column) int {
	id := logical.ColumnID(c.Index)
	if i, ok := k.of[id]; ok {
		return i
	}
	k.of[id] = len(k.sets)
	k.sets = append(k.sets, []*expr.Column{c})
	return k.of[id]
}

// Of is the columns that are equal to a column, which is one of them; nil if there are
// no others.
func (k *Classes) Of(id logical.ColumnID) []*expr.Column {
	if i, ok := k.of[id]; ok {
		return k.sets[i]
	}
	return nil
}

// All are the sets.
func (k *Classes) All() [][]*expr.Column {
	out := make([][]*expr.Column, 0, len(k.sets))
	for _, s := range k.sets {
		if s != nil {
			out = append(out, s)
		}
	}
	return out
}
