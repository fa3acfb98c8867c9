package expr

import (
	"fmt"

	"github.com/parquetsql/parquetsql/vector"
)

// conditionalFunctions choose among their arguments. All but GREATEST and
// LEAST evaluate an argument only for the rows that take it.
var conditionalFunctions = map[string]binder{
	"COALESCE": func(_ string, args []Expr) (Expr, error) { return NewCoalesce(args...) },
	"IFNULL":   exactly2(func(a, b Expr) (Expr, error) { return NewCoalesce(a, b) }),
	"NVL":      exactly2(func(a, b Expr) (Expr, error) { return NewCoalesce(a, b) }),
	"NULLIF":   exactly2(nullIf),
	"IF":       ifElse,
	"IIF":      ifElse,
	"ISNULL": func(name string, args []Expr) (Expr, error) {
		if len(args) != 1 {
			return nil, wrongCount(name, args, "1")
		}
		return NewIsNull(args[0], false), nil
	},
	"GREATEST": pickOf(OpGt),
	"LEAST":    pickOf(OpLt),
	"TYPEOF": func(name string, args []Expr) (Expr, error) {
		if len(args) != 1 {
			return nil, wrongCount(name, args, "1")
		}
		return NewConst(vector.StringScalar(args[0].Type().String())), nil
	},
}

func exactly2(f func(a, b Expr) (Expr, error)) binder {
	return func(name string, args []Expr) (Expr, error) {
		if len(args) != 2 {
			return nil, wrongCount(name, args, "2")
		}
		return f(args[0], args[1])
	}
}

func nullIf(a, b Expr) (Expr, error) {
	same, err := NewCompare(OpEq, a, b)
	if err != nil {
		return nil, err
	}
	return NewCase(nil, []Expr{same}, []Expr{NewConst(vector.NullOf(a.Type()))}, a)
}

func ifElse(name string, args []Expr) (Expr, error) {
	if len(args) != 3 {
		return nil, wrongCount(name, args, "3")
	}
	return NewCase(nil, args[:1], args[1:2], args[2])
}

// pickOf is GREATEST or LEAST, which skip NULLs; op is when a later argument
// takes the place of those before it.
func pickOf(op Op) binder {
	return func(name string, args []Expr) (Expr, error) {
		if len(args) == 0 {
			return nil, wrongCount(name, args, "1 or more")
		}
		list, t, err := commonExprs(args)
		if err != nil {
			return nil, err
		}
		if t.Storage() == vector.StoreNested {
			return nil, unsupportedNested(name, t)
		}
		if t.Kind == vector.Null {
			return NewConst(vector.NullOf(t)), nil
		}
		impl := &routine{node: func() node {
			return &pickNode{args: compileAll(list), typ: t, better: compareTester(op, t), pair: make([]*vector.Vector, 2)}
		}}
		return fold(&Call{Name: name, Args: list, T: t, impl: impl}), nil
	}
}

type pickNode struct {
	args   []node
	typ    vector.Type
	better tester

	pair       []*vector.Vector
	flat       result
	out        result
	have, take []int32
	empty      []bool
}

func (e *pickNode) eval(f *frame, rows []int32) (*vector.Vector, error) {
	e.out.reset(e.typ, f.n)
	e.have, e.take = vector.Resize(e.have, f.n), vector.Resize(e.take, f.n)
	e.empty = vector.Resize(e.empty, f.n)
	for _, i := range listed(rows, f.n) {
		e.empty[i] = true
	}
	for _, a := range e.args {
		v, err := a.eval(f, rows)
		if err != nil {
			return nil, err
		}
		if v.Form == vector.Dictionary {
			v = flattenRows(v, &e.flat, rows, f.n)
		}
		have, take := e.have[:0], e.take[:0]
		for _, i := range listed(rows, f.n) {
			switch {
			case v.IsNull(int(i)):
			case e.empty[i]:
				e.empty[i] = false
				take = append(take, i)
			default:
				have = append(have, i)
			}
		}
		if err := e.out.copyRows(v, take); err != nil {
			return nil, err
		}
		if len(have) > 0 {
			e.pair[0], e.pair[1] = v, &e.out.Vector
			better, err := e.better(e.pair, have, f.n, e.take)
			if err != nil {
				return nil, err
			}
			e.out.copyRows(v, better)
		}
	}
	for _, i := range listed(rows, f.n) {
		if e.empty[i] {
			e.out.null(int(i))
		}
	}
	return &e.out.Vector, nil
}

// errNotNested is what the functions of LIST and MAP say to other types.
func errNotNested(name string, t vector.Type) error {
	return fmt.Errorf("%s takes a LIST or a MAP, not %s", name, t)
}
