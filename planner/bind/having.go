package bind

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// condition is HAVING or QUALIFY, and the aliases that it uses.
type condition struct {
	cond  expr.Expr
	stage *stage
}

// filter adds the condition above a node; nil adds none.
func (c *condition) filter(in logical.Node) logical.Node {
	if c == nil {
		return in
	}
	return &logical.Filter{In: c.stage.Compute(in), Conjuncts: expr.Conjuncts(c.cond)}
}

// condition binds a condition of a clause.
func (k *block) condition(t typer, e ast.Expr, clause string) (*condition, error) {
	c := &condition{stage: k.stage(inlineCondition, false)}
	t.clause, t.steps = clause, c.stage.layers
	t.alias = c.stage.aliases(t, len(k.items))
	c.stage.evaluated(e)
	var err error
	c.cond, err = t.condition(e)
	return c, err
}

// having binds the condition over the groups.
func (k *block) having() (*condition, error) {
	if k.s.Having == nil {
		return nil, nil
	}
	return k.condition(*k.win.in, k.s.Having, "HAVING")
}

// qualify binds the condition over the results of window functions.
func (k *block) qualify() (*condition, error) {
	if k.s.Qualify == nil {
		return nil, nil
	}
	c, err := k.condition(k.un.in, k.s.Qualify, "QUALIFY")
	if err == nil && len(k.win.nodes) == 0 {
		err = fmt.Errorf("QUALIFY needs a window function, in the condition or in the select list; otherwise use WHERE or HAVING")
	}
	return c, err
}
