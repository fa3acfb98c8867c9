// Package define has the helpers with which the families of scalar functions define
// their functions; the package comment of expr/function shows how.
package define

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// Fixed is a function with one kernel, whose arguments and result have types that
// do not depend on the call. A careful kernel may fail or is costly; see Strict.
func Fixed(ret vector.Type, make func() kernel.Func, careful bool, wants ...Want) expr.Binding {
	types := []string{}
	for _, w := range wants {
		types = append(types, w.Types)
	}
	return expr.Binding{
		Signatures: []expr.Signature{{Args: types, Result: ret.String()}},
		Bind: func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
			list, err := Arguments(call, args, wants)
			if err != nil {
				return nil, err
			}
			return Strict(call, list, ret, make, careful)
		},
	}
}

// Binder makes the expression for a call.
type Binder = func(call expr.Callee, args []expr.Expr) (expr.Expr, error)

// Custom is a function whose binder looks at the types of the arguments. Each
// signature is text such as "VARCHAR, T → T"; see expr.Signature for the words.
func Custom(bind Binder, signatures ...string) expr.Binding {
	return expr.Binding{Bind: bind, Signatures: expr.NewSignatures(signatures...)}
}

// Total is a function that fails for no first argument where all others are constants: what its binder refuses, or
// refuses says, is all that makes it fail. refuses may be nil.
func Total(b expr.Binding, refuses func(args []expr.Expr) bool) expr.Binding {
	bind := b.Bind
	b.Bind = func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		e, err := bind(call, args)
		if err != nil || !AreConstant(args[1:]) || refuses != nil && refuses(args) {
			return e, err
		}
		return expr.Total(e), nil
	}
	return b
}

// Overloaded is a function with several forms; the number of arguments selects one.
func Overloaded(forms ...expr.Binding) expr.Binding {
	var all []expr.Signature
	for _, f := range forms {
		all = append(all, f.Signatures...)
	}
	return expr.Binding{Signatures: all, Bind: func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		for _, f := range forms {
			if expr.Takes(f.Signatures, len(args)) {
				return f.Bind(call, args)
			}
		}
		return nil, expr.WrongCount(call.Name, all, len(args))
	}}
}

// ByType is a function with two forms: one where the type of the first argument is as
// first says, the other for all other types.
func ByType(first func(vector.Type) bool, form, other expr.Binding) expr.Binding {
	return expr.Binding{
		Signatures: append(form.Signatures[:len(form.Signatures):len(form.Signatures)], other.Signatures...),
		Bind: func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
			if first(args[0].Type()) {
				return form.Bind(call, args)
			}
			return other.Bind(call, args)
		},
	}
}
