package logical

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
)

// JoinKind says which rows a Join makes of the pairs that match.
type JoinKind uint8

// The joins. A pair of rows, one of L and one of R, matches if all conjuncts of On
// are TRUE; without On all pairs match.
const (
	InnerJoin JoinKind = iota // every pair that matches
	LeftJoin                  // and each row of L without a match, with NULLs for R
	RightJoin                 // and each row of R without a match, with NULLs for L
	FullJoin                  // and both
	SemiJoin                  // each row of L that has a match, once
	AntiJoin                  // each row of L that has none
	// MarkJoin is each row of L, once, and Mark: whether it has a match for which
	// Test is TRUE too. See Join.Test for NULL.
	MarkJoin
	// SingleJoin is LeftJoin for a subquery that is used as a value: a second match of
	// a row of L is an error.
	SingleJoin
)

var joinNames = [...]string{
	InnerJoin: "inner", LeftJoin: "left", RightJoin: "right", FullJoin: "full",
	SemiJoin: "semi", AntiJoin: "anti", MarkJoin: "mark", SingleJoin: "single",
}

// String is the kind in EXPLAIN.
func (k JoinKind) String() string { return joinNames[k] }

// HasRight reports whether the join has the columns of R.
func (k JoinKind) HasRight() bool { return k != SemiJoin && k != AntiJoin && k != MarkJoin }

// PadsLeft reports whether the join makes rows with NULLs for the columns of L.
func (k JoinKind) PadsLeft() bool { return k == RightJoin || k == FullJoin }

// PadsRight reports whether the join makes rows with NULLs for the columns of R.
func (k JoinKind) PadsRight() bool { return k == LeftJoin || k == FullJoin || k == SingleJoin }

// KeepsLeft reports whether each row of L is in the result at least once.
func (k JoinKind) KeepsLeft() bool {
	return k == LeftJoin || k == FullJoin || k == MarkJoin || k == SingleJoin
}

// Join combines the rows of two inputs: the columns of L, then those of R or Mark,
// see JoinKind. Its rows have no order.
type Join struct {
	Kind JoinKind
	L, R Node
	On   []expr.Expr // conjuncts over the columns of L and R

	// Mark and Test belong to MarkJoin. Mark is the three-valued OR of Test over the
	// rows of R that match: TRUE if Test is TRUE for one of them, else NULL if it is
	// NULL for one, else FALSE. Test nil is TRUE. So x IN (SELECT y …) has the test
	// x = y, and EXISTS has none.
	Mark Column
	Test expr.Expr

	// BuildLeft says that L is the build side, the rows that are kept in memory, and not
	// R: the smaller side should be. MarkJoin and SingleJoin ignore it.
	BuildLeft bool

	// Span is the subquery of a SingleJoin, for its error.
	Span expr.Span
}

// BuildsLeft reports whether L is the build side.
func (j *Join) BuildsLeft() bool {
	return j.BuildLeft && j.Kind != MarkJoin && j.Kind != SingleJoin
}

// Columns implements Node.
func (j *Join) Columns() Columns {
	out := padded(fresh(j.L), j.Kind.PadsLeft())
	if j.Kind.HasRight() {
		out = append(out, padded(fresh(j.R), j.Kind.PadsRight())...)
	}
	if j.Kind == MarkJoin {
		out = append(out, j.Mark)
	}
	return out
}

// made is the columns of the join, of inputs that make these.
func (j *Join) made(inputs []Set) Set {
	switch {
	case j.Kind.HasRight():
		return inputs[0].Union(inputs[1])
	case j.Kind == MarkJoin:
		return inputs[0].Union(SetOf(j.Mark.ID))
	}
	return inputs[0]
}

// padded changes columns to those of an input; pads says that rows with NULLs are added.
func padded(columns Columns, pads bool) Columns {
	if pads {
		for i := range columns {
			columns[i].Nullable = true
		}
	}
	return columns
}

// fresh is a node's columns in a list that may be changed. Many nodes make a new one: a
// copy at each of many joins or windows over one another would take long.
func fresh(n Node) Columns {
	switch n := n.(type) {
	case *Join, *Apply, *Window, *Project, *Aggregate:
		return n.Columns()
	case *Filter:
		return fresh(n.In)
	}
	return slices.Clone(n.Columns())
}

// Inputs implements Node.
func (j *Join) Inputs() []Node { return []Node{j.L, j.R} }

// Over implements Node.
func (j *Join) Over(in []Node) (Node, error) {
	c := *j
	c.L, c.R = in[0], in[1]
	return &c, nil
}

// Exprs implements Node.
func (j *Join) Exprs() []expr.Expr {
	if j.Test == nil {
		return j.On
	}
	return append(slices.Clip(j.On), j.Test)
}

// Narrow implements Node: the inputs have all columns but Mark, which decides nothing.
func (j *Join) Narrow(Set) Node { return j }

// Apply is a dependent join, the meaning of LATERAL and of a correlated subquery: R
// is evaluated for each row of L and may read the columns of L as outer columns. The
// kind is InnerJoin, LeftJoin, SemiJoin, AntiJoin, MarkJoin or SingleJoin. The rule
// Decorrelate makes joins of all of them; no operator runs one.
type Apply struct{ Join }

// Over implements Node.
func (a *Apply) Over(in []Node) (Node, error) {
	c := *a
	c.L, c.R = in[0], in[1]
	return &c, nil
}

// Narrow implements Node.
func (a *Apply) Narrow(Set) Node { return a }
