package logical

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// ColumnID is the identity of a column: unique within a query, from 1 on; 0 is
// no column. Wherever a plan has an expression, the Index of an expr.Column is
// such an identity and no position. Only package operators turns identities into
// the positions that operators work with.
//
// Two columns with one ID have the same value in every row that has both. So a
// node keeps the ID of a column that it hands on, and takes a new one for what
// it computes. Two Scans of one table have different IDs.
type ColumnID int

// IDs hands out the identities of one query. The binder makes one, rules that
// compute new columns go on with it. It is for one goroutine.
type IDs struct {
	last   ColumnID
	common CommonID
}

// New is an identity that no other column of the query has.
func (i *IDs) New() ColumnID {
	i.last++
	return i.last
}

// NewCommon is the identity of a With or a Recursive.
func (i *IDs) NewCommon() CommonID {
	i.common++
	return i.common
}

// Column is one column that a node produces.
type Column struct {
	ID       ColumnID
	Name     string
	Type     vector.Type
	Nullable bool
	Counts   bool // rows: see expr.Column
}

// Ref is the column as an expression.
func (c Column) Ref() *expr.Column {
	return &expr.Column{Index: int(c.ID), Name: c.Name, T: c.Type, Counts: c.Counts}
}

// Columns are the columns of a node, in order.
type Columns []Column

// Find is the column with an identity.
func (c Columns) Find(id ColumnID) (Column, bool) {
	if i := c.Position(id); i >= 0 {
		return c[i], true
	}
	return Column{}, false
}

// Position is the place of a column, -1 where it is not among them.
func (c Columns) Position(id ColumnID) int {
	return slices.IndexFunc(c, func(x Column) bool { return x.ID == id })
}

// List is their identities in order.
func (c Columns) List() []ColumnID {
	out := make([]ColumnID, len(c))
	for i := range c {
		out[i] = c[i].ID
	}
	return out
}

// IDs is the set of their identities.
func (c Columns) IDs() Set {
	var s Set
	for i := range c {
		s.Add(c[i].ID)
	}
	return s
}

// Schema describes the columns as operators do, without identities.
func (c Columns) Schema() vector.Schema {
	out := make(vector.Schema, len(c))
	for i, x := range c {
		out[i] = vector.Column{Name: x.Name, Type: x.Type, Nullable: x.Nullable}
	}
	return out
}

// Computed is a column and the expression that gives its values. It hands a
// column on where the expression is a column with the same identity.
type Computed struct {
	Column
	Expr expr.Expr
}

// HandOn is the column as it comes from the input.
func HandOn(c Column) Computed { return Computed{Column: c, Expr: c.Ref()} }

// HandsOn reports whether the column comes from the input with its identity.
func (c Computed) HandsOn() bool {
	x, ok := c.Expr.(*expr.Column)
	return ok && ColumnID(x.Index) == c.ID
}

func columnsOf(list []Computed) Columns {
	out := make(Columns, len(list))
	for i, c := range list {
		out[i] = c.Column
	}
	return out
}
