// Package predicate reasons about conditions: what they say of NULL, what follows
// from several of them, and how they look in terms of other columns. Rules of package
// rewrite use it, and nothing here knows a plan.
//
// All functions may say too little: a caller only loses a chance to save work.
package predicate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Strict is the columns of which a NULL makes the value of e NULL.
func Strict(e expr.Expr) logical.Set {
	switch e := e.(type) {
	case *expr.Column:
		return logical.SetOf(logical.ColumnID(e.Index))
	case *expr.Compare:
		return Strict(e.L).Union(Strict(e.R))
	case *expr.Arith:
		if e.R == nil {
			return Strict(e.L)
		}
		return Strict(e.L).Union(Strict(e.R))
	case *expr.Like:
		return Strict(e.X).Union(Strict(e.Pattern))
	case *expr.Neg:
		return Strict(e.X)
	case *expr.Cast:
		return Strict(e.X)
	case *expr.Not:
		return Strict(e.X)
	case *expr.In:
		return Strict(e.X)
	case *expr.Logic: // an operand that is not NULL may decide
		return common(e.Args, Strict)
	}
	return logical.Set{}
}

// Rejects is the columns of which a NULL makes the condition e not TRUE.
func Rejects(e expr.Expr) logical.Set {
	switch e := e.(type) {
	case *expr.Logic:
		if e.Or {
			return common(e.Args, Rejects)
		}
		return RejectedBy(e.Args)
	case *expr.IsNull:
		if e.Not {
			return Strict(e.X)
		}
		return logical.Set{}
	case *expr.IsBool:
		switch {
		case e.Not:
			return logical.Set{}
		case e.Value:
			return Rejects(e.X)
		}
		return Strict(e.X)
	}
	return Strict(e)
}

// RejectedBy is the columns of which a NULL makes some of the conjuncts not TRUE.
func RejectedBy(conjuncts []expr.Expr) logical.Set {
	var out logical.Set
	for _, c := range conjuncts {
		out.AddSet(Rejects(c))
	}
	return out
}

// common is what f says of all operands.
func common(args []expr.Expr, f func(expr.Expr) logical.Set) logical.Set {
	var out logical.Set
	for i, a := range args {
		if i == 0 {
			out = f(a)
		} else {
			out = out.Intersect(f(a))
		}
	}
	return out
}
