package json

import (
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/jsontext"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// MoreFunctions ask for parts of JSON values, and compare and change them. The path of
// those that take one is a literal.
var MoreFunctions = []expr.Function{
	{Name: "JSON_TYPE", Help: "the type of a JSON value, or of what a path leads to", Example: `JSON_TYPE('{"a": 1}') → OBJECT`,
		Binding: atPath(define.TypeText, kernel.TryWith1(jsonType))},
	{Name: "JSON_ARRAY_LENGTH", Help: "the number of elements of a JSON array; 0 for other values", Example: `JSON_ARRAY_LENGTH('[1, 2]') → 2`,
		Binding: atPath(define.TypeInt, kernel.TryWith1(jsonArrayLength))},
	{Name: "JSON_KEYS", Help: "the names of the members of a JSON object", Example: `JSON_KEYS('{"a": 1, "b": 2}') → ["a","b"]`,
		Binding: atPath(define.TypeTexts, keysKernel)},
	{Name: "JSON_EXISTS", Help: "whether a path leads to a value", Example: `JSON_EXISTS('{"a": null}', '$.a') → true`,
		Binding: define.Custom(manyPaths(jsonExists, dynamicExists, ofAll(define.TypeBoolean, kernel.Try1(func(string) (bool, kernel.Outcome) { return true, kernel.Outcome{} }))), "JSON | VARCHAR, VARCHAR → BOOLEAN", "JSON | VARCHAR, ['path'] → LIST(BOOLEAN)")},
	{Name: "JSON_VALUE", Help: "what a path leads to as JSON text; NULL if that is an object or an array", Example: `JSON_VALUE('{"a": 1}', '$.a') → 1`,
		Binding: define.Custom(jsonValue, "JSON | VARCHAR, 'path' → VARCHAR")},
	{Name: "JSON_CONTAINS", Help: "whether a JSON value has another one in it; objects and arrays may have more", Example: `JSON_CONTAINS('{"a": [1, 2]}', '[2]') → true`,
		Binding: define.Fixed(define.TypeBoolean, containsKernel, true, wantJSON, wantJSON)},
	{Name: "JSON_STRUCTURE", Help: "the types in a JSON value, in the shape of the value", Example: `JSON_STRUCTURE('{"a": [1, 2.5]}') → {"a":["DOUBLE"]}`,
		Binding: define.Fixed(define.TypeJSON, structureKernel, true, wantJSON)},
	{Name: "JSON_PRETTY", Help: "the JSON text in lines with indentation", Example: `JSON_PRETTY('[]') → []`,
		Binding: define.Fixed(define.TypeText, prettyKernel, true, wantJSON)},
	{Name: "JSON", Help: "the JSON text without blanks between its tokens; it must be valid", Example: `JSON('{"a" : 1}') → {"a":1}`,
		Binding: define.Fixed(define.TypeJSON, checkedKernel, true, wantJSON)},
	{Name: "JSON_MERGE_PATCH", Help: "the first value changed by the others: members replace, null removes (RFC 7396)", Example: `JSON_MERGE_PATCH('{"a": 1, "b": 2}', '{"b": null}') → {"a":1}`,
		Binding: define.Custom(mergePatch, "JSON | VARCHAR, JSON | VARCHAR, ... → JSON")},
}

// atPath is a function of a JSON value, or of what a path in it leads to.
func atPath(ret vector.Type, make func() kernel.Func) expr.Binding {
	one := func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		x, err := wantJSON.Bind(call.Name, args[0])
		if err != nil {
			return nil, err
		}
		return define.Strict(call, []expr.Expr{x}, ret, make, true)
	}
	two := func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		path, err := constantPath(call.Name, args[1])
		if err != nil {
			return nil, err
		}
		x, err := wantJSON.Bind(call.Name, args[0])
		if err != nil {
			return nil, err
		}
		impl := &expr.Routine{Args: []expr.Expr{x}, Operation: kernel.Operation{Make: partKernel(path, make), Careful: true}}
		return expr.NewCall(call, []expr.Expr{x, args[1]}, ret, impl), nil
	}
	dynamic := func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		part, err := arrowFunction.Call("JSON_EXTRACT", args)
		if err != nil {
			return nil, err
		}
		impl := &expr.Routine{Args: []expr.Expr{part}, Operation: kernel.Operation{Make: make, Careful: true}}
		return expr.NewCall(call, args, ret, impl), nil
	}
	two = manyPaths(two, dynamic, ofAll(ret, make))
	return define.Overloaded(define.Custom(one, "JSON | VARCHAR | LIST(T) | MAP(K, V) | STRUCT(a T) → "+ret.String()), define.Custom(two, "JSON | VARCHAR, VARCHAR → "+ret.String(), "JSON | VARCHAR, ['path'] → LIST("+ret.String()+")"))
}

// jsonType is the name that JSON_TYPE gives to the type of a JSON value.
func jsonType(m *quota.Meter, s string) (string, kernel.Outcome) {
	p := jsontext.New(s, m.Teller())
	switch p.Next() {
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
	}
	number, err := p.Skip()
	if err != nil {
		return "", kernel.Outcome{Err: err}
	}
	return numberType(number), kernel.Outcome{}
}

// typeName is the name that JSON_TYPE gives to the type of the value.
func (t tree) typeName() string {
	switch t.kind() {
	case '{':
		return "OBJECT"
	case '[':
		return "ARRAY"
	case '"':
		return "VARCHAR"
	case 't', 'f':
		return "BOOLEAN"
	case 'n':
		return "NULL"
	}
	return numberType(t[0].Raw)
}

// numberType is the type of a number in JSON text.
func numberType(number string) string {
	switch {
	case !isWhole(number):
		return "DOUBLE"
	case number[0] != '-':
		if len(number) >= len("18446744073709551615") {
			if _, err := strconv.ParseUint(number, 10, 64); err != nil {
				return "DOUBLE"
			}
		}
		return "UBIGINT"
	case len(number) >= len("-9223372036854775808"):
		if _, err := strconv.ParseInt(number, 10, 64); err != nil {
			return "DOUBLE"
		}
	}
	return "BIGINT"
}

func keysKernel() kernel.Func {
	return define.Lists(func(args []*vector.Vector) define.RowLists {
		texts := kernel.OperandOf[string](args[0])
		var to *define.Texts
		var add func(string) // to.Add, which would be made anew for each row
		return func(i int32, names *define.Texts) error {
			if names != to {
				to, add = names, names.Add
			}
			ok, err := jsontext.Names(texts.At(i), names.Meter().Teller(), add)
			if !ok && err == nil {
				err = errJSON
			}
			return err
		}
	})()
}

// pathOf binds a JSON value and the literal path of a call.
func pathOf(call expr.Callee, args []expr.Expr) (bound []expr.Expr, path vector.Path, err error) {
	if path, err = constantPath(call.Name, args[1]); err != nil {
		return nil, nil, err
	}
	x, err := wantJSON.Bind(call.Name, args[0])
	return []expr.Expr{x, args[1]}, path, err
}

func jsonExists(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	bound, path, err := pathOf(call, args)
	if err != nil {
		return nil, err
	}
	exists := kernel.TryWith1(func(m *quota.Meter, s string) (bool, kernel.Outcome) {
		_, found, err := findJSON(m, s, path)
		return found, kernel.Outcome{Err: err}
	})
	return expr.NewCall(call, bound, define.TypeBoolean, &expr.Routine{Args: bound[:1], Operation: kernel.Operation{Make: exists, Careful: true}}), nil
}

func dynamicExists(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
	part, err := arrowFunction.Call("JSON_EXTRACT", args)
	if err != nil {
		return nil, err
	}
	missing, err := expr.NewOr(expr.NewIsNull(args[0], false), expr.NewIsNull(args[1], false))
	if err != nil {
		return nil, err
	}
	null := expr.NewConst(vector.NullOf(define.TypeBoolean))
	return expr.NewCase(nil, []expr.Expr{missing}, []expr.Expr{null}, expr.NewIsNull(part, true))
}

func jsonValue(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if isNull(args[1]) {
		return nullPath(call, args, jsonValue)
	}
	bound, path, err := pathOf(call, args)
	if err != nil {
		return nil, err
	}
	value := kernel.TryWith1(func(m *quota.Meter, s string) (string, kernel.Outcome) {
		raw, found, err := findJSON(m, s, path)
		return raw, kernel.Outcome{Err: err, Null: !found || raw == "null" || strings.ContainsRune("{[", rune(raw[0]))}
	})
	return expr.NewCall(call, bound, define.TypeText, &expr.Routine{Args: bound[:1], Operation: kernel.Operation{Make: value, Careful: true}}), nil
}

// prettyKernel is JSON_PRETTY.
func prettyKernel() kernel.Func {
	p := &printing{parsed: trees{deep: true}}
	return kernel.TextWith1(p.appendLines)()
}

// printing writes JSON text with each value of an object or array in a line of its own.
type printing struct {
	parsed trees
	to     *kernel.TextBuffer
	watch  watch
}

// indent is how many blanks each object or array puts before what is in it.
const indent = 4

func (p *printing) appendLines(to *kernel.TextBuffer, dst []byte, s string) ([]byte, kernel.Outcome) {
	p.to, p.watch = to, watch{meter: to.Meter()}
	t, err := p.parsed.parse(p.watch.meter, s)
	if err != nil {
		return dst, kernel.Outcome{Err: err}
	}
	dst = p.value(dst, t, 1)
	return dst, kernel.Outcome{Err: p.watch.err}
}

// value appends a value, with depth times the indent before what is in it.
func (p *printing) value(dst []byte, t tree, depth int) []byte {
	kind := t.kind()
	if kind != '{' && kind != '[' {
		if raw := t[0].Raw; t[0].Plain && len(raw) < quota.OwnText {
			return append(dst, raw...)
		}
		return t.append(&p.watch, dst)
	}
	if dst = append(dst, kind); len(t) > 1 {
		for rest := t.within(); len(rest) > 0 && p.watch.err == nil; {
			if len(rest) < len(t)-1 {
				dst = append(dst, ',')
			}
			dst = p.line(dst, depth)
			var item tree
			if item, rest = rest.cut(); item[0].Named {
				dst = append(vector.AppendQuoted(dst, item[0].Name), ": "...)
			}
			dst = p.value(dst, item, depth+1)
		}
		dst = p.line(dst, depth-1)
	}
	return append(dst, kind+2) // } is two behind {, ] two behind [
}

// shallow is the beginning of a line that is not deep.
const shallow = "\n                "

// line begins a line.
func (p *printing) line(dst []byte, depth int) []byte {
	if 1+indent*depth <= len(shallow) { // the buffer counts it with the text
		return append(dst, shallow[:1+indent*depth]...)
	}
	if p.watch.err != nil {
		return dst
	}
	if dst, p.watch.err = p.to.Need(dst, 1+indent*depth); p.watch.err != nil {
		return dst
	}
	dst = append(dst, '\n')
	for range depth {
		dst = append(dst, "    "...)
	}
	return dst
}

// checkedKernel is JSON: the text itself, if there are no blanks in it.
func checkedKernel() kernel.Func {
	made, parsed := &kernel.TextBuffer{}, &trees{deep: true}
	var rest []int32
	return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
		texts := kernel.OperandOf[string](args[0])
		rest = rest[:0]
		for _, i := range kernel.Listed(rows, n) {
			t, err := parsed.parse(out.Meter, texts.At(i))
			if err != nil {
				return err
			}
			if out.Str[i] = t[0].Raw; !t[0].Plain {
				rest = append(rest, i)
			}
		}
		if len(rest) == 0 {
			return nil
		}
		return made.Fill(rest, n, out, func(dst []byte, i int32) ([]byte, kernel.Outcome) {
			dst, err := appendCompact(out.Meter, dst, texts.At(i))
			return dst, kernel.Outcome{Err: err}
		})
	}
}

// mergePatch applies the patches from left to right. NULL is a patch that makes the value
// NULL; of NULL a patch makes what it is itself.
func mergePatch(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	bound := append([]expr.Expr(nil), args...)
	for i, a := range args {
		var err error
		if bound[i], err = wantJSON.Bind(call.Name, a); err != nil {
			return nil, err
		}
	}
	return expr.NewCall(call, bound, define.TypeJSON, &expr.Routine{Node: func(by *expr.Compiler) kernel.Node {
		return &buildNode{args: by.Nodes(bound), appendRow: (&merging{parsed: make([]trees, len(bound))}).appendRow}
	}}), nil
}

// merging is JSON_MERGE_PATCH. It uses the memory of one row for the next.
type merging struct {
	parsed []trees
	memory [2]tree // of merged values, in turn
}

func (p *merging) appendRow(t *kernel.TextBuffer, dst []byte, values []*string) ([]byte, kernel.Outcome) {
	var merged tree
	w := &watch{meter: t.Meter()}
	for i, v := range values {
		if v == nil {
			merged = nil
			continue
		}
		patch, err := p.parsed[i].parse(w.meter, *v)
		if err != nil {
			return dst, kernel.Outcome{Err: err}
		}
		if merged == nil || merged.kind() != '{' {
			merged = patch // with its nulls, as in DuckDB: there is nothing that they could remove
			continue
		}
		into := &p.memory[i%2]
		if most := len(merged) + len(patch); most > cap(*into) {
			if err := w.add(int64(most) * jsontext.NodeBytes); err != nil {
				return dst, kernel.Outcome{Err: err}
			}
		}
		merged = appendPatched(w, (*into)[:0], merged, patch)
		*into, w.indexes = merged, nil // the nodes of the other memory change
		if cap(merged) > quota.KeptBuffer/jsontext.NodeBytes {
			*into = nil
		}
	}
	if merged == nil {
		return dst, kernel.Outcome{Null: true}
	}
	dst = merged.append(w, dst)
	return dst, kernel.Outcome{Err: w.err}
}
