package function

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// conditionalFunctions choose among their arguments. All but GREATEST and
// LEAST evaluate an argument only for the rows that take it.
var conditionalFunctions = []expr.Function{
	{Name: "COALESCE", Bind: func(_ string, args []expr.Expr) (expr.Expr, error) { return expr.NewCoalesce(args...) }},
	{Name: "IFNULL", Aliases: []string{"NVL"}, Bind: exactly2(func(a, b expr.Expr) (expr.Expr, error) { return expr.NewCoalesce(a, b) })},
	{Name: "NULLIF", Bind: exactly2(nullIf)},
	{Name: "IF", Aliases: []string{"IIF"}, Bind: ifElse},
	{Name: "ISNULL", Bind: func(name string, args []expr.Expr) (expr.Expr, error) {
		if len(args) != 1 {
			return nil, wrongCount(name, args, "1")
		}
		return expr.NewIsNull(args[0], false), nil
	}},
	{Name: "GREATEST", Bind: pickOf(scalar.OpGt)},
	{Name: "LEAST", Bind: pickOf(scalar.OpLt)},
	{Name: "TYPEOF", Bind: func(name string, args []expr.Expr) (expr.Expr, error) {
		if len(args) != 1 {
			return nil, wrongCount(name, args, "1")
		}
		return expr.NewConst(vector.StringScalar(args[0].Type().String())), nil
	}},
}

func exactly2(f func(a, b expr.Expr) (expr.Expr, error)) binder {
	return func(name string, args []expr.Expr) (expr.Expr, error) {
		if len(args) != 2 {
			return nil, wrongCount(name, args, "2")
		}
		return f(args[0], args[1])
	}
}

func nullIf(a, b expr.Expr) (expr.Expr, error) {
	same, err := expr.NewCompare(scalar.OpEq, a, b)
	if err != nil {
		return nil, err
	}
	return expr.NewCase(nil, []expr.Expr{same}, []expr.Expr{expr.NewConst(vector.NullOf(a.Type()))}, a)
}

func ifElse(name string, args []expr.Expr) (expr.Expr, error) {
	if len(args) != 3 {
		return nil, wrongCount(name, args, "3")
	}
	return expr.NewCase(nil, args[:1], args[1:2], args[2])
}

// pickOf is GREATEST or LEAST, which skip NULLs; op is when a later argument
// takes the place of those before it.
func pickOf(op scalar.Op) binder {
	return func(name string, args []expr.Expr) (expr.Expr, error) {
		if len(args) == 0 {
			return nil, wrongCount(name, args, "1 or more")
		}
		list, t, err := expr.CommonExprs(args)
		if err != nil {
			return nil, err
		}
		if t.Storage() == vector.StoreNested {
			return nil, kernel.UnsupportedNested(name, t)
		}
		if t.Kind == vector.Null {
			return expr.NewConst(vector.NullOf(t)), nil
		}
		impl := &expr.Routine{Node: func() kernel.Node {
			return &pickNode{args: expr.CompileAll(list), typ: t, better: kernel.Compares(op, t), pair: make([]*vector.Vector, 2)}
		}}
		return bound(name, list, t, impl), nil
	}
}

type pickNode struct {
	args   []kernel.Node
	typ    vector.Type
	better kernel.Predicate

	pair       []*vector.Vector
	flat       kernel.Result
	out        kernel.Result
	have, take []int32
	empty      []bool
}

func (e *pickNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	e.out.Reset(e.typ, f.N)
	e.have, e.take = vector.Resize(e.have, f.N), vector.Resize(e.take, f.N)
	e.empty = vector.Resize(e.empty, f.N)
	for _, i := range kernel.Listed(rows, f.N) {
		e.empty[i] = true
	}
	for _, a := range e.args {
		v, err := a.Eval(f, rows)
		if err != nil {
			return nil, err
		}
		if v.Form == vector.Dictionary {
			v = kernel.FlattenRows(v, &e.flat, rows, f.N)
		}
		have, take := e.have[:0], e.take[:0]
		for _, i := range kernel.Listed(rows, f.N) {
			switch {
			case v.IsNull(int(i)):
			case e.empty[i]:
				e.empty[i] = false
				take = append(take, i)
			default:
				have = append(have, i)
			}
		}
		if err := e.out.CopyRows(v, take); err != nil {
			return nil, err
		}
		if len(have) > 0 {
			e.pair[0], e.pair[1] = v, &e.out.Vector
			better, err := e.better(e.pair, have, f.N, e.take)
			if err != nil {
				return nil, err
			}
			e.out.CopyRows(v, better)
		}
	}
	for _, i := range kernel.Listed(rows, f.N) {
		if e.empty[i] {
			e.out.Null(int(i))
		}
	}
	return &e.out.Vector, nil
}

// errNotNested is what the functions of LIST and MAP say to other types.
func errNotNested(name string, t vector.Type) error {
	return fmt.Errorf("%s takes a LIST or a MAP, not %s", name, t)
}
