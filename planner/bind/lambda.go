package bind

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/vector"
)

// lambdaScope is the parameters of a lambda and of those around it.
type lambdaScope struct {
	params []*expr.LambdaParam
	around *lambdaScope
}

// find looks for a parameter, in the innermost lambda first.
func (s *lambdaScope) find(name string) *expr.LambdaParam {
	for ; s != nil; s = s.around {
		for _, p := range s.params {
			if strings.EqualFold(p.Name, name) {
				return p
			}
		}
	}
	return nil
}

// count is the number of all parameters.
func (s *lambdaScope) count() (n int) {
	for ; s != nil; s = s.around {
		n += len(s.params)
	}
	return n
}

// usedBy reports whether an expression names a parameter.
func (s *lambdaScope) usedBy(e ast.Expr) bool {
	used := false
	ast.Walk(e, func(e ast.Expr) bool {
		if id, ok := e.(*ast.Ident); ok && s.find(id.Parts[0]) != nil {
			used = true
		}
		return !used
	})
	return used
}

// arguments binds the arguments of a call, of which the second may be a lambda.
func (t *typer) arguments(e *ast.Call) ([]expr.Expr, error) {
	at := -1
	for i, arg := range e.Args {
		if _, ok := arg.(*ast.Lambda); ok && (i != 1 || at >= 0) {
			return nil, fmt.Errorf("%s takes a lambda as its second argument only", strings.ToUpper(e.Name))
		} else if ok {
			at = i
		}
	}
	if at < 0 {
		return t.all(e.Args...)
	}
	args := make([]expr.Expr, len(e.Args))
	for i, arg := range e.Args {
		if i == at {
			continue
		}
		var err error
		if args[i], err = t.bind(arg); err != nil {
			return nil, err
		}
	}
	l := e.Args[at].(*ast.Lambda)
	made, err := function.NewLambda(e.Name, args, len(l.Params), func(types []vector.Type) (*expr.Lambda, error) { return t.lambdaOf(l, types) })
	args[at] = made
	return args, err
}

// lambdaOf binds a lambda whose parameters have the types.
func (t *typer) lambdaOf(e *ast.Lambda, types []vector.Type) (*expr.Lambda, error) {
	inner := *t
	inner.lambda = &lambdaScope{around: t.lambda}
	for i, name := range e.Params {
		for _, p := range inner.lambda.params {
			if strings.EqualFold(p.Name, name) {
				return nil, fmt.Errorf("a lambda has two parameters %q", name)
			}
		}
		inner.lambda.params = append(inner.lambda.params, &expr.LambdaParam{Slot: t.lambda.count() + i, Name: name, T: types[i]})
	}
	body, err := inner.bind(e.Body)
	if err != nil {
		return nil, err
	}
	return &expr.Lambda{Params: inner.lambda.params, Body: body}, nil
}
