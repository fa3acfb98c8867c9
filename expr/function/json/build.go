package json

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// BuildFunctions make JSON values of others; NULL becomes null within them.
var BuildFunctions = []expr.Function{
	{Name: "JSON_ARRAY", Help: "the arguments as a JSON array", Example: `JSON_ARRAY(1, 'a', NULL) → [1,"a",null]`,
		Binding: define.Custom(jsonArray, "→ JSON", "any, ... → JSON")},
	{Name: "JSON_OBJECT", Help: "names and values of any type in turn as a JSON object", Example: `JSON_OBJECT('a', 1, 'b', NULL) → {"a":1,"b":null}`,
		Binding: define.Custom(jsonObject, "→ JSON", "VARCHAR, VARCHAR, ... → JSON")},
}

// texts are the arguments as JSON text.
func texts(call expr.Callee, args []expr.Expr) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(args))
	for i, a := range args {
		var err error
		switch {
		case a.Type().Kind == vector.Null:
			out[i] = expr.NewConst(vector.NullOf(define.TypeJSON))
		default:
			out[i], err = toJSON(call, []expr.Expr{a})
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", call.Name, err)
		}
	}
	return out, nil
}

func jsonArray(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	list, err := texts(call, args)
	if err != nil {
		return nil, err
	}
	return expr.NewCall(call, args, define.TypeJSON, &expr.Routine{Node: func(by *expr.Compiler) kernel.Node {
		return &buildNode{args: by.Nodes(list), appendRow: func(_ *kernel.TextBuffer, dst []byte, values []*string) ([]byte, kernel.Outcome) {
			dst = append(dst, '[')
			for i, v := range values {
				if i > 0 {
					dst = append(dst, ',')
				}
				dst = appendText(dst, v)
			}
			return append(dst, ']'), kernel.Outcome{}
		}}
	}}), nil
}

var errNoName = errors.New("JSON_OBJECT: a name is NULL")

func jsonObject(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if len(args)%2 == 1 {
		return nil, fmt.Errorf("%s takes names and values in turn, and not %d arguments", call.Name, len(args))
	}
	for i := 0; i < len(args); i += 2 {
		if !args[i].Type().IsText() {
			return nil, fmt.Errorf("%s: the name of a member is text, not %s; use a CAST", call.Name, args[i].Type())
		}
	}
	list, err := texts(call, args)
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(args); i += 2 {
		list[i] = args[i] // names are quoted later
	}
	return expr.NewCall(call, args, define.TypeJSON, &expr.Routine{Node: func(by *expr.Compiler) kernel.Node {
		return &buildNode{args: by.Nodes(list), appendRow: appendObject}
	}}), nil
}

func appendObject(_ *kernel.TextBuffer, dst []byte, values []*string) ([]byte, kernel.Outcome) {
	dst = append(dst, '{')
	for i := 0; i < len(values); i += 2 {
		if values[i] == nil {
			return dst, kernel.Outcome{Err: errNoName}
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(append(vector.AppendQuoted(dst, *values[i]), ':'), values[i+1])
	}
	return append(dst, '}'), kernel.Outcome{}
}

func appendText(dst []byte, v *string) []byte {
	if v == nil {
		return append(dst, "null"...)
	}
	return append(dst, *v...)
}

// buildNode makes JSON text of texts that may be NULL.
type buildNode struct {
	args      []kernel.Node
	appendRow func(t *kernel.TextBuffer, dst []byte, values []*string) ([]byte, kernel.Outcome)

	texts  kernel.TextBuffer
	argv   []*vector.Vector
	values []*string
	cells  []string
	out    kernel.Result
}

func (b *buildNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	b.argv, b.values, b.cells = b.argv[:0], make([]*string, len(b.args)), make([]string, len(b.args))
	for _, a := range b.args {
		v, err := a.Eval(f, rows)
		if err != nil {
			return nil, err
		}
		b.argv = append(b.argv, v)
	}
	b.out.Begin(define.TypeJSON, f)
	return &b.out.Vector, b.texts.Fill(rows, f.N, &b.out, func(dst []byte, i int32) ([]byte, kernel.Outcome) {
		for k, v := range b.argv {
			b.values[k] = nil
			if v.Type.Kind != vector.Null && !v.IsNull(int(i)) {
				b.cells[k] = kernel.Cell[string](v, i)
				b.values[k] = &b.cells[k]
			}
		}
		return b.appendRow(&b.texts, dst, b.values)
	})
}
