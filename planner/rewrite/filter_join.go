package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
)

// sides is the columns of a join's inputs.
type sides struct{ left, right logical.Set }

func sidesOf(j *logical.Join) sides { return sides{logical.Made(j.L), logical.Made(j.R)} }

// side says where a conjunct can be decided.
type side uint8

const (
	neitherSide side = iota // above the inputs
	leftSide
	rightSide
)

// of is the side that has all columns which a conjunct reads.
func (s sides) of(c expr.Expr) side {
	read := logical.ReadBy(c)
	switch {
	case read.Empty() || expr.IsVolatile(c):
		return neitherSide
	case s.left.Contains(read):
		return leftSide
	case s.right.Contains(read):
		return rightSide
	}
	return neitherSide
}

// both reports whether a conjunct can be decided from the columns of both inputs.
func (s sides) both(c expr.Expr) bool {
	read := logical.ReadBy(c)
	return !read.Empty() && !expr.IsVolatile(c) && read.Minus(s.left).Minus(s.right).Empty()
}

// onReaches reports whether a conjunct of ON that reads only one side may be applied
// to that side's rows before the join: if it fails, the row must not be in the result.
func onReaches(k logical.JoinKind, s side) bool {
	switch s {
	case leftSide:
		return k == logical.InnerJoin || k == logical.SemiJoin || k == logical.RightJoin
	case rightSide:
		return k != logical.RightJoin && k != logical.FullJoin
	}
	return false
}

// whereReaches reports the same of a conjunct above the join: the join must not make
// rows with NULLs for that side.
func whereReaches(k logical.JoinKind, s side) bool {
	switch s {
	case leftSide:
		return !k.PadsLeft()
	case rightSide:
		return k.HasRight() && !k.PadsRight()
	}
	return false
}

// division is conjuncts by the place where they are applied.
type division struct {
	left, right, on, above []expr.Expr
}

// pushJoin moves the conjuncts of ON, and those of where, which are above the join.
func (p pusher) pushJoin(j *logical.Join, where []expr.Expr) (logical.Node, error) {
	if err := p.query.Ended(); err != nil {
		return nil, err
	}
	on, err := predicate.Factored(j.On)
	if err != nil {
		return nil, err
	}
	var d division
	if j.Kind == logical.InnerJoin {
		d.inner(j, united(on, where))
	} else {
		d.outer(j, on, where)
	}
	c := *j
	if _, possible := undecided(d.on); !possible {
		switch j.Kind {
		case logical.InnerJoin, logical.SemiJoin:
			return &logical.Values{Output: j.Columns()}, nil
		case logical.RightJoin:
			c.L = &logical.Values{Output: j.L.Columns()}
		case logical.FullJoin:
		default:
			c.R = &logical.Values{Output: j.R.Columns()}
		}
	} else if d.on, _ = undecided(d.on); slices.Equal(d.on, j.On) && d.left == nil && d.right == nil {
		return filtered(j, d.above), nil
	}
	c.On = d.on
	if c.L, err = p.push(c.L, d.left); err != nil {
		return nil, err
	}
	if c.R, err = p.push(c.R, d.right); err != nil {
		return nil, err
	}
	return filtered(&c, d.above), nil
}

// inner divides the conjuncts of an inner join, for which ON and WHERE are the same.
func (d *division) inner(j *logical.Join, conjuncts []expr.Expr) {
	s := sidesOf(j)
	for _, c := range conjuncts {
		at, guarded := s.of(c), expr.CanFail(c)
		switch {
		case at == leftSide && !(guarded && len(d.right)+len(d.on)+len(d.above) > 0):
			d.left = append(d.left, c)
		case at == rightSide && !(guarded && len(d.left)+len(d.on)+len(d.above) > 0):
			d.right = append(d.right, c)
		case isConst(c) || s.both(c) && !(guarded && len(d.above) > 0):
			d.on = append(d.on, c)
		default:
			d.above = append(d.above, c)
		}
	}
}

// outer divides the conjuncts of all other joins.
func (d *division) outer(j *logical.Join, on, where []expr.Expr) {
	s := sidesOf(j)
	for _, c := range on {
		at, guarded := s.of(c), expr.CanFail(c)
		switch {
		case at == leftSide && onReaches(j.Kind, at) && !(guarded && len(d.right)+len(d.on) > 0):
			d.left = append(d.left, c)
		case at == rightSide && onReaches(j.Kind, at) && !(guarded && len(d.left)+len(d.on) > 0):
			d.right = append(d.right, c)
		default:
			d.on = append(d.on, c)
		}
	}
	drops := j.Kind == logical.SemiJoin || j.Kind == logical.AntiJoin // rows that WHERE does not see
	for _, c := range where {
		at := s.of(c)
		guarded := expr.CanFail(c) && (drops || len(d.above) > 0)
		switch {
		case at == leftSide && whereReaches(j.Kind, at) && !guarded:
			d.left = append(d.left, c)
		case at == rightSide && whereReaches(j.Kind, at) && !guarded:
			d.right = append(d.right, c)
		default:
			d.above = append(d.above, c)
		}
	}
}

func isConst(e expr.Expr) bool {
	_, ok := e.(*expr.Const)
	return ok
}
