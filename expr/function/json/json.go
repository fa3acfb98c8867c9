package json

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/function/list"
	"github.com/parquetsql/parquetsql/expr/function/text"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/jsontext"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// arrowFunction is JSON_EXTRACT, of which other functions are made.
var arrowFunction = expr.Function{Name: "->", Aliases: []string{"JSON_EXTRACT", "JSON_EXTRACT_PATH"}, Help: "what a path leads to, in its own type or as JSON", Example: `'{"a": [1, 2]}'->'$.a[1]' → 2`,
	Binding: define.Custom(arrow(false), "JSON | VARCHAR, VARCHAR | BIGINT literal → JSON", "JSON | VARCHAR, ['path'] → LIST(JSON)", "LIST(T), BIGINT literal → T", "STRUCT(a T), 'path' → T", "MAP(VARCHAR, T), 'path' → T", "VARIANT, 'path' | BIGINT literal → VARIANT")}

// Functions extract values from LIST, MAP, STRUCT, BSON and JSON text by a path.
var Functions = []expr.Function{
	arrowFunction,
	{Name: "->>", Aliases: []string{"JSON_EXTRACT_STRING", "JSON_EXTRACT_PATH_TEXT"}, Help: "what a path leads to, as text", Example: `'{"a": "b"}'->>'$.a' → b`,
		Binding: define.Custom(arrow(true), "JSON | VARCHAR, VARCHAR → VARCHAR", "JSON | VARCHAR, ['path'] → LIST(VARCHAR)", "STRUCT(a T) | MAP(VARCHAR, T), 'path' → VARCHAR", "JSON | VARCHAR | LIST(T), BIGINT literal → VARCHAR")},
	{Name: "JSON_VALID", Help: "whether the text is valid JSON", Example: "JSON_VALID('[1, 2') → false",
		Binding: define.Fixed(define.TypeBoolean, kernel.TryWith1(isValid), true, define.WantText)},
	{Name: "TO_JSON", Aliases: []string{"JSON_QUOTE", "ROW_TO_JSON", "ARRAY_TO_JSON"}, Help: "the value as JSON", Example: `TO_JSON('a') → "a"`,
		Binding: define.Custom(toJSON, "T → JSON")},
}

// wantJSON accepts text, and nested values as their JSON text.
var wantJSON = define.Want{Types: "JSON | VARCHAR | LIST(T) | MAP(K, V) | STRUCT(a T)", Bind: func(function string, e expr.Expr) (expr.Expr, error) {
	return expr.TextOperand(function, expr.NewJSON(e))
}}

// toJSON renders any value as JSON text.
func toJSON(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	switch t := args[0].Type(); {
	case t.Kind == vector.JSON:
		return args[0], nil
	case t.Kind == vector.Rendered:
		return retyped(args[0], define.TypeJSON), nil
	case t.Kind == vector.BSON || expr.HasVariant(t):
		return expr.NewJSON(args[0]), nil
	case t.IsNested():
		return define.Strict(call, args, define.TypeJSON, kernel.WithJSON(kernel.RenderJSON), true)
	}
	return define.Strict(call, args, define.TypeJSON, kernel.RenderJSON, true)
}

// retyped changes the type of text without changing the values.
func retyped(x expr.Expr, t vector.Type) expr.Expr {
	if r, ok := x.(*expr.Render); ok {
		return &expr.Render{X: r.X, T: t}
	}
	if e, ok := x.(*expr.Extract); ok && e.Form == expr.FormJSON {
		what := e.Extraction
		what.T = t
		return expr.NewExtract(e.X, what)
	}
	return &expr.Cast{X: x, T: t}
}

// arrow is x->path and, with asText, x->>path.
func arrow(asText bool) define.Binder {
	one := func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		steps, err := constantPath(call.Name, args[1])
		if err != nil {
			return nil, err
		}
		return arrowPath(call, args, steps, asText)
	}
	return manyPaths(one, dynamicPath(asText), allAt(asText))
}

// arrowPath is arrow with a path that was parsed.
func arrowPath(call expr.Callee, args []expr.Expr, steps vector.Path, asText bool) (expr.Expr, error) {
	x := args[0]
	if t := x.Type(); t.Kind == vector.Variant {
		return shown(call, x, steps, asText)
	} else if !t.IsNested() {
		return jsonPath(call, args, x, steps, asText)
	}
	at, rest, err := typedSteps(x.Type(), steps)
	if err != nil {
		return nil, err
	}
	if at == nil && len(rest) > 0 {
		return expr.NewConst(vector.NullOf(define.TypeJSON)), nil
	}
	found := x
	if len(at) > 0 {
		if found, err = list.NewPath(call, args, x, at); err != nil {
			return nil, err
		}
	}
	return shown(call, found, rest, asText)
}

// constantPath parses a path given as a literal: text, or a position.
func constantPath(name string, e expr.Expr) (vector.Path, error) {
	s, ok := expr.Literal(e)
	switch {
	case ok && s.Type.IsText():
		return parsePath(s.Str)
	case ok && s.Type.IsInteger() && s.Type.Kind != vector.UBigInt:
		return vector.Path{{Kind: vector.PositionStep, Position: s.I64}}, nil
	}
	return nil, fmt.Errorf("%s: the path must be a string literal, or a position", name)
}

// typedSteps turns a path into steps through a nested type. rest is the part of the
// path after the nested type ends, to be applied to the JSON text found there. If the
// type cannot contain what the path names, at is nil and rest is not empty.
func typedSteps(t vector.Type, path vector.Path) (at []list.Step, rest vector.Path, err error) {
	for k, p := range path {
		if !t.IsNested() {
			return at, path[k:], nil
		}
		s := list.Step{}
		switch t.Kind {
		case vector.List:
			if p.Kind != vector.PositionStep {
				return nil, path[k:], nil
			}
			s.Key = expr.NewConst(vector.IntScalar(p.Position))
			t = t.Fields[0].Type
		case vector.Map:
			key := vector.StringScalar(p.Name)
			if p.Kind == vector.PositionStep {
				key = vector.IntScalar(p.Position)
			}
			if key, err = expr.CastScalar(key, t.Fields[0].Type); err != nil || len(t.Fields) < 2 {
				return nil, path[k:], nil
			}
			s.Key = expr.NewConst(key)
			t = t.Fields[1].Type
		default:
			field, ok := list.FieldIndex(t, p.Name)
			if p.Kind == vector.PositionStep || !ok {
				return nil, nil, list.NoField(t, p.Name)
			}
			s.Field = field
			t = t.Fields[field].Type
		}
		at = append(at, s)
	}
	return at, nil, nil
}

// shown builds the result of -> and ->> from the value that a path leads to.
func shown(call expr.Callee, x expr.Expr, rest vector.Path, asText bool) (expr.Expr, error) {
	t := x.Type()
	switch {
	case t.Kind == vector.Variant && asText:
		return expr.NewExtract(x, expr.Extraction{Path: rest, Form: expr.FormText}), nil
	case t.Kind == vector.Variant:
		return expr.NewExtract(x, expr.Extraction{Path: rest}), nil
	case len(rest) > 0 && (t.IsText() || t.Kind == vector.Rendered || t.Kind == vector.BSON):
		path := expr.NewConst(vector.StringScalar(rest.String()))
		return jsonPath(call, []expr.Expr{x, path}, x, rest, asText)
	case len(rest) > 0:
		return expr.NewConst(vector.NullOf(define.TypeJSON)), nil
	case t.IsNested() || t.Kind == vector.BSON:
		if asText {
			return retyped(expr.NewRender(x), define.TypeText), nil
		}
		return expr.NewJSON(x), nil
	case !asText:
		return x, nil
	case t.Kind == vector.JSON:
		return jsonPath(call, []expr.Expr{x, expr.NewConst(vector.StringScalar("$"))}, x, nil, true)
	case t.Kind == vector.Blob || t.Kind == vector.Geometry || t.Kind == vector.Geography:
		return text.Base64.Call("TO_BASE64", []expr.Expr{x})
	}
	return expr.NewCast(x, define.TypeText, false)
}

// jsonPath extracts a value from JSON text.
func jsonPath(call expr.Callee, args []expr.Expr, x expr.Expr, steps vector.Path, asText bool) (expr.Expr, error) {
	x, err := wantJSON.Bind(call.Name, x)
	if err != nil {
		return nil, err
	}
	impl := &expr.Routine{Args: []expr.Expr{x}, Operation: kernel.Operation{Careful: true, Make: pathKernel(steps, asText)}}
	t := define.TypeJSON
	if asText {
		t = define.TypeText
	}
	return expr.NewCall(call, []expr.Expr{x, args[1]}, t, impl), nil
}

func isValid(m *quota.Meter, s string) (bool, kernel.Outcome) {
	ok, err := jsontext.Valid(s, m.Teller())
	return ok, kernel.Outcome{Err: err}
}

func jsonArrayLength(m *quota.Meter, s string) (int64, kernel.Outcome) {
	p := jsontext.New(s, m.Teller())
	if p.Next() != '[' {
		return 0, kernel.Outcome{}
	}
	n, err := p.Count()
	return n, kernel.Outcome{Err: err}
}

var errJSON = jsontext.ErrMalformed
