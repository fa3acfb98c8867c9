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
	pieces, closing := make([]piece, len(args)), "]"
	for i := range args {
		pieces[i] = valueOf(args[i], list[i], before('[', i))
	}
	if len(args) == 0 {
		closing = "[]"
	}
	return built(call, args, pieces, closing), nil
}

// before is what stands before the i-th member or element.
func before(open byte, i int) string {
	if i > 0 {
		open = ','
	}
	return string(open)
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
	var pieces []piece
	for i := 0; i < len(args); i += 2 {
		front := before('{', i)
		if name, ok := args[i].(*expr.Const); ok && !name.Value.Null {
			front = string(vector.AppendQuoted([]byte(front), name.Value.Str))
		} else {
			pieces = append(pieces, piece{before: front, text: args[i], name: true})
			front = ""
		}
		pieces = append(pieces, valueOf(args[i+1], list[i+1], front+":"))
	}
	if len(args) == 0 {
		return built(call, args, nil, "{}"), nil
	}
	return built(call, args, pieces, "}"), nil
}

// piece is a part of the text of an object or array: what is the same in each row, and a value.
type piece struct {
	before     string
	text, json expr.Expr // a text that is to be quoted, or a value as JSON; both are one value
	name       bool      // the value is a name, and not NULL
}

// valueOf is the piece of a value, which is as text of JSON json. A text is quoted where it is written, but that of a column, which may be a
// dictionary of quoted texts, only where it is none.
func valueOf(x, json expr.Expr, before string) piece {
	p := piece{before: before, json: json}
	if x.Type().Kind == vector.Varchar {
		p.text = x
		if _, ok := x.(*expr.Column); !ok {
			p.json = nil
		}
	}
	return p
}

func built(call expr.Callee, args []expr.Expr, pieces []piece, closing string) expr.Expr {
	return expr.NewCall(call, args, define.TypeJSON, &expr.Routine{Node: func(by *expr.Compiler) kernel.Node {
		n := &piecesNode{closing: closing}
		for _, p := range pieces {
			m := pieceNode{before: p.before, name: p.name}
			if p.text != nil {
				m.text = by.Node(p.text)
			}
			if p.json != nil {
				m.json = by.Node(p.json)
			}
			n.pieces = append(n.pieces, m)
		}
		return n
	}})
}

// piecesNode makes the text of an object or array.
type piecesNode struct {
	pieces  []pieceNode
	closing string
	texts   kernel.TextBuffer
	out     kernel.Result
}

// pieceNode is a piece, and its values in a batch.
type pieceNode struct {
	before     string
	text, json kernel.Node
	name       bool

	quote  bool
	nulls  *vector.Vector // nil: no value is NULL
	values []string
	codes  []int32 // nil: it is no dictionary
	mask   int32
}

// read evaluates the values of a batch.
func (p *pieceNode) read(f *kernel.Frame, rows []int32) (err error) {
	var v *vector.Vector
	if p.quote = p.text != nil; p.quote {
		v, err = p.text.Eval(f, rows)
	}
	if err == nil && p.json != nil && (v == nil || v.Form == vector.Dictionary) {
		p.quote = false
		v, err = p.json.Eval(f, rows)
	}
	if err != nil {
		return err
	}
	p.nulls, p.values, p.codes, p.mask = nil, v.Str, nil, -1
	if v.Type.Kind == vector.Null || v.MayHaveNulls() {
		p.nulls = v
	}
	switch v.Form {
	case vector.Constant:
		p.mask = 0
	case vector.Dictionary:
		p.values, p.codes = v.Dict.Str, v.Codes
	}
	return nil
}

// Eval implements kernel.Node.
func (n *piecesNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	for i := range n.pieces {
		if err := n.pieces[i].read(f, rows); err != nil {
			return nil, err
		}
	}
	n.out.Begin(define.TypeJSON, f)
	return &n.out.Vector, n.texts.Fill(rows, f.N, &n.out, func(dst []byte, i int32) ([]byte, kernel.Outcome) {
		for k := range n.pieces {
			p := &n.pieces[k]
			dst = append(dst, p.before...)
			if p.nulls != nil && (p.nulls.Type.Kind == vector.Null || p.nulls.IsNull(int(i))) {
				if p.name {
					return dst, kernel.Outcome{Err: errNoName}
				}
				dst = append(dst, "null"...)
				continue
			}
			at := i & p.mask
			if p.codes != nil {
				at = p.codes[at]
			}
			if p.quote {
				dst = vector.AppendQuoted(dst, p.values[at])
			} else {
				dst = append(dst, p.values[at]...)
			}
		}
		return append(dst, n.closing...), kernel.Outcome{}
	})
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
