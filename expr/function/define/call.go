package define

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Strict builds the call of a kernel over arguments that are already checked. Its result
// is NULL where an argument is. A careful kernel may fail, so it runs only over rows
// without a NULL argument. The error is always nil; it lets a binder return the call
// directly.
func Strict(call expr.Callee, args []expr.Expr, ret vector.Type, make func() kernel.Func, careful bool) (expr.Expr, error) {
	return expr.NewCall(call, args, ret, &expr.Routine{Args: args, Operation: kernel.Operation{Make: namesCall(make, call.Name), Careful: careful}}), nil
}

// namesCall lets the error of a memory limit say which function of a query makes so much.
func namesCall(make func() kernel.Func, name string) func() kernel.Func {
	return func() kernel.Func {
		f := make()
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			err := f(args, rows, n, out)
			if errors.Is(err, errs.ErrMemoryLimit) {
				return fmt.Errorf("%s: %w", name, err)
			}
			return err
		}
	}
}

// Condition builds the call of a predicate over arguments that are already checked. As
// in Strict, the error is always nil.
func Condition(call expr.Callee, args []expr.Expr, make func() kernel.Predicate) (expr.Expr, error) {
	impl := &expr.Routine{Node: func(by *expr.Compiler) kernel.Node {
		return by.Strict(TypeBoolean, args, func(args []kernel.Node) kernel.Node { return kernel.NewCondition(args, make(), true) })
	}}
	return expr.NewCall(call, args, TypeBoolean, impl), nil
}

// LongCondition is Condition for a predicate that may take long for one row.
func LongCondition(call expr.Callee, args []expr.Expr, make func() kernel.LongPredicate) (expr.Expr, error) {
	return expr.NewCall(call, args, TypeBoolean, &expr.Routine{Node: LongNode(args, make)}), nil
}

// LongNode makes the node of a LongCondition.
func LongNode(args []expr.Expr, make func() kernel.LongPredicate) func(by *expr.Compiler) kernel.Node {
	return func(by *expr.Compiler) kernel.Node {
		return by.Strict(TypeBoolean, args, func(args []kernel.Node) kernel.Node { return kernel.NewLongCondition(args, make()) })
	}
}

// TextPredicate is a function that says whether something holds for two strings.
func TextPredicate(f func(a, b string) bool) expr.Binding {
	return Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		list, err := Arguments(call, args, []Want{WantText, WantText})
		if err != nil {
			return nil, err
		}
		return Condition(call, list, func() kernel.Predicate { return predicateOf(f) })
	}, "VARCHAR, VARCHAR → BOOLEAN")
}

// LongTextPredicate is TextPredicate for a function that may take long and tells work.
func LongTextPredicate(f func(a, b string, work func(n int) error) (bool, error)) expr.Binding {
	return Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		list, err := Arguments(call, args, []Want{WantText, WantText})
		if err != nil {
			return nil, err
		}
		return LongCondition(call, list, func() kernel.LongPredicate {
			return func(m *quota.Meter, args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
				a, b := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1])
				k, work := 0, m.Work // each mention of a method's value makes one
				for _, i := range kernel.Listed(rows, n) {
					hit, err := f(a.At(i), b.At(i), work)
					if err != nil {
						return nil, err
					}
					if into[k] = i; hit {
						k++
					}
				}
				return into[:k], nil
			}
		})
	}, "VARCHAR, VARCHAR → BOOLEAN")
}

func predicateOf(f func(a, b string) bool) kernel.Predicate {
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		a, b, k := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1]), 0
		for _, i := range kernel.Listed(rows, n) {
			into[k] = i
			if f(a.At(i), b.At(i)) {
				k++
			}
		}
		return into[:k], nil
	}
}

// ConstantText returns an argument that must be a string literal.
func ConstantText(function, what string, e expr.Expr) (string, error) {
	s, ok := expr.Literal(e)
	if !ok || !s.Type.IsText() {
		return "", fmt.Errorf("%s: the %s must be a string literal", function, what)
	}
	return s.Str, nil
}

// AreConstant reports whether all are constants other than NULL.
func AreConstant(list []expr.Expr) bool {
	for _, a := range list {
		if c, ok := a.(*expr.Const); !ok || c.Value.Null {
			return false
		}
	}
	return true
}
