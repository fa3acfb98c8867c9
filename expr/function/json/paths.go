package json

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// This file has the paths that are more than one literal path: lists of paths, paths with
// wildcards, which lead to several values, and paths that differ from row to row.

// parsePath reads a path of ParsePath, or a JSON pointer (RFC 6901): /a/0, and the empty
// text, which is the whole value.
func parsePath(text string) (vector.Path, error) {
	if text == "" {
		return nil, nil
	}
	if !strings.HasPrefix(text, "/") {
		return vector.ParsePath(text)
	}
	var p vector.Path
	for name := range strings.SplitSeq(text[1:], "/") {
		step := vector.Step{Name: strings.NewReplacer("~1", "/", "~0", "~").Replace(name)}
		if n, err := strconv.ParseUint(name, 10, 31); err == nil {
			step = vector.Step{Kind: vector.PositionStep, Position: int64(n)}
		}
		p = append(p, step)
	}
	return p, nil
}

// wildStep is a path without wildcards, and the wildcard behind it.
type wildStep struct {
	path vector.Path
	wild byte // '.' every value within, '*' the members of an object, '[' the elements of an array, 0 at the end
}

// maxDeep is how many wildcards .. a path may have: each one visits all values again.
const maxDeep = 2

// parseWild reads a path with wildcards: $.*, $[*] and $..key. It returns nil for a path
// without any.
func parseWild(text string) ([]wildStep, error) {
	if !strings.HasPrefix(text, "$") {
		return nil, nil
	}
	var out []wildStep
	from, deep, quoted := 1, 0, false
	add := func(end int, wild byte) error {
		p, err := vector.ParsePath("$" + text[from:end])
		out = append(out, wildStep{p, wild})
		return err
	}
	for i := 1; i < len(text); i++ {
		rest := text[i:]
		wild, size := byte(0), 0
		switch {
		case rest[0] == '\\' && quoted:
			i++
		case rest[0] == '"':
			quoted = !quoted
		case quoted:
		case strings.HasPrefix(rest, ".."): // the second point belongs to the step behind
			wild, size = '.', 1
			deep++
		case strings.HasPrefix(rest, ".*"):
			wild, size = '*', 2
		case strings.HasPrefix(rest, "[*]"):
			wild, size = '[', 3
		}
		if size > 0 {
			if err := add(i, wild); err != nil {
				return nil, err
			}
			from, i = i+size, i+size-1
		}
	}
	if out == nil {
		return nil, nil
	}
	if deep > maxDeep {
		return nil, fmt.Errorf("the wildcard .. comes more than %d times in a path", maxDeep)
	}
	return out, add(len(text), 0)
}

// walk calls f with the values that the steps lead to.
func (t tree) walk(w *watch, steps []wildStep, f func(tree)) {
	at := t.at(steps[0].path)
	if at == nil || !w.on(visitWork) {
		return
	}
	switch steps[0].wild {
	case 0:
		f(at)
	case '.':
		for i := range at { // the value and all that is within it
			if !w.on(visitWork) {
				return
			}
			at[i:i+int(at[i].Span)].walk(w, steps[1:], f)
		}
	default:
		wants := byte('{')
		if steps[0].wild == '[' {
			wants = '['
		}
		if at.kind() != wants {
			return
		}
		for rest := at.within(); len(rest) > 0; {
			var item tree
			item, rest = rest.cut()
			item.walk(w, steps[1:], f)
		}
	}
}

// at is the value at the end of a path; nil if there is none.
func (t tree) at(path vector.Path) tree {
	for i := range path {
		if t = t.step(&path[i]); t == nil {
			return nil
		}
	}
	return t
}

// step is the value of a key, if it is repeated the first one, or the element at a position; nil if there is none.
func (t tree) step(s *vector.Step) (item tree) {
	if s.Kind == vector.PositionStep && t.kind() != '[' || s.Kind == vector.FieldStep && t.kind() != '{' {
		return nil
	}
	position := s.Position
	if position < 0 {
		for rest := t.within(); len(rest) > 0; _, rest = rest.cut() {
			position++
		}
		if position < 0 {
			return nil
		}
	}
	for rest := t.within(); len(rest) > 0; position-- {
		item, rest = rest.cut()
		if s.Kind == vector.PositionStep && position == 0 || s.Kind == vector.FieldStep && item[0].Name == s.Name {
			return item
		}
	}
	return nil
}

// manyPaths makes a function of a JSON value and any path of one that takes a literal path.
// dynamic is its form for a path that is not a literal, and several for one with wildcards.
func manyPaths(one, dynamic define.Binder, several func(expr.Callee, []expr.Expr, []wildStep) (expr.Expr, error)) define.Binder {
	return func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		path, ok := expr.Literal(args[1])
		switch {
		case isNull(args[1]) && args[0].Type().Kind != vector.Variant:
			return nullPath(call, args, one)
		case args[0].Type().Kind == vector.Variant || args[1].Type().Kind == vector.Null:
			return one(call, args)
		case !ok && args[1].Type().IsText() && !args[0].Type().IsNested():
			return dynamic(call, args)
		case !ok || path.Null:
			return one(call, args)
		case path.Type.Kind == vector.List:
			return eachPath(call, args, path.Nested.Children[0], one)
		case path.Type.IsText():
			steps, err := parseWild(path.Str)
			if err != nil {
				return nil, err
			}
			if steps != nil {
				return several(call, args, steps)
			}
		}
		return one(call, args)
	}
}

func isNull(e expr.Expr) bool {
	c, ok := e.(*expr.Const)
	return ok && c.Value.Null
}

// nullPath is the NULL of the type that the function has for a path.
func nullPath(call expr.Callee, args []expr.Expr, one define.Binder) (expr.Expr, error) {
	x, err := wantJSON.Bind(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	root, err := one(call, []expr.Expr{x, expr.NewConst(vector.StringScalar("$"))})
	if err != nil {
		return nil, err
	}
	return expr.NewConst(vector.NullOf(root.Type())), nil
}

// eachPath is the list of what the function is for each of the paths; NULL of NULL.
func eachPath(call expr.Callee, args []expr.Expr, paths *vector.Vector, one define.Binder) (expr.Expr, error) {
	items := make([]expr.Expr, paths.Len)
	for i := range items {
		var err error
		if items[i], err = one(call, []expr.Expr{args[0], expr.NewConst(paths.Get(i))}); err != nil {
			return nil, err
		}
	}
	list, err := expr.NewList(items...)
	if err != nil {
		return nil, err
	}
	null := expr.NewConst(vector.NullOf(list.Type()))
	return expr.NewCase(nil, []expr.Expr{expr.NewIsNull(args[0], false)}, []expr.Expr{null}, list)
}

// allAt is the list of the values that a path with wildcards leads to, as JSON or as text.
func allAt(asText bool) func(expr.Callee, []expr.Expr, []wildStep) (expr.Expr, error) {
	return func(call expr.Callee, args []expr.Expr, steps []wildStep) (expr.Expr, error) {
		x, err := wantJSON.Bind(call.Name, args[0])
		if err != nil {
			return nil, err
		}
		list := define.Lists(func(args []*vector.Vector) define.RowLists {
			texts, parsed := kernel.OperandOf[string](args[0]), &trees{}
			return func(i int32, found *define.Texts) error {
				t, err := parsed.parse(found.Meter(), texts.At(i))
				if err != nil {
					return err
				}
				w := &watch{meter: found.Meter()}
				t.walk(w, steps, func(at tree) {
					switch {
					case found.Failed(): // the rest of the walk adds nothing
					case asText && at.kind() == '"':
						found.Add(at.text())
					case asText && at.kind() == 'n':
						found.AddNull()
					default:
						found.Add(at.json(w))
					}
				})
				return w.err
			}
		})
		t := expr.ListType(define.TypeJSON)
		if asText {
			t = define.TypeTexts
		}
		impl := &expr.Routine{Args: []expr.Expr{x}, Operation: kernel.Operation{Make: list, Careful: true}}
		return expr.NewCall(call, []expr.Expr{x, args[1]}, t, impl), nil
	}
}

// ofAll is the list of what a kernel, which takes JSON text, makes of the values that a path
// with wildcards leads to.
func ofAll(ret vector.Type, make func() kernel.Func) func(expr.Callee, []expr.Expr, []wildStep) (expr.Expr, error) {
	return func(call expr.Callee, args []expr.Expr, steps []wildStep) (expr.Expr, error) {
		all, err := allAt(false)(call, args, steps)
		if err != nil {
			return nil, err
		}
		impl := &expr.Routine{Args: []expr.Expr{all}, Operation: kernel.Operation{Careful: true, Make: func() kernel.Func {
			run := make()
			return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
				lists, b := kernel.ListsOf(args[0]), kernel.NewListBuilder(out)
				results := kernel.Result{Meter: out.Meter}
				results.Reset(ret, lists.Elements.Len)
				if err := run([]*vector.Vector{lists.Elements}, nil, lists.Elements.Len, &results); err != nil {
					return err
				}
				for _, i := range kernel.Listed(rows, n) {
					b.Start(i)
					b.AddRange(0, lists.At(i))
				}
				return b.Finish(&results.Vector)
			}
		}}}
		return expr.NewCall(call, args, expr.ListType(ret), impl), nil
	}
}

// dynamicPath extracts a value from JSON text by a path that may differ from row to row.
func dynamicPath(asText bool) define.Binder {
	return func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		bound, err := define.Arguments(call, args, []define.Want{wantJSON, define.WantText})
		if err != nil {
			return nil, err
		}
		t := define.TypeJSON
		if asText {
			t = define.TypeText
		}
		return define.Strict(call, bound, t, func() kernel.Func {
			var cached string
			var steps vector.Path
			known := false
			return kernel.TextWith2(func(t *kernel.TextBuffer, dst []byte, s, path string) ([]byte, kernel.Outcome) {
				if !known || path != cached {
					var err error
					own := strings.Clone(path) // the memory of the batch is used again
					if steps, err = parsePath(own); err != nil {
						return dst, kernel.Outcome{Err: err}
					}
					cached, known = own, true
				}
				return appendAt(t, dst, s, steps, asText)
			})()
		}, true)
	}
}
