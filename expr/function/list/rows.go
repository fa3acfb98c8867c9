package list

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// Lenient builds the call of a kernel that sees NULL arguments too. The arguments are flat
// or constant, and out has no NULLs yet.
func Lenient(call expr.Callee, args []expr.Expr, t vector.Type, run kernel.Func) (expr.Expr, error) {
	return expr.NewCall(call, args, t, &expr.Routine{Node: func(by *expr.Compiler) kernel.Node {
		return &lenientNode{args: by.Nodes(args), typ: t, run: run, argv: make([]*vector.Vector, len(args))}
	}}), nil
}

type lenientNode struct {
	args []kernel.Node
	typ  vector.Type
	run  kernel.Func
	argv []*vector.Vector
	flat []kernel.Result
	out  kernel.Result
}

func (n *lenientNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	if kernel.CountRows(rows, f.N) == 0 {
		return n.out.SetNull(n.typ, f.N), nil
	}
	for i, a := range n.args {
		var err error
		if n.argv[i], err = a.Eval(f, rows); err != nil {
			return nil, err
		}
	}
	kernel.Flatten(n.argv, &n.flat, rows, f.N)
	n.out.Begin(n.typ, f)
	return &n.out.Vector, n.run(n.argv, rows, f.N, &n.out)
}

// wantList checks that an argument is a LIST; an untyped NULL becomes a NULL LIST.
func wantList(name string, e expr.Expr) (expr.Expr, error) {
	switch t := e.Type(); t.Kind {
	case vector.List:
		return e, nil
	case vector.Null:
		return expr.NewConst(vector.NullOf(expr.ListType(t))), nil
	default:
		if _, ok := expr.TextLiteral(e); ok {
			return expr.ImplicitCast(e, expr.ListType(vector.Of(vector.Varchar)))
		}
		return nil, fmt.Errorf("%s takes a LIST, not %s", name, t)
	}
}

// wantLists are LISTs, with elements of their common type.
func wantLists(name string, list []expr.Expr) ([]expr.Expr, vector.Type, error) {
	out := make([]expr.Expr, len(list))
	for i, e := range list {
		var err error
		if out[i], err = wantList(name, e); err != nil {
			return nil, vector.Type{}, err
		}
	}
	out, t, err := expr.CommonExprs(out)
	if err != nil {
		return nil, t, fmt.Errorf("%s: %w", name, err)
	}
	return out, t, nil
}

// withElement casts a LIST and a value to a LIST and an element of it.
func withElement(name string, list, x expr.Expr) (expr.Expr, expr.Expr, error) {
	list, err := wantList(name, list)
	if err != nil {
		return nil, nil, err
	}
	t := list.Type().Fields[0].Type
	if _, text := expr.TextLiteral(x); !text || t.IsText() || t.Kind == vector.Null {
		if t, err = expr.CommonType(t, x.Type()); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if list, err = expr.ImplicitCast(list, expr.ListType(t)); err != nil {
		return nil, nil, err
	}
	x, err = expr.ImplicitCast(x, t)
	return list, x, err
}

// Together is the elements of several vectors in one, and where those of each begin.
func Together(t vector.Type, sources ...*vector.Vector) (all *vector.Vector, from []int32, err error) {
	all = vector.New(t, 0)
	total := 0
	for _, s := range sources {
		total += s.Len
	}
	all.Reserve(total)
	for _, s := range sources {
		from = append(from, int32(all.Len))
		if err = all.Append(s, nil); err != nil {
			return nil, nil, err
		}
	}
	return all, from, nil
}

// keyOf is an element as bytes that are equal exactly for equal elements.
func keyOf(dst []byte, v *vector.Vector, e int32) []byte {
	return vector.AppendOrdered(dst[:0], v, int(e))
}
