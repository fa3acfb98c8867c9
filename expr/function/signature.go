package function

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// fixed is a function with one kernel, whose arguments and result have types that
// do not depend on the call.
func fixed(ret vector.Type, make func() kernel.Func, careful bool, wants ...want) expr.Binding {
	types := []string{}
	for _, w := range wants {
		types = append(types, w.types)
	}
	return expr.Binding{
		Signatures: []expr.Signature{{Args: types, Result: ret.String()}},
		Bind: func(name string, args []expr.Expr) (expr.Expr, error) {
			list, err := bindArgs(name, args, wants)
			if err != nil {
				return nil, err
			}
			return strictCall(name, list, ret, make, careful)
		},
	}
}

// binder makes the expression for a call by one of a function's names.
type binder = func(name string, args []expr.Expr) (expr.Expr, error)

// custom is a function whose binder looks at the types of the arguments. Each
// signature is text such as "VARCHAR, T → T"; see expr.Signature for the words.
func custom(bind binder, signatures ...string) expr.Binding {
	b := expr.Binding{Bind: bind}
	for _, text := range signatures {
		b.Signatures = append(b.Signatures, expr.NewSignature(text))
	}
	return b
}

// overloaded is a function with several forms; the number of arguments selects one.
func overloaded(forms ...expr.Binding) expr.Binding {
	var all []expr.Signature
	for _, f := range forms {
		all = append(all, f.Signatures...)
	}
	return expr.Binding{Signatures: all, Bind: func(name string, args []expr.Expr) (expr.Expr, error) {
		for _, f := range forms {
			if expr.Takes(f.Signatures, len(args)) {
				return f.Bind(name, args)
			}
		}
		return nil, expr.WrongCount(name, all, len(args))
	}}
}
