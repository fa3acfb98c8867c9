package json

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// EachFunctions list what is in a JSON value. FROM makes tables of them.
var EachFunctions = []expr.Function{
	{Name: "JSON_EACH", Help: "the members or elements of a JSON value as a LIST of STRUCTs; in FROM a table of them", Example: `JSON_EACH('[7]')[1].fullkey → $[0]`,
		Binding: each(false)},
	{Name: "JSON_TREE", Help: "a JSON value and all values in it as a LIST of STRUCTs; in FROM a table of them", Example: `LEN(JSON_TREE('[1, [2]]')) → 4`,
		Binding: each(true)},
}

// typeEntries is the type of the entries of JSON_EACH and JSON_TREE.
var typeEntries = expr.ListType(vector.Type{Kind: vector.Struct, Fields: []vector.Field{
	{Name: "key", Type: define.TypeText, Nullable: true},
	{Name: "value", Type: define.TypeJSON, Nullable: true},
	{Name: "type", Type: define.TypeText, Nullable: true},
	{Name: "atom", Type: define.TypeJSON, Nullable: true},
	{Name: "id", Type: vector.Of(vector.UBigInt), Nullable: true},
	{Name: "parent", Type: vector.Of(vector.UBigInt), Nullable: true},
	{Name: "fullkey", Type: define.TypeText, Nullable: true},
	{Name: "path", Type: define.TypeText, Nullable: true},
}})

// each is JSON_EACH or, with deep, JSON_TREE. The path is a literal.
func each(deep bool) expr.Binding {
	return define.Overloaded(
		define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
			return newEntries(call, args, nil, "$", deep)
		}, "JSON | VARCHAR → LIST"),
		define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
			text, err := define.ConstantText(call.Name, "path", args[1])
			if err != nil || strings.HasPrefix(text, "/") {
				return nil, fmt.Errorf("%s: the path must be a string literal that begins with $", call.Name)
			}
			path, err := constantPath(call.Name, args[1])
			if !strings.HasPrefix(text, "$") {
				text = `$."` + text + `"`
			}
			if err != nil {
				return nil, err
			}
			return newEntries(call, args[:1], path, text, deep)
		}, "JSON | VARCHAR, 'path' → LIST"))
}

func newEntries(call expr.Callee, args []expr.Expr, path vector.Path, text string, deep bool) (expr.Expr, error) {
	x, err := wantJSON.Bind(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	return define.Strict(call, []expr.Expr{x}, typeEntries, func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			texts, b := kernel.OperandOf[string](args[0]), kernel.NewListBuilder(out)
			l := &entries{deep: deep, meter: out.Meter, rows: vector.New(typeEntries.Fields[0].Type, 0)}
			for _, i := range kernel.Listed(rows, n) {
				b.Start(i)
				from := int32(l.rows.Len)
				if err := l.add(texts.At(i), path, text); err != nil {
					return err
				}
				b.AddRange(0, kernel.Range{From: from, To: int32(l.rows.Len)})
			}
			return b.Finish(l.rows)
		}
	}, true)
}

// entries collects what is in JSON values.
type entries struct {
	deep  bool
	meter *quota.Meter
	rows  *vector.Vector
	one   vector.Vector // the next value of a column
}

// entryBytes is about what an entry takes besides its texts, where vectors grow.
const entryBytes = 256

// place is where a value is: its key and its container.
type place struct {
	key     vector.Scalar
	parent  vector.Scalar
	fullkey string
	path    string
}

// add appends the entries of a text below a path.
func (l *entries) add(s string, path vector.Path, at string) error {
	root, err := parse(l.meter, s)
	if err != nil {
		return err
	}
	root.number(0)
	t := root.at(path)
	if t == nil {
		return nil
	}
	none := vector.NullOf(vector.Of(vector.UBigInt))
	if l.deep || t.kind != '{' && t.kind != '[' {
		return l.value(t, place{vector.NullOf(define.TypeText), none, at, at})
	}
	return l.items(t, at, none)
}

// number gives each value its place in the document, where keys have places too.
func (t *tree) number(next int64) int64 {
	t.id = next
	next++
	for _, item := range t.items {
		if t.kind == '{' {
			next++
		}
		next = item.number(next)
	}
	return next
}

// items appends the members or elements of a value.
func (l *entries) items(t *tree, path string, parent vector.Scalar) error {
	for i, item := range t.items {
		p := place{parent: parent, path: path}
		if t.kind == '{' {
			p.key, p.fullkey = vector.StringScalar(t.keys[i]), path+"."+t.keys[i]
		} else {
			p.key, p.fullkey = vector.StringScalar(strconv.Itoa(i)), path+"["+strconv.Itoa(i)+"]"
		}
		if err := l.value(item, p); err != nil {
			return err
		}
	}
	return nil
}

// value appends a value and, with deep, what is in it.
func (l *entries) value(t *tree, p place) error {
	w := &watch{meter: l.meter}
	text := string(t.append(w, nil))
	if w.err != nil {
		return w.err
	}
	json := vector.Scalar{Type: define.TypeJSON, Str: text}
	atom := json
	if t.kind == '{' || t.kind == '[' || t.kind == 'n' {
		atom = vector.NullOf(define.TypeJSON)
	}
	name, _ := jsonType(l.meter, text)
	id := vector.Scalar{Type: vector.Of(vector.UBigInt), U64: uint64(t.id)}
	row := []vector.Scalar{p.key, json, vector.StringScalar(name), atom, id, p.parent, vector.StringScalar(p.fullkey), vector.StringScalar(p.path)}
	if err := l.meter.Add(int64(len(text)+len(p.fullkey)) + entryBytes); err != nil {
		return err
	}
	for i, s := range row {
		l.one.Reset(s.Type, 1)
		l.one.Set(0, s)
		if err := l.rows.Children[i].Append(&l.one, nil); err != nil {
			return err
		}
	}
	if l.rows.EndRow(); !l.deep {
		return nil
	}
	return l.items(t, p.fullkey, id)
}
