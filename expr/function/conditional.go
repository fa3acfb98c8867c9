package function

import (
	"errors"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// conditionalFunctions return one of their arguments. All but GREATEST and LEAST
// evaluate an argument only for the rows whose result it is.
var conditionalFunctions = []expr.Function{
	{Name: "COALESCE", Help: "the first argument that is not NULL", Example: "COALESCE(NULL, 2, 3) → 2",
		Binding: define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) { return expr.NewCoalesce(args...) }, "T, ... → T")},
	{Name: "IFNULL", Aliases: []string{"NVL"}, Help: "the first argument, or the second one where the first is NULL", Example: "IFNULL(NULL, 2) → 2",
		Binding: ofTwo(func(a, b expr.Expr) (expr.Expr, error) { return expr.NewCoalesce(a, b) })},
	{Name: "NULLIF", Help: "NULL where both arguments are equal, else the first one", Example: "NULLIF(1, 1) → NULL",
		Binding: ofTwo(nullIf)},
	{Name: "IF", Aliases: []string{"IIF"}, Help: "the second argument where the condition is true, else the third one", Example: "IF(1 < 2, 'yes', 'no') → yes",
		Binding: define.Custom(ifElse, "BOOLEAN, T, T → T")},
	{Name: "SWITCH", Help: "the value that a map has for the first argument, else the third one", Example: "SWITCH(2, MAP {1: 'a', 2: 'b'}, 'z') → b",
		Binding: define.Custom(switchOf, "K, MAP(K, V) → V", "K, MAP(K, V), V → V")},
	{Name: "ISNULL", Help: "whether the argument is NULL", Example: "ISNULL(NULL) → true",
		Binding: define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) { return expr.NewIsNull(args[0], false), nil }, "T → BOOLEAN")},
	{Name: "GREATEST", Help: "the greatest argument that is not NULL", Example: "GREATEST(1, NULL, 3) → 3",
		Binding: pickOf(scalar.OpGt)},
	{Name: "LEAST", Help: "the least argument that is not NULL", Example: "LEAST(1, NULL, 3) → 1",
		Binding: pickOf(scalar.OpLt)},
	{Name: "TYPEOF", Help: "the name of the argument's type", Example: "TYPEOF(1.5) → DECIMAL(2,1)", Binding: typeName(strings.Clone)},
	{Name: "PG_TYPEOF", Help: "the name of the argument's type in lower case", Example: "PG_TYPEOF(1.5) → decimal(2,1)", Binding: typeName(strings.ToLower)},
	{Name: "CAN_CAST_IMPLICITLY", Help: "whether a value of the first argument's type may stand where one of the second's is wanted", Example: "CAN_CAST_IMPLICITLY(1::INTEGER, 1::BIGINT) → true",
		Binding: define.Custom(canCast, "any, any → BOOLEAN")},
	{Name: "CAST_TO_TYPE", Help: "the first argument as a value of the second one's type", Example: "CAST_TO_TYPE('1.0', 2::INTEGER) → 1",
		Binding: define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
			return expr.NewCast(args[0], args[1].Type(), false)
		}, "VARCHAR, T → T")},
	replaceType,
	{Name: "TRY", Help: "the argument; NULL for the rows for which it fails", Example: "TRY('a'::INTEGER) → NULL", Binding: define.Custom(newTry, "T → T")},
	{Name: "CONSTANT_OR_NULL", Help: "the first argument where none of the others is NULL", Example: "CONSTANT_OR_NULL(1, NULL) → NULL", Binding: define.Custom(constantOrNull, "T, any, ... → T")},
	{Name: "ERROR", Help: "nothing: it fails with the message, where the argument is not NULL", Example: "CASE WHEN 1 < 2 THEN 'fine' ELSE ERROR('no') END → fine", Volatile: true,
		Binding: define.Fixed(vector.Of(vector.Null), kernel.Try1(fail), true, define.WantText)},
}

// switchOf is SWITCH(x, m, other), which is NULL where x is.
func switchOf(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x, m := args[0], args[1]
	if x.Type().Kind == vector.Null || m.Type().Kind == vector.Null {
		return expr.NewConst(vector.NullOf(vector.Of(vector.Null))), nil
	}
	has, err := New("MAP_CONTAINS", []expr.Expr{m, x})
	if err != nil {
		return nil, err
	}
	value, err := Element([]expr.Expr{m, x})
	if err != nil || len(args) == 2 {
		return value, err
	}
	null := expr.NewConst(vector.NullOf(vector.Of(vector.Null)))
	return expr.NewCase(nil, []expr.Expr{expr.NewIsNull(x, false), has}, []expr.Expr{null, value}, args[2])
}

func ofTwo(f func(a, b expr.Expr) (expr.Expr, error)) expr.Binding {
	return define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) { return f(args[0], args[1]) }, "T, T → T")
}

// typeName is a function of the type of any argument.
func typeName(f func(string) string) expr.Binding {
	return define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
		return expr.NewConst(vector.StringScalar(f(sqlType(args[0].Type())))), nil
	}, "any → VARCHAR")
}

func constantOrNull(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
	var missing []expr.Expr
	for _, a := range args[1:] {
		missing = append(missing, expr.NewIsNull(a, false))
	}
	some, err := expr.NewOr(missing...)
	if err != nil {
		return nil, err
	}
	return expr.NewCase(nil, []expr.Expr{some}, []expr.Expr{expr.NewConst(vector.NullOf(args[0].Type()))}, args[0])
}

func fail(message string) (bool, kernel.Outcome) {
	return false, kernel.Outcome{Err: &kernel.ExplainedError{Err: errors.New(message)}} // the message is all there is to say
}

func nullIf(a, b expr.Expr) (expr.Expr, error) {
	same, err := expr.NewCompare(scalar.OpEq, a, b)
	if err != nil {
		return nil, err
	}
	return expr.NewCase(nil, []expr.Expr{same}, []expr.Expr{expr.NewConst(vector.NullOf(a.Type()))}, a)
}

func ifElse(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
	return expr.NewCase(nil, args[:1], args[1:2], args[2])
}

// pickOf is GREATEST or LEAST, which skip NULLs. A later argument replaces the result
// so far if argument op result.
func pickOf(op scalar.Op) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		list, t, err := expr.CommonExprs(args)
		if err != nil {
			return nil, err
		}
		shown := t
		if expr.HasVariant(t) { // compared by their keys
			for i, x := range list {
				list[i] = expr.Key(x)
			}
			t = list[0].Type()
		}
		if t.Kind == vector.Null {
			return expr.NewConst(vector.NullOf(t)), nil
		}
		impl := &expr.Routine{Node: func(by *expr.Compiler) kernel.Node {
			return &pickNode{args: by.Nodes(list), typ: t, better: kernel.Compares(op, t), greatest: op == scalar.OpGt, pair: make([]*vector.Vector, 2)}
		}}
		return expr.FromKey(expr.NewCall(call, list, t, impl), shown), nil
	}, "T, ... → T")
}

type pickNode struct {
	args   []kernel.Node
	typ    vector.Type
	better kernel.Predicate

	greatest   bool
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
	some := true
	for _, a := range e.args {
		v, err := a.Eval(f, rows)
		if err != nil {
			return nil, err
		}
		if v.Form == vector.Constant && v.IsNull(0) {
			continue
		}
		if v.Form == vector.Dictionary {
			v = kernel.FlattenRows(v, &e.flat, rows, f.N)
		}
		switch e.typ.Storage() {
		case vector.StoreInt64:
			some = mergeNumbers(e.greatest, v, rows, f.N, e.out.I64, e.empty, some)
			continue
		case vector.StoreFloat64:
			some = mergeNumbers(e.greatest, v, rows, f.N, e.out.F64, e.empty, some)
			continue
		case vector.StoreString:
			some = mergeTexts(e.greatest, v, rows, f.N, e.out.Str, e.empty, some)
			continue
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
	if !some {
		return &e.out.Vector, nil
	}
	for _, i := range kernel.Listed(rows, f.N) {
		if e.empty[i] {
			e.out.Null(int(i))
		}
	}
	return &e.out.Vector, nil
}
