package json

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
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
			return newEntries(call, args, path, text, deep)
		}, "JSON | VARCHAR, 'path' → LIST"))
}

func newEntries(call expr.Callee, args []expr.Expr, path vector.Path, text string, deep bool) (expr.Expr, error) {
	x, err := wantJSON.Bind(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	bound := append([]expr.Expr{x}, args[1:]...)
	impl := &expr.Routine{Args: bound[:1], Operation: kernel.Operation{Careful: true, Make: func() kernel.Func {
		parsed := &trees{}
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			texts, b := kernel.OperandOf[string](args[0]), kernel.NewListBuilder(out)
			l := &entries{deep: deep, parsed: parsed, watch: watch{meter: out.Meter}, names: append([]byte(nil), text...)}
			for _, i := range kernel.Listed(rows, n) {
				b.Start(i)
				from := int32(len(l.values))
				if err := l.add(texts.At(i), path, named{0, len(text)}); err != nil {
					return err
				}
				b.AddRange(0, kernel.Range{From: from, To: int32(len(l.values))})
			}
			return b.Finish(l.vector())
		}
	}}}
	return expr.NewCall(call, bound, typeEntries, impl), nil
}

// entries collects what is in JSON values.
type entries struct {
	deep   bool
	parsed *trees
	watch  watch
	ids    []uint64 // of the nodes of a value: see number
	names  []byte   // of the paths

	keys, values, types []string
	places              []place
	noKeys, noAtoms     []int // entries without
}

// entryBytes is about what an entry takes besides its texts, where vectors grow.
const entryBytes = 256

// named is where a path is in the names.
type named struct{ from, to int }

// place is where a value is.
type place struct {
	id, parent    uint64 // parent is noParent if there is none
	fullkey, path named
}

const noParent = math.MaxUint64

// add appends the entries of a text below a path.
func (l *entries) add(s string, path vector.Path, at named) error {
	root, err := l.parsed.parse(l.watch.meter, s)
	if err != nil {
		return err
	}
	t := root.at(path)
	if t == nil {
		return nil
	}
	l.number(root)
	l.ids = l.ids[cap(root)-cap(t):] // those of t
	if l.deep || t.kind() != '{' && t.kind() != '[' {
		l.noKeys = append(l.noKeys, len(l.keys))
		return l.value(t, 0, "", place{parent: noParent, fullkey: at, path: at})
	}
	return l.items(t, 0, at, noParent)
}

// number gives each value its place in the document, where keys have places too.
func (l *entries) number(root tree) {
	l.ids = slices.Grow(l.ids[:0], len(root))
	id := uint64(0)
	for i := range root {
		if root[i].Named {
			id++
		}
		l.ids = append(l.ids, id)
		id++
	}
}

// items appends the members or elements of a value, whose node is at.
func (l *entries) items(t tree, at int, path named, parent uint64) error {
	n := 0
	for rest := t.within(); len(rest) > 0; n++ {
		var item tree
		next := at + len(t) - len(rest)
		item, rest = rest.cut()
		key, start := item[0].Name, len(l.names)
		if err := l.watch.add(int64(path.to-path.from+len(key)) + entryBytes); err != nil {
			return err
		}
		l.names = append(l.names, l.names[path.from:path.to]...)
		if item[0].Named {
			l.names = append(append(l.names, '.'), key...)
		} else {
			key = strconv.Itoa(n)
			l.names = append(append(append(l.names, '['), key...), ']')
		}
		if err := l.value(item, next, key, place{parent: parent, path: path, fullkey: named{start, len(l.names)}}); err != nil {
			return err
		}
	}
	return nil
}

// value appends a value, whose node is at, and, with deep, what is in it.
func (l *entries) value(t tree, at int, key string, p place) error {
	text := t.json(&l.watch)
	if l.watch.err != nil {
		return l.watch.err
	}
	kind := t.kind()
	if kind == '{' || kind == '[' || kind == 'n' {
		l.noAtoms = append(l.noAtoms, len(l.values))
	}
	p.id = l.ids[at]
	l.keys, l.values, l.types, l.places = append(l.keys, key), append(l.values, text), append(l.types, t.typeName()), append(l.places, p)
	if !l.deep {
		return nil
	}
	return l.items(t, at, p.fullkey, p.id)
}

// vector has the entries as rows.
func (l *entries) vector() *vector.Vector {
	n := len(l.values)
	texts := func(t vector.Type, s []string) *vector.Vector {
		v := vector.New(t, 0)
		v.Str, v.Len = s, n
		return v
	}
	ids, parents := vector.New(vector.Of(vector.UBigInt), n), vector.New(vector.Of(vector.UBigInt), n)
	fullkeys, paths, names := make([]string, n), make([]string, n), string(l.names)
	for i, p := range l.places {
		if ids.U64[i] = p.id; p.parent == noParent {
			parents.SetNull(i)
		} else {
			parents.U64[i] = p.parent
		}
		fullkeys[i], paths[i] = names[p.fullkey.from:p.fullkey.to], names[p.path.from:p.path.to]
	}
	keys, atoms := texts(define.TypeText, l.keys), texts(define.TypeJSON, l.values)
	for _, i := range l.noKeys {
		keys.SetNull(i)
	}
	if len(l.noAtoms) > 0 {
		atoms.Str = slices.Clone(l.values)
	}
	for _, i := range l.noAtoms {
		atoms.Str[i] = ""
		atoms.SetNull(i)
	}
	rows := vector.New(typeEntries.Fields[0].Type, 0)
	rows.Len = n
	rows.Children = []*vector.Vector{keys, texts(define.TypeJSON, l.values), texts(define.TypeText, l.types), atoms, ids, parents, texts(define.TypeText, fullkeys), texts(define.TypeText, paths)}
	return rows
}
