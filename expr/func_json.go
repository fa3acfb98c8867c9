package expr

import (
	"encoding/json"
	"fmt"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// jsonFunctions look into LIST, MAP, STRUCT, BSON and JSON text by paths.
var jsonFunctions = map[string]binder{
	"->":                  arrow(false),
	"->>":                 arrow(true),
	"JSON_EXTRACT":        arrow(false),
	"JSON_EXTRACT_PATH":   arrow(false),
	"JSON_EXTRACT_STRING": arrow(true),
	"JSON_VALUE":          arrow(true),
	"JSON_VALID":          fixed(typeBoolean, map1(func(s string) bool { return json.Valid([]byte(s)) }), true, wantText),
	"JSON_ARRAY_LENGTH":   fixed(typeInt, try1(jsonArrayLength), true, wantJSON),
	"JSON_TYPE":           fixed(typeText, try1(jsonType), true, wantJSON),
	"TO_JSON":             toJSON,
}

var typeJSON = vector.Of(vector.JSON)

// wantJSON takes text, and nested values as their JSON text.
func wantJSON(function string, e Expr) (Expr, error) {
	if e.Type().Kind == vector.Variant {
		return nil, errs.Unsupported("%s of a VARIANT", function)
	}
	if e = NewRender(e); e.Type().Kind == vector.Rendered {
		return e, nil
	}
	return textOperand(function, e)
}

// toJSON is any value as JSON text.
func toJSON(name string, args []Expr) (Expr, error) {
	if len(args) != 1 {
		return nil, wrongCount(name, args, "1")
	}
	switch t := args[0].Type(); {
	case t.Kind == vector.JSON:
		return args[0], nil
	case t.Kind == vector.Variant:
		return nil, errs.Unsupported("%s of a VARIANT", name)
	case t.Kind == vector.Rendered || t.Kind == vector.BSON:
		return retyped(NewRender(args[0]), typeJSON), nil
	}
	return newCall(name, args, typeJSON, jsonKernel, true, keepArg)
}

// retyped is text under the name of another type.
func retyped(x Expr, t vector.Type) Expr {
	if r, ok := x.(*Render); ok {
		return &Render{X: r.X, T: t}
	}
	return &Cast{X: x, T: t}
}

// arrow is x->path and, with text, x->>path.
func arrow(text bool) binder {
	return func(name string, args []Expr) (Expr, error) {
		if len(args) != 2 {
			return nil, wrongCount(name, args, "2")
		}
		steps, err := constantPath(name, args[1])
		if err != nil {
			return nil, err
		}
		x := args[0]
		if t := x.Type(); t.Kind == vector.Variant {
			return nil, errs.Unsupported("%s of a VARIANT", name)
		} else if !t.IsNested() {
			return jsonPath(name, args, x, steps, text)
		}
		at, rest, err := typedSteps(x.Type(), steps)
		if err != nil {
			return nil, err
		}
		if at == nil && len(rest) > 0 {
			return NewConst(vector.NullOf(typeJSON)), nil
		}
		found := x
		if len(at) > 0 {
			if found, err = newPath(name, args, x, at); err != nil {
				return nil, err
			}
		}
		return shown(name, found, rest, text)
	}
}

// constantPath is a path given as a literal: text, or a position.
func constantPath(name string, e Expr) (vector.Path, error) {
	s, ok := literal(e)
	switch {
	case ok && s.Type.IsText():
		return vector.ParsePath(s.Str)
	case ok && s.Type.IsInteger() && s.Type.Kind != vector.UBigInt:
		return vector.Path{{Kind: vector.PositionStep, Position: s.I64}}, nil
	}
	return nil, fmt.Errorf("%s: the path must be a string literal, or a position", name)
}

// typedSteps turns a path into steps through a nested type, as far as that
// goes; the rest is for the JSON text found there. at is nil and rest is not
// where the path asks for what the type cannot have.
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
			s.key = NewConst(vector.IntScalar(p.Position))
			t = t.Fields[0].Type
		case vector.Map:
			key := vector.StringScalar(p.Name)
			if p.Kind == vector.PositionStep {
				key = vector.IntScalar(p.Position)
			}
			if key, err = castScalar(key, t.Fields[0].Type); err != nil || len(t.Fields) < 2 {
				return nil, path[k:], nil
			}
			s.key = NewConst(key)
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

// shown is what -> and ->> make of the value that a path leads to.
func shown(name string, x Expr, rest vector.Path, text bool) (Expr, error) {
	t := x.Type()
	switch {
	case len(rest) > 0 && (t.IsText() || t.Kind == vector.Rendered || t.Kind == vector.BSON):
		path := NewConst(vector.StringScalar(rest.String()))
		return jsonPath(name, []Expr{x, path}, x, rest, text)
	case len(rest) > 0:
		return NewConst(vector.NullOf(typeJSON)), nil
	case t.IsNested() || t.Kind == vector.BSON:
		if text {
			return retyped(NewRender(x), typeText), nil
		}
		return retyped(NewRender(x), typeJSON), nil
	case !text:
		return x, nil
	case t.Kind == vector.JSON:
		return jsonPath(name, []Expr{x, NewConst(vector.StringScalar("$"))}, x, nil, true)
	case t.Kind == vector.Blob || t.Kind == vector.Geometry || t.Kind == vector.Geography:
		return newCall("TO_BASE64", []Expr{x}, typeText, text1(appendBase64), true, keepArg)
	}
	return NewCast(x, typeText, false)
}

// jsonPath looks into JSON text.
func jsonPath(name string, args []Expr, x Expr, steps vector.Path, text bool) (Expr, error) {
	x, err := wantJSON(name, x)
	if err != nil {
		return nil, err
	}
	impl := &routine{args: []Expr{x}, careful: true, make: text1(func(dst []byte, s string) ([]byte, outcome) {
		raw, found, err := jsonFind(s, steps)
		switch {
		case err != nil:
			return dst, outcome{err: err}
		case !found || text && raw == "null":
			return dst, outcome{null: true}
		case text && raw[0] == '"':
			var value string
			if err := json.Unmarshal([]byte(raw), &value); err != nil {
				return dst, outcome{err: errJSON}
			}
			return append(dst, value...), outcome{}
		}
		return appendCompact(dst, raw), outcome{}
	})}
	t := typeJSON
	if text {
		t = typeText
	}
	return fold(&Call{Name: name, Args: []Expr{x, args[1]}, T: t, impl: impl}), nil
}

func jsonArrayLength(s string) (int64, outcome) {
	p := jsonReader{text: s}
	p.blanks()
	if p.peek() != '[' {
		return 0, outcome{}
	}
	n, err := p.count()
	return n, outcome{err: err}
}

// jsonType names the type of a JSON value as JSON_TYPE has it.
func jsonType(s string) (string, outcome) {
	p := jsonReader{text: s}
	p.blanks()
	switch p.peek() {
	case '{':
		return "OBJECT", outcome{}
	case '[':
		return "ARRAY", outcome{}
	case '"':
		return "VARCHAR", outcome{}
	case 't', 'f':
		return "BOOLEAN", outcome{}
	case 'n':
		return "NULL", outcome{}
	case 0:
		return "", outcome{err: errJSON}
	}
	for i := range len(s) {
		if s[i] == '.' || s[i] == 'e' || s[i] == 'E' {
			return "DOUBLE", outcome{}
		}
	}
	return "BIGINT", outcome{}
}
