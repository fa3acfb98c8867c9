package list

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// Functions read LIST and MAP. Positions of ELEMENT_AT count from 1, or from the
// end if negative; an element that does not exist is NULL.
var Functions = []expr.Function{
	{Name: "CARDINALITY", Lengths: true, Help: "the number of elements of a LIST, a MAP or an array", Example: "CARDINALITY('[1, 2]'::JSON::VARIANT) → 2",
		Binding: define.Custom(cardinality, "LIST(T) → BIGINT", "MAP(K, V) → BIGINT", "VARIANT → BIGINT")},
	{Name: "ARRAY_LENGTH", Lengths: true, Help: "the number of elements; the second argument, if given, is 1", Example: "ARRAY_LENGTH([5, 6]) → 2", Binding: define.Overloaded(Length, define.Custom(lengthOf, "LIST(T), BIGINT literal → BIGINT"))},
	{Name: "LIST_CONTAINS", Aliases: []string{"ARRAY_CONTAINS", "MAP_CONTAINS", "LIST_HAS", "ARRAY_HAS"}, Help: "whether a LIST contains an element, or a MAP a key",
		Binding: Contains},
	{Name: "MAP_KEYS", Help: "the keys of a MAP",
		Binding: define.Custom(mapSide(0), "MAP(K, V) → LIST(K)")},
	{Name: "MAP_VALUES", Help: "the values of a MAP",
		Binding: define.Custom(mapSide(1), "MAP(K, V) → LIST(V)")},
}

// Length is the number of elements.
var Length = define.Custom(cardinality, "LIST(T) → BIGINT", "MAP(K, V) → BIGINT")

// Contains looks for an element of a LIST or a key of a MAP.
var Contains = define.Custom(listContains, "LIST(T), T → BOOLEAN", "MAP(K, V), K → BOOLEAN")

// ElementAt is the element of a LIST at a position, the value of a MAP for a key, or a
// field. Positions count from 1, or from the end if negative; an element that does not
// exist is NULL.
var ElementAt = define.Custom(elementAt, "LIST(T), BIGINT → T", "MAP(K, V), K → V", "STRUCT(a T), 'field' → T", "VARIANT, BIGINT literal | 'field' → VARIANT")

// Field is a field of a STRUCT by its name, or by its number if the fields have no names.
var Field = define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if t := args[0].Type(); t.Kind != vector.Struct {
		return nil, fmt.Errorf("%s takes a STRUCT, not %s", call.Name, t)
	}
	return fieldNamed(call, args)
}, "STRUCT(a T), 'field' → T")

// nestedArg returns the first argument, which must be a LIST, a MAP or an untyped NULL.
func nestedArg(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	t := args[0].Type()
	if !t.HasElements() && t.Kind != vector.Null {
		return nil, errNotNested(call.Name, t)
	}
	return args[0], nil
}

// cardinality is the number of elements.
func cardinality(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if args[0].Type().Kind == vector.Variant {
		return define.Strict(call, args, define.TypeInt, kernel.Variants(variantLen), true)
	}
	x, err := nestedArg(call, args)
	if err != nil {
		return nil, err
	}
	if x.Type().Kind == vector.Null {
		return expr.NewConst(vector.NullOf(define.TypeInt)), nil
	}
	make := func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			v := args[0]
			for _, i := range kernel.Listed(rows, n) {
				from, to := elements(v, i)
				out.I64[i] = int64(to - from)
			}
			return nil
		}
	}
	return define.Strict(call, args, define.TypeInt, make, true)
}

// lengthOf is ARRAY_LENGTH(list, 1), as in PostgreSQL.
func lengthOf(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if s, ok := expr.Literal(args[1]); !ok || !s.Type.IsInteger() || s.I64 != 1 {
		return nil, errs.Unsupported("%s of another dimension than 1", call.Name)
	}
	return cardinality(call, args[:1])
}

// elements is the range in the children that holds the elements of a row's LIST or MAP.
func elements(v *vector.Vector, row int32) (from, to int32) {
	if v.Form == vector.Constant {
		row = 0
	}
	return v.Offsets[row], v.Offsets[row+1]
}

// mapSide returns the keys or the values of a MAP as a LIST, without copying them.
func mapSide(side int) define.Binder {
	return func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		x, err := nestedArg(call, args)
		if err != nil {
			return nil, err
		}
		t := x.Type()
		if t.Kind == vector.Null {
			return expr.NewConst(vector.NullOf(expr.ListType(t))), nil
		}
		if t.Kind != vector.Map || side >= len(t.Fields) {
			return nil, fmt.Errorf("%s takes a MAP with keys and values, not %s", call.Name, t)
		}
		list := expr.ListType(t.Fields[side].Type)
		impl := &expr.Routine{Node: func(by *expr.Compiler) kernel.Node { return &sideNode{x: by.Node(x), typ: list, side: side} }}
		return expr.NewCall(call, args, list, impl), nil
	}
}

type sideNode struct {
	x    kernel.Node
	typ  vector.Type
	side int
	view vector.Vector
}

func (s *sideNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	v, err := s.x.Eval(f, rows)
	if err != nil {
		return nil, err
	}
	s.view = vector.Vector{Type: s.typ, Form: v.Form, Len: v.Len, Valid: v.Valid, Offsets: v.Offsets}
	if len(v.Children) > s.side {
		s.view.Children = v.Children[s.side : s.side+1]
	}
	return &s.view, nil
}

// keyOperand converts the value to find to the type of the elements or keys. absent
// says that no element can equal it.
func keyOperand(name string, e expr.Expr, t vector.Type) (key expr.Expr, absent bool, err error) {
	if t.Kind == vector.Null { // nothing is there, or NULLs
		return expr.NewConst(vector.NullOf(t)), true, nil
	}
	if e, err = expr.Adapt(e, t); err != nil {
		return nil, false, err
	}
	if e.Type().Kind == vector.Null {
		return expr.NewConst(vector.NullOf(t)), false, nil
	}
	if s, ok := expr.Literal(e); ok && expr.ExactPair(t, s.Type) {
		v, exact := expr.Exactly(s, t)
		return expr.NewConst(v), !exact, nil
	}
	if !scalar.SameOrder(e.Type(), t) && !expr.ComparableNested(e.Type(), t) {
		return nil, false, fmt.Errorf("%s: cannot compare %s with %s without a CAST", name, e.Type(), t)
	}
	return e, false, nil
}

// Searched converts a LIST or a MAP and a value that is looked for among its elements, its keys
// or, where side is 1, the values of its entries: mostly the value to their type. absent says that
// none can equal it; then value is NULL or of another value.
func Searched(name string, in expr.Expr, side int, x expr.Expr) (of, value expr.Expr, absent bool, err error) {
	t := in.Type()
	held := t.Fields[side].Type
	value, absent, err = keyOperand(name, x, held)
	if alike := held.IsNumeric() && x.Type().IsNumeric() || scalar.IsInstant(held) && scalar.IsInstant(x.Type()) || held.IsNested() && x.Type().IsNested(); err == nil || !alike {
		return in, value, absent, err
	}
	common, err := expr.CommonType(held, x.Type())
	if err != nil {
		return nil, nil, false, fmt.Errorf("%s: %w", name, err)
	}
	t.Fields = slices.Clone(t.Fields)
	t.Fields[side].Type = common
	if of, err = expr.ImplicitCast(in, t); err != nil {
		return nil, nil, false, err
	}
	value, err = expr.ImplicitCast(x, common)
	return of, value, false, err
}

// listContains looks for an element of a LIST or a key of a MAP.
func listContains(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x, err := nestedArg(call, args)
	if err != nil {
		return nil, err
	}
	if x.Type().Kind == vector.Null {
		return expr.NewConst(vector.NullOf(define.TypeBoolean)), nil
	}
	if x.Type().Kind == vector.List && x.Type().Fields[0].Type.Kind == vector.Null { // NULLs of any type
		if args[1].Type().Kind == vector.Null {
			return expr.NewConst(vector.NullOf(define.TypeBoolean)), nil
		}
		if x, err = expr.NewCast(x, expr.ListType(args[1].Type()), false); err != nil {
			return nil, err
		}
	}
	x, key, absent, err := Searched(call.Name, x, 0, args[1])
	if err != nil {
		return nil, err
	}
	if absent {
		return Without(x)
	}
	if in, ok, err := amongConstants(x, key); ok || err != nil {
		return in, err
	}
	find := findIn(x.Type().Fields[0].Type)
	return define.Condition(call, []expr.Expr{x, key}, func() kernel.Predicate {
		return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
			k, all := 0, rows == nil
			rows = kernel.Listed(rows, n)
			if all && len(rows) > 0 {
				if found, ok := containing(args[0], args[1], rows, into); ok {
					return found, nil
				}
			}
			for _, i := range rows {
				into[k] = i
				from, to := elements(args[0], i)
				if find(args[0].Children[0], from, to, args[1], i) >= 0 {
					k++
				}
			}
			return into[:k], nil
		}
	})
}

// amongConstants is key IN (the elements) for a constant LIST, whose elements are then hashed once.
// It is false for others.
func amongConstants(list, key expr.Expr) (in expr.Expr, ok bool, err error) {
	s, ok := expr.Literal(list)
	if _, constant := key.(*expr.Const); !ok || constant || list.Type().Kind != vector.List || key.Type().IsText() != list.Type().Fields[0].Type.IsText() ||
		!scalar.SameOrder(key.Type(), list.Type().Fields[0].Type) || key.Type().Collation != 0 {
		return nil, false, nil
	}
	var values []expr.Expr
	from, to := elements(s.Nested, 0)
	for e := from; e < to; e++ {
		if v := s.Nested.Children[0].Get(int(e)); !v.Null { // a NULL does not make what is not there NULL
			values = append(values, expr.NewConst(v))
		}
	}
	if len(values) == 0 {
		return nil, false, nil
	}
	in, err = expr.NewIn(key, values, false)
	return in, true, err
}

// Without is FALSE where a LIST or a MAP, which does not have what is looked for, is not NULL.
func Without(x expr.Expr) (expr.Expr, error) {
	never := expr.NewConst(vector.BoolScalar(false))
	return expr.NewCase(nil, []expr.Expr{expr.NewIsNull(x, true)}, []expr.Expr{never}, nil)
}

// elementAt is the element of a LIST at a position or the value of a MAP for a key.
func elementAt(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if args[0].Type().Kind == vector.Variant {
		return variantElement(call, args)
	}
	if args[0].Type().Kind == vector.Struct {
		return fieldNamed(call, args)
	}
	x, err := nestedArg(call, args)
	if err != nil {
		return nil, err
	}
	t := x.Type()
	switch {
	case t.Kind == vector.Null:
		return expr.NewConst(vector.NullOf(t)), nil
	case t.Kind == vector.List:
		position, err := define.WantInt.Bind(call.Name, args[1])
		if err != nil {
			return nil, err
		}
		return NewPath(call, []expr.Expr{x, position}, x, []Step{{Key: position, Base: 1}})
	case len(t.Fields) < 2:
		return nil, fmt.Errorf("%s: the MAP has no values", call.Name)
	}
	x, key, absent, err := Searched(call.Name, x, 0, args[1])
	if err != nil {
		return nil, err
	}
	if absent {
		return expr.NewConst(vector.NullOf(t.Fields[1].Type)), nil
	}
	return NewPath(call, []expr.Expr{x, key}, x, []Step{{Key: key}})
}

// fieldNamed is s['name'], and s[1] of a STRUCT without names.
func fieldNamed(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x := args[0]
	if s, ok := expr.Literal(args[1]); ok && s.Type.IsInteger() && s.Type.Kind != vector.UBigInt {
		if x.Type().Fields[0].Name != "" {
			return nil, fmt.Errorf("%s: the fields of %s have names; use s['name']", call.Name, x.Type())
		}
		if s.I64 < 1 || s.I64 > int64(len(x.Type().Fields)) {
			return nil, fmt.Errorf("%s: %s has no field %d", call.Name, x.Type(), s.I64)
		}
		return NewPath(call, args, x, []Step{{Field: int(s.I64) - 1}})
	}
	field, err := define.ConstantText(call.Name, "field", args[1])
	if err != nil {
		return nil, err
	}
	at, ok := FieldIndex(x.Type(), field)
	if !ok {
		return nil, NoField(x.Type(), field)
	}
	return NewPath(call, args, x, []Step{{Field: at}})
}

// NoField is the error of a STRUCT without a field of the name. It names no function, since s.a and
// s['a'] are not written with one.
func NoField(t vector.Type, name string) error {
	names := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		names[i] = f.Name
	}
	if near := errs.Nearest(name, names); len(near) > 0 {
		return fmt.Errorf("%s has no field %q (there is %s)", t, name, strings.Join(near, ", "))
	}
	return fmt.Errorf("%s has no field %q", t, name)
}

// FieldIndex finds a field by its exact name, or by its name in any letter case if
// only one field matches.
func FieldIndex(t vector.Type, name string) (int, bool) {
	found := -1
	for i, f := range t.Fields {
		if f.Name == name {
			return i, true
		}
		if strings.EqualFold(f.Name, name) {
			if found >= 0 {
				found = len(t.Fields)
				continue
			}
			found = i
		}
	}
	return found, found >= 0 && found < len(t.Fields)
}

// errNotNested is the error of a function that takes only LIST and MAP.
func errNotNested(name string, t vector.Type) error {
	return fmt.Errorf("%s takes a LIST or a MAP, not %s", name, t)
}
