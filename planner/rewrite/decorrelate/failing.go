package decorrelate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// A condition that is moved out of R no longer keeps rows away from what R evaluates
// above it. Of
//
//	(SELECT CAST(a.value AS INTEGER) FROM attributes a WHERE a.name = t.name)
//
// the cast must see only the values of one name. So what may fail is moved out together
// with the condition, or the condition is not moved.

// guards reports whether conditions were moved out that keep rows away from expressions
// which may fail.
func (p *pulled) guards(list ...expr.Expr) bool {
	if len(p.on) == 0 {
		return false
	}
	for _, e := range list {
		if expr.CanRefuse(e) {
			return true
		}
	}
	return false
}

// readsFailing reports whether an expression reads a late column that may fail. As a key
// of the join it would be evaluated before the conditions.
func (p *pulled) readsFailing(list ...expr.Expr) bool {
	for id := range logical.ReadBy(list...).All() {
		if l, ok := p.late[id]; ok && expr.CanRefuse(l.expr) {
			return true
		}
	}
	return false
}

// fails reports whether some expression of a subtree may fail.
func fails(n logical.Node) bool {
	for _, e := range n.Exprs() {
		if expr.CanRefuse(e) {
			return true
		}
	}
	for _, in := range n.Inputs() {
		if fails(in) {
			return true
		}
	}
	return false
}
