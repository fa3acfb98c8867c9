package logical

import "github.com/parquetsql/parquetsql/expr"

// Repeatable reports whether reading a node twice costs less than keeping its rows.
func Repeatable(n Node) bool {
	switch n := n.(type) {
	case *Scan:
		return !volatile(n)
	case *Reuse:
		return true
	case *Filter:
		return Repeatable(n.In) && !volatile(n)
	case *Project:
		return Repeatable(n.In) && !volatile(n)
	}
	return false
}

func volatile(n Node) bool {
	for _, e := range n.Exprs() {
		if expr.IsVolatile(e) {
			return true
		}
	}
	return false
}

// Again is a copy of a repeatable node, so that no node is in the plan twice.
func Again(n Node) Node {
	switch n := n.(type) {
	case *Scan:
		c := *n
		return &c
	case *Reuse:
		c := *n
		return &c
	case *Filter:
		return &Filter{In: Again(n.In), Conjuncts: n.Conjuncts}
	case *Project:
		return &Project{In: Again(n.In), Items: n.Items}
	}
	return n
}
