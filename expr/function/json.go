package function

import (
	"encoding/json"
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// jsonFunctions extract values from LIST, MAP, STRUCT, BSON and JSON text by a path.
var jsonFunctions = []expr.Function{
	{Name: "->", Aliases: []string{"JSON_EXTRACT", "JSON_EXTRACT_PATH"}, Binding: custom(arrow(false), "JSON | VARCHAR, 'path' | BIGINT literal → JSON", "LIST(T), BIGINT literal → T", "STRUCT(a T), 'path' → T", "MAP(VARCHAR, T), 'path' → T", "VARIANT, 'path' | BIGINT literal → VARIANT")},
	{Name: "->>", Aliases: []string{"JSON_EXTRACT_STRING", "JSON_VALUE"}, Binding: custom(arrow(true), "JSON | VARCHAR | STRUCT(a T) | MAP(VARCHAR, T), 'path' → VARCHAR", "JSON | VARCHAR | LIST(T), BIGINT literal → VARCHAR")},
	{Name: "JSON_VALID", Binding: fixed(typeBoolean, kernel.Map1(func(s string) bool { return json.Valid([]byte(s)) }), true, wantText)},
	{Name: "JSON_ARRAY_LENGTH", Binding: fixed(typeInt, kernel.Try1(jsonArrayLength), true, wantJSON)},
	{Name: "JSON_TYPE", Binding: fixed(typeText, kernel.Try1(jsonType), true, wantJSON)},
	{Name: "TO_JSON", Binding: custom(toJSON, "T → JSON")},
}

var typeJSON = vector.Of(vector.JSON)

// wantJSON accepts text, and nested values as their JSON text.
var wantJSON = want{"JSON | VARCHAR | LIST(T) | MAP(K, V) | STRUCT(a T)", func(function string, e expr.Expr) (expr.Expr, error) {
	if e = expr.NewRender(e); e.Type().Kind == vector.Rendered {
		return e, nil
	}
	return expr.TextOperand(function, e)
}}

// toJSON renders any value as JSON text.
func toJSON(name string, args []expr.Expr) (expr.Expr, error) {
	switch t := args[0].Type(); {
	case t.Kind == vector.JSON:
		return args[0], nil
	case t.Kind == vector.Rendered || t.Kind == vector.BSON || expr.HasVariant(t):
		return retyped(expr.NewRender(args[0]), typeJSON), nil
	}
	return strictCall(name, args, typeJSON, kernel.RenderJSON, true)
}

// retyped changes the type of text without changing the values.
func retyped(x expr.Expr, t vector.Type) expr.Expr {
	if r, ok := x.(*expr.Render); ok {
		return &expr.Render{X: r.X, T: t}
	}
	return &expr.Cast{X: x, T: t}
}

// arrow is x->path and, with text, x->>path.
func arrow(text bool) binder {
	return func(name string, args []expr.Expr) (expr.Expr, error) {
		steps, err := constantPath(name, args[1])
		if err != nil {
			return nil, err
		}
		return arrowPath(name, args, steps, text)
	}
}

// arrowPath is arrow with a path that was parsed.
func arrowPath(name string, args []expr.Expr, steps vector.Path, text bool) (expr.Expr, error) {
	x := args[0]
	if t := x.Type(); t.Kind == vector.Variant {
		return shown(name, x, steps, text)
	} else if !t.IsNested() {
		return jsonPath(name, args, x, steps, text)
	}
	at, rest, err := typedSteps(x.Type(), steps)
	if err != nil {
		return nil, err
	}
	if at == nil && len(rest) > 0 {
		return expr.NewConst(vector.NullOf(typeJSON)), nil
	}
	found := x
	if len(at) > 0 {
		if found, err = newPath(name, args, x, at); err != nil {
			return nil, err
		}
	}
	return shown(name, found, rest, text)
}

// constantPath parses a path given as a literal: text, or a position.
func constantPath(name string, e expr.Expr) (vector.Path, error) {
	s, ok := expr.Literal(e)
	switch {
	case ok && s.Type.IsText():
		return vector.ParsePath(s.Str)
	case ok && s.Type.IsInteger() && s.Type.Kind != vector.UBigInt:
		return vector.Path{{Kind: vector.PositionStep, Position: s.I64}}, nil
	}
	return nil, fmt.Errorf("%s: the path must be a string literal, or a position", name)
}

// typedSteps turns a path into steps through a nested type. rest is the part of the
// path after the nested type ends, to be applied to the JSON text found there. If the
// type cannot contain what the path names, at is nil and rest is not empty.
func typedSteps(t vector.Type, path vector.Path) (at []step, rest vector.Path, err error) {
	for k, p := range path {
		if !t.IsNested() {
			return at, path[k:], nil
		}
		s := step{}
		switch t.Kind {
		case vector.List:
			if p.Kind != vector.PositionStep {
				return nil, path[k:], nil
			}
			s.key = expr.NewConst(vector.IntScalar(p.Position))
			t = t.Fields[0].Type
		case vector.Map:
			key := vector.StringScalar(p.Name)
			if p.Kind == vector.PositionStep {
				key = vector.IntScalar(p.Position)
			}
			if key, err = expr.CastScalar(key, t.Fields[0].Type); err != nil || len(t.Fields) < 2 {
				return nil, path[k:], nil
			}
			s.key = expr.NewConst(key)
			t = t.Fields[1].Type
		default:
			field, ok := fieldIndex(t, p.Name)
			if p.Kind == vector.PositionStep || !ok {
				return nil, nil, fmt.Errorf("%s has no field %q", t, p.Name)
			}
			s.field = field
			t = t.Fields[field].Type
		}
		at = append(at, s)
	}
	return at, nil, nil
}

// shown builds the result of -> and ->> from the value that a path leads to.
func shown(name string, x expr.Expr, rest vector.Path, text bool) (expr.Expr, error) {
	t := x.Type()
	switch {
	case t.Kind == vector.Variant && text:
		return expr.NewExtract(x, expr.Extraction{Path: rest, Form: expr.FormText}), nil
	case t.Kind == vector.Variant:
		return expr.NewExtract(x, expr.Extraction{Path: rest}), nil
	case len(rest) > 0 && (t.IsText() || t.Kind == vector.Rendered || t.Kind == vector.BSON):
		path := expr.NewConst(vector.StringScalar(rest.String()))
		return jsonPath(name, []expr.Expr{x, path}, x, rest, text)
	case len(rest) > 0:
		return expr.NewConst(vector.NullOf(typeJSON)), nil
	case t.IsNested() || t.Kind == vector.BSON:
		if text {
			return retyped(expr.NewRender(x), typeText), nil
		}
		return retyped(expr.NewRender(x), typeJSON), nil
	case !text:
		return x, nil
	case t.Kind == vector.JSON:
		return jsonPath(name, []expr.Expr{x, expr.NewConst(vector.StringScalar("$"))}, x, nil, true)
	case t.Kind == vector.Blob || t.Kind == vector.Geometry || t.Kind == vector.Geography:
		return strictCall("TO_BASE64", []expr.Expr{x}, typeText, kernel.Text1(appendBase64), true)
	}
	return expr.NewCast(x, typeText, false)
}

// jsonPath extracts a value from JSON text.
func jsonPath(name string, args []expr.Expr, x expr.Expr, steps vector.Path, text bool) (expr.Expr, error) {
	x, err := wantJSON.bind(name, x)
	if err != nil {
		return nil, err
	}
	impl := &expr.Routine{Args: []expr.Expr{x}, Operation: kernel.Operation{Careful: true, Make: kernel.Text1(func(dst []byte, s string) ([]byte, kernel.Outcome) {
		raw, found, err := findJSON(s, steps)
		switch {
		case err != nil:
			return dst, kernel.Outcome{Err: err}
		case !found || text && raw == "null":
			return dst, kernel.Outcome{Null: true}
		case text && raw[0] == '"':
			var value string
			if err := json.Unmarshal([]byte(raw), &value); err != nil {
				return dst, kernel.Outcome{Err: errJSON}
			}
			return append(dst, value...), kernel.Outcome{}
		}
		return appendCompact(dst, raw), kernel.Outcome{}
	})}}
	t := typeJSON
	if text {
		t = typeText
	}
	return bound(name, []expr.Expr{x, args[1]}, t, impl), nil
}

func jsonArrayLength(s string) (int64, kernel.Outcome) {
	p := jsonReader{text: s}
	p.blanks()
	if p.peek() != '[' {
		return 0, kernel.Outcome{}
	}
	n, err := p.count()
	return n, kernel.Outcome{Err: err}
}

// jsonType is the name that JSON_TYPE gives to the type of a JSON value.
func jsonType(s string) (string, kernel.Outcome) {
	p := jsonReader{text: s}
	p.blanks()
	switch p.peek() {
	case '{':
		return "OBJECT", kernel.Outcome{}
	case '[':
		return "ARRAY", kernel.Outcome{}
	case '"':
		return "VARCHAR", kernel.Outcome{}
	case 't', 'f':
		return "BOOLEAN", kernel.Outcome{}
	case 'n':
		return "NULL", kernel.Outcome{}
	case 0:
		return "", kernel.Outcome{Err: errJSON}
	}
	for i := range len(s) {
		if s[i] == '.' || s[i] == 'e' || s[i] == 'E' {
			return "DOUBLE", kernel.Outcome{}
		}
	}
	return "BIGINT", kernel.Outcome{}
}
