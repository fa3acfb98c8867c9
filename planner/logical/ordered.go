package logical

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
)

// AsOfJoin is ASOF JOIN: each row of L with the row of R that matches it best, which
// is that of all rows with L op R and equal On for which R is nearest to L. If several
// are equally near it is any of them.
type AsOfJoin struct {
	Kind        JoinKind // InnerJoin, or LeftJoin for ASOF LEFT JOIN
	L, R        Node
	On          []expr.Expr // equalities between L and R
	Op          expr.Op     // OpGe, OpGt, OpLe or OpLt
	Left, Right expr.Expr   // Left Op Right, of one type; Right reads R only, Left does not read R
}

// NewAsOfJoin makes a join of conjuncts: equalities between L and R, and one other
// comparison of them. Columns of an outer query count as L's. It returns nil if the
// conjuncts are anything else.
func NewAsOfJoin(kind JoinKind, l, r Node, conjuncts []expr.Expr) *AsOfJoin {
	j := &AsOfJoin{Kind: kind, L: l, R: r}
	right := Made(r)
	for _, e := range conjuncts {
		var x, y expr.Expr
		var op expr.Op
		switch c := e.(type) {
		case *expr.Compare:
			x, y, op = c.L, c.R, c.Op
		case *expr.DistinctFrom:
			if x, y, op = c.L, c.R, expr.OpEq; !c.Not {
				return nil
			}
		default:
			return nil
		}
		if Reads(x, right) {
			x, y, op = y, x, op.Flip()
		}
		switch {
		case ReadBy(x).Empty() || !ReadBy(x).Intersect(right).Empty() || !Reads(y, right) || op == expr.OpNe:
			return nil
		case op == expr.OpEq:
			j.On = append(j.On, e)
		case j.Left != nil:
			return nil
		default:
			j.Op, j.Left, j.Right = op, x, y
		}
	}
	if j.Left == nil {
		return nil
	}
	return j
}

// Reads reports whether an expression reads columns, all of a set.
func Reads(e expr.Expr, of Set) bool {
	list := expr.ColumnsOf(e)
	return len(list) > 0 && !slices.ContainsFunc(list, func(c int) bool { return !of.Has(ColumnID(c)) })
}

// Columns implements Node: the columns of L, then those of R.
func (j *AsOfJoin) Columns() Columns {
	return append(fresh(j.L), padded(fresh(j.R), j.Kind.PadsRight())...)
}

// Inputs implements Node.
func (j *AsOfJoin) Inputs() []Node { return []Node{j.L, j.R} }

// Over implements Node.
func (j *AsOfJoin) Over(in []Node) (Node, error) {
	c := *j
	c.L, c.R = in[0], in[1]
	return &c, nil
}

// Exprs implements Node.
func (j *AsOfJoin) Exprs() []expr.Expr { return append(slices.Clip(j.On), j.Left, j.Right) }

// Narrow implements Node.
func (j *AsOfJoin) Narrow(Set) Node { return j }

// PositionalJoin is POSITIONAL JOIN: the first row of L with the first of R, the second
// with the second, and so on; NULLs stand for the rows that the shorter input lacks.
// The order of the inputs' rows counts: that of a table is the order of its files and
// of their rows.
type PositionalJoin struct{ L, R Node }

// Columns implements Node: the columns of L, then those of R.
func (j *PositionalJoin) Columns() Columns {
	return append(padded(fresh(j.L), true), padded(fresh(j.R), true)...)
}

// Inputs implements Node.
func (j *PositionalJoin) Inputs() []Node { return []Node{j.L, j.R} }

// Over implements Node.
func (j *PositionalJoin) Over(in []Node) (Node, error) {
	return &PositionalJoin{L: in[0], R: in[1]}, nil
}

// Exprs implements Node.
func (j *PositionalJoin) Exprs() []expr.Expr { return nil }

// Narrow implements Node.
func (j *PositionalJoin) Narrow(Set) Node { return j }
