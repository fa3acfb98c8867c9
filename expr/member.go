package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/set"
)

// Member is the condition that x is in a set, NULL where x is. SQL text does not lead
// to it: it is what the build side of a join makes of a column of the other side.
type Member struct {
	X   Expr
	Set set.Set
}

// NewMember builds the condition that x, whose type is one that the set is for, is in it.
func NewMember(x Expr, s set.Set) *Member { return &Member{X: x, Set: s} }

func (e *Member) compile(by *Compiler) kernel.Node {
	return kernel.NewCondition([]kernel.Node{by.Node(e.X)}, e.Set.Select, false)
}
