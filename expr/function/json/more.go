package json

import (
	"cmp"
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
		Binding: define.Fixed(define.TypeJSON, kernel.TextWith1(appendStructure), true, wantJSON)},
	{Name: "JSON_PRETTY", Help: "the JSON text in lines with indentation", Example: `JSON_PRETTY('[]') → []`,
		Binding: define.Fixed(define.TypeText, kernel.TextWith1(appendPretty), true, wantJSON)},
	{Name: "JSON", Help: "the JSON text without blanks between its tokens; it must be valid", Example: `JSON('{"a" : 1}') → {"a":1}`,
		Binding: define.Fixed(define.TypeJSON, kernel.TextWith1(appendChecked), true, wantJSON)},
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

// numberType is the type of a number in JSON text.
func numberType(number string) string {
	if !isWhole(number) {
		return "DOUBLE"
	}
	if _, err := strconv.ParseUint(number, 10, 64); err == nil {
		return "UBIGINT"
	}
	if _, err := strconv.ParseInt(number, 10, 64); err == nil {
		return "BIGINT"
	}
	return "DOUBLE"
}

func keysKernel() kernel.Func {
	return define.Lists(func(args []*vector.Vector) define.RowLists {
		texts := kernel.OperandOf[string](args[0])
		return func(i int32, names *define.Texts) error {
			ok, err := jsontext.Names(texts.At(i), names.Meter().Teller(), names.Add)
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

// appendPretty appends JSON text with each value of an object or array in a line of its own.
func appendPretty(t *kernel.TextBuffer, dst []byte, s string) ([]byte, kernel.Outcome) {
	if ok, err := jsontext.Valid(s, t.Meter().Teller()); !ok {
		return dst, kernel.Outcome{Err: cmp.Or(err, errJSON)}
	}
	const indent = 4
	p, depth, err := jsontext.New(s, t.Meter().Teller()), 0, error(nil)
	line := func() {
		if dst, err = t.Need(dst, 1+indent*depth); err == nil {
			dst = append(append(dst, '\n'), strings.Repeat(" ", indent*depth)...)
		}
	}
	for p.More() && err == nil {
		token := p.Token()
		switch c := token[0]; c {
		case '{', '[':
			dst = append(dst, c)
			if p.Next() == c+2 { // } is two behind {, ] two behind [
				dst = append(dst, p.Token()...)
				continue
			}
			depth++
			line()
		case '}', ']':
			depth--
			line()
			dst = append(dst, c)
		case ',':
			dst = append(dst, c)
			line()
		case ':':
			dst = append(dst, ": "...)
		default:
			dst = append(dst, token...)
		}
	}
	return dst, kernel.Outcome{Err: cmp.Or(err, p.Err())}
}

func appendChecked(t *kernel.TextBuffer, dst []byte, s string) ([]byte, kernel.Outcome) {
	ok, err := jsontext.Valid(s, t.Meter().Teller())
	if ok {
		dst, err = appendCompact(t.Meter(), dst, s)
	} else if err == nil {
		err = errJSON
	}
	return dst, kernel.Outcome{Err: err}
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

// merging is JSON_MERGE_PATCH. It uses the memory of the trees of one row for those of the next.
type merging struct {
	parsed []trees
}

func (p *merging) appendRow(t *kernel.TextBuffer, dst []byte, values []*string) ([]byte, kernel.Outcome) {
	var merged *tree
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
		if merged == nil || merged.kind != '{' {
			merged = patch // with its nulls, as in DuckDB: there is nothing that they could remove
		} else {
			merged = merged.patched(w, patch)
		}
	}
	if merged == nil {
		return dst, kernel.Outcome{Null: true}
	}
	dst = merged.append(w, dst)
	return dst, kernel.Outcome{Err: w.err}
}
