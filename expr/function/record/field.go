package record

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/function/list"
	"github.com/parquetsql/parquetsql/vector"
)

// FieldFunctions make STRUCTs of the fields of others, and look for values in them.
var FieldFunctions = []expr.Function{
	{Name: "STRUCT_INSERT", Help: "the STRUCT with further fields", Example: "STRUCT_INSERT({'a': 1}, b := 2) → {\"a\":1,\"b\":2}", Named: insert, Binding: define.Custom(noNames, "STRUCT, a := T, ... → STRUCT")},
	{Name: "STRUCT_UPDATE", Help: "the STRUCT with other values of fields, or further ones", Example: "STRUCT_UPDATE({'a': 1}, a := 2) → {\"a\":2}", Named: update, Binding: define.Custom(noNames, "STRUCT, a := T, ... → STRUCT")},
	{Name: "STRUCT_CONCAT", Help: "a STRUCT with the fields of all arguments", Example: "STRUCT_CONCAT({'a': 1}, {'b': 2}) → {\"a\":1,\"b\":2}",
		Binding: define.Custom(join, "STRUCT(a T) → STRUCT", "STRUCT(a T), STRUCT(b T) → STRUCT", "STRUCT(a T), STRUCT(b T), STRUCT(c T) → STRUCT", "STRUCT(a T), STRUCT(b T), STRUCT(c T), STRUCT(d T) → STRUCT", "STRUCT(a T), STRUCT(b T), STRUCT(c T), STRUCT(d T), STRUCT(e T) → STRUCT")},
	{Name: "STRUCT_KEYS", Help: "the names of the fields", Example: "STRUCT_KEYS({'a': 1, 'b': 2}) → [\"a\",\"b\"]", Binding: define.Custom(orNull(expr.ListType(define.TypeText), keys), "STRUCT → LIST(VARCHAR)")},
	{Name: "STRUCT_VALUES", Help: "the STRUCT without the names of its fields", Example: "STRUCT_VALUES({'a': 1, 'b': 2}) → [1,2]", Binding: define.Custom(orNull(vector.Of(vector.Null), values), "STRUCT → STRUCT")},
	{Name: "STRUCT_POSITION", Aliases: []string{"STRUCT_INDEXOF"}, Help: "the number of the first field that has a value, in a STRUCT without names; NULL if there is none", Example: "STRUCT_POSITION(ROW(5, 7), 7) → 2",
		Binding: define.Custom(orNull(define.TypeInt, position), "STRUCT(a T), T → BIGINT")},
	{Name: "STRUCT_CONTAINS", Aliases: []string{"STRUCT_HAS"}, Help: "whether a field has a value, in a STRUCT without names", Example: "STRUCT_CONTAINS(ROW(5, 7), 7) → true",
		Binding: define.Custom(orNull(define.TypeBoolean, contains), "STRUCT(a T), T → BOOLEAN")},
	{Name: "STRUCT_EXTRACT_AT", Help: "the field with a number, from 1", Example: "STRUCT_EXTRACT_AT({'a': 5}, 1) → 5", Binding: define.Custom(fieldAt, "STRUCT(a T), BIGINT literal → T")},
}

// orNull is a function of a STRUCT that is NULL, of a type, where the literal NULL is in its place.
func orNull(t vector.Type, bind define.Binder) define.Binder {
	return func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		if args[0].Type().Kind == vector.Null {
			return expr.NewConst(vector.NullOf(t)), nil
		}
		return bind(call, args)
	}
}

// wantStruct checks that an argument is a STRUCT.
func wantStruct(name string, e expr.Expr) error {
	if t := e.Type(); t.Kind != vector.Struct {
		return fmt.Errorf("%s takes a STRUCT, not %s", name, t)
	}
	return nil
}

// fieldsOf are the fields of a STRUCT as expressions.
func fieldsOf(name string, x expr.Expr) (names []string, fields []expr.Expr, err error) {
	if err := wantStruct(name, x); err != nil {
		return nil, nil, err
	}
	if s, ok := x.(*expr.Struct); ok {
		for _, f := range s.T.Fields {
			names = append(names, f.Name)
		}
		return names, append(fields, s.Items...), nil
	}
	call := expr.Callee{Function: &extract, Name: "STRUCT_EXTRACT"}
	for i, f := range x.Type().Fields {
		key := vector.StringScalar(f.Name)
		if f.Name == "" {
			key = vector.IntScalar(int64(i) + 1)
		}
		field, err := list.NewPath(call, []expr.Expr{x, expr.NewConst(key)}, x, []list.Step{{Field: i}})
		if err != nil {
			return nil, nil, err
		}
		names, fields = append(names, f.Name), append(fields, field)
	}
	return names, fields, nil
}

func insert(names []string, args []expr.Expr) (expr.Expr, error) {
	if names[0] != "" || len(args) < 2 {
		return nil, fmt.Errorf("STRUCT_INSERT takes a STRUCT, and then fields: STRUCT_INSERT(s, name := value)")
	}
	have, fields, err := fieldsOf("STRUCT_INSERT", args[0])
	if err != nil {
		return nil, err
	}
	for _, name := range names[1:] {
		if name == "" {
			return nil, errNoName("STRUCT_INSERT")
		}
	}
	return expr.NewStruct(append(have, names[1:]...), append(fields, args[1:]...))
}

func update(names []string, args []expr.Expr) (expr.Expr, error) {
	if names[0] != "" || len(args) < 2 {
		return nil, fmt.Errorf("STRUCT_UPDATE takes a STRUCT, and then fields: STRUCT_UPDATE(s, name := value)")
	}
	have, fields, err := fieldsOf("STRUCT_UPDATE", args[0])
	if err != nil {
		return nil, err
	}
	for i, name := range names[1:] {
		if name == "" {
			return nil, errNoName("STRUCT_UPDATE")
		}
		if at, ok := list.FieldIndex(args[0].Type(), name); ok {
			fields[at] = args[i+1]
			continue
		}
		have, fields = append(have, name), append(fields, args[i+1])
	}
	return expr.NewStruct(have, fields)
}

func join(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	var names []string
	var fields []expr.Expr
	for _, a := range args {
		n, f, err := fieldsOf(call.Name, a)
		if err != nil {
			return nil, err
		}
		if len(names) > 0 && (names[0] == "") != (n[0] == "") {
			return nil, fmt.Errorf("%s takes STRUCTs that all have names, or none", call.Name)
		}
		names, fields = append(names, n...), append(fields, f...)
	}
	return expr.NewStruct(names, fields)
}

func keys(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if err := wantStruct(call.Name, args[0]); err != nil {
		return nil, err
	}
	var names []expr.Expr
	for _, f := range args[0].Type().Fields {
		if f.Name == "" {
			return nil, fmt.Errorf("%s: the fields of %s have no names", call.Name, args[0].Type())
		}
		names = append(names, expr.NewConst(vector.StringScalar(f.Name)))
	}
	all, err := expr.NewList(names...)
	if err != nil {
		return nil, err
	}
	return expr.NewCase(nil, []expr.Expr{expr.NewIsNull(args[0], true)}, []expr.Expr{all}, nil)
}

func values(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if err := wantStruct(call.Name, args[0]); err != nil {
		return nil, err
	}
	t := vector.Of(vector.Struct)
	for _, f := range args[0].Type().Fields {
		f.Name = ""
		t.Fields = append(t.Fields, f)
	}
	return expr.NewCast(args[0], t, false)
}

func position(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	_, fields, err := fieldsOf(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	var whens, thens []expr.Expr
	for i, f := range fields {
		same, errOne := expr.NewDistinctFrom(f, args[1], true)
		if errOne != nil { // a field of another type does not have the value
			err = errOne
			continue
		}
		whens, thens = append(whens, same), append(thens, expr.NewConst(vector.IntScalar(int64(i)+1)))
	}
	if len(whens) == 0 {
		return nil, err
	}
	return expr.NewCase(nil, whens, thens, expr.NewConst(vector.NullOf(define.TypeInt)))
}

func contains(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	at, err := position(call, args)
	if err != nil {
		return nil, err
	}
	found := expr.NewIsNull(at, true)
	null, err := expr.NewOr(expr.NewIsNull(args[0], false), expr.NewIsNull(args[1], false))
	if err != nil {
		return nil, err
	}
	return expr.NewCase(nil, []expr.Expr{null}, []expr.Expr{expr.NewConst(vector.NullOf(define.TypeBoolean))}, found)
}

func fieldAt(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if err := wantStruct(call.Name, args[0]); err != nil {
		return nil, err
	}
	s, ok := expr.Literal(args[1])
	n, whole := s.Whole()
	at := n.Int64()
	if !ok || !whole || at < 1 || at > int64(len(args[0].Type().Fields)) {
		return nil, fmt.Errorf("%s: %s has no such field; they count from 1", call.Name, args[0].Type())
	}
	return list.NewPath(call, args, args[0], []list.Step{{Field: int(at) - 1}})
}
