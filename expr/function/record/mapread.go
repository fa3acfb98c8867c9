package record

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/function/list"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// EntryFunctions work on the entries of MAPs.
var EntryFunctions = []expr.Function{
	{Name: "MAP_FROM_ENTRIES", Help: "the MAP of a LIST of STRUCTs of a key and a value", Example: "MAP_FROM_ENTRIES([{'k': 'a', 'v': 1}]) → {\"a\":1}", Binding: define.Custom(fromEntries, "LIST(ENTRY) → MAP")},
	{Name: "MAP_ENTRIES", Help: "the entries of a MAP as a LIST of STRUCTs", Example: "MAP_ENTRIES(MAP {'a': 1}) → [{\"key\":\"a\",\"value\":1}]", Binding: define.Custom(entries, "MAP(K, V) → LIST")},
	{Name: "MAP_EXTRACT", Help: "a LIST of the value of a key; it is empty if there is no such key", Example: "MAP_EXTRACT(MAP {'a': 1}, 'a') → [1]", Binding: define.Custom(extractList, "MAP(K, V), K → LIST(V)")},
	{Name: "MAP_CONTAINS_VALUE", Help: "whether a MAP has a value", Example: "MAP_CONTAINS_VALUE(MAP {'a': 1}, 1) → true", Binding: define.Custom(containsValue, "MAP(K, V), V → BOOLEAN")},
	{Name: "MAP_CONTAINS_ENTRY", Help: "whether a MAP has a value under a key", Example: "MAP_CONTAINS_ENTRY(MAP {'a': 1}, 'a', 1) → true", Binding: define.Custom(containsEntry, "MAP(K, V), K, V → BOOLEAN")},
	{Name: "MAP_CONCAT", Help: "the entries of all MAPs; of a key that comes twice the last value counts, and NULL counts as an empty MAP", Example: "MAP_CONCAT(MAP {'a': 1}, MAP {'a': 2, 'b': 3}) → {\"a\":2,\"b\":3}",
		Binding: define.Custom(concatMaps, "MAP(K, V), ... → MAP(K, V)")},
}

// wantMap checks that an argument is a MAP with keys and values.
func wantMap(name string, e expr.Expr) (expr.Expr, error) {
	switch t := e.Type(); {
	case t.Kind == vector.Map && len(t.Fields) == 2:
		return e, nil
	case t.Kind == vector.Null:
		return expr.NewConst(vector.NullOf(expr.MapType(t, t))), nil
	default:
		return nil, fmt.Errorf("%s takes a MAP with keys and values, not %s", name, t)
	}
}

// view is a node that shows values as those of another type, without copying them.
type view struct {
	x   kernel.Node
	out vector.Vector
	as  func(v *vector.Vector) vector.Vector
}

func (n *view) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	v, err := n.x.Eval(f, rows)
	if err != nil {
		return nil, err
	}
	n.out = n.as(v)
	return &n.out, nil
}

func entries(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x, err := wantMap(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	entry := vector.Type{Kind: vector.Struct, Fields: []vector.Field{
		{Name: "key", Type: x.Type().Fields[0].Type, Nullable: true}, {Name: "value", Type: x.Type().Fields[1].Type, Nullable: true}}}
	t := expr.ListType(entry)
	return expr.NewCall(call, []expr.Expr{x}, t, &expr.Routine{Node: func(by *expr.Compiler) kernel.Node {
		return &view{x: by.Node(x), as: func(v *vector.Vector) vector.Vector {
			row := &vector.Vector{Type: entry, Len: v.Children[0].Len}
			for _, c := range v.Children {
				flat, err := c.Flatten(nil)
				if err != nil { // a child is not a LIST in another form than flat
					flat = c
				}
				row.Children = append(row.Children, flat)
			}
			return vector.Vector{Type: t, Form: v.Form, Len: v.Len, Valid: v.Valid, Offsets: v.Offsets, Children: []*vector.Vector{row}}
		}}
	}}), nil
}

func fromEntries(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x := args[0]
	t := x.Type()
	if t.Kind == vector.Null {
		return expr.NewConst(vector.NullOf(expr.MapType(t, t))), nil
	}
	if t.Kind == vector.List && t.Fields[0].Type.Kind == vector.Null { // empty, or of NULLs
		null := vector.Field{Type: t.Fields[0].Type, Nullable: true}
		entry := vector.Type{Kind: vector.Struct, Fields: []vector.Field{null, null}}
		var err error
		if x, err = expr.NewCast(x, expr.ListType(entry), false); err != nil {
			return nil, err
		}
		t = x.Type()
	}
	if t.Kind != vector.List || t.Fields[0].Type.Kind != vector.Struct || len(t.Fields[0].Type.Fields) != 2 {
		return nil, fmt.Errorf("%s takes a LIST of STRUCTs of a key and a value, not %s", call.Name, t)
	}
	f := t.Fields[0].Type.Fields
	return define.Strict(call, []expr.Expr{x}, expr.MapType(f[0].Type, f[1].Type), func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			lists, b := kernel.ListsOf(args[0]), kernel.NewListBuilder(out)
			entry, err := lists.Elements.Flatten(nil)
			if err != nil {
				return err
			}
			for _, i := range kernel.Listed(rows, n) {
				r := lists.At(i)
				for e := r.From; e < r.To; e++ {
					if entry.IsNull(int(e)) {
						return fmt.Errorf("%s: an entry is NULL", call.Name)
					}
				}
				if err := checkKeys(entry.Children[0], r, out.Meter.Work); err != nil {
					return err
				}
				b.Start(i)
				b.AddRange(0, r)
				b.AddRange(1, r)
			}
			return b.Finish(entry.Children...)
		}
	}, true)
}

// find is the entry of a row whose child equals a value, -1 if there is none.
func find(child *vector.Vector, r kernel.Range, x *vector.Vector, i int32) int32 {
	for e := r.From; e < r.To; e++ {
		if kernel.CompareElements(child, e, x, i) == 0 {
			return e
		}
	}
	return -1
}

func extractList(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	m, err := wantMap(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	m, key, absent, err := list.Searched(call.Name, m, 0, args[1])
	if err != nil {
		return nil, err
	}
	if absent {
		key = expr.NewConst(vector.NullOf(key.Type()))
	}
	return list.Lenient(call, []expr.Expr{m, key}, expr.ListType(m.Type().Fields[1].Type), func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
		maps, b := kernel.ListsOf(args[0]), kernel.NewListBuilder(out)
		for _, i := range kernel.Listed(rows, n) {
			b.Start(i)
			switch {
			case args[0].IsNull(int(i)):
				out.Null(int(i))
			case args[1].IsNull(int(i)): // no key is NULL
			default:
				if e := find(maps.Elements, maps.At(i), args[1], i); e >= 0 {
					b.Add(0, e)
				}
			}
		}
		return b.Finish(args[0].Children[1])
	})
}

func containsValue(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	m, err := wantMap(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	m, x, absent, err := list.Searched(call.Name, m, 1, args[1])
	if err != nil {
		return nil, err
	}
	if absent {
		return list.Without(m)
	}
	return define.Strict(call, []expr.Expr{m, x}, define.TypeBoolean, func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			maps := kernel.ListsOf(args[0])
			for _, i := range kernel.Listed(rows, n) {
				out.Bool[i] = find(args[0].Children[1], maps.At(i), args[1], i) >= 0
			}
			return nil
		}
	}, true)
}

func containsEntry(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	m, err := wantMap(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	bound := []expr.Expr{m, nil, nil}
	for k := range 2 {
		absent := false
		if bound[0], bound[k+1], absent, err = list.Searched(call.Name, bound[0], k, args[k+1]); err != nil {
			return nil, err
		}
		if absent && args[k+1].Type().Kind != vector.Null { // a value may be NULL
			return list.Without(m)
		}
	}
	return list.Lenient(call, bound, define.TypeBoolean, func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
		maps := kernel.ListsOf(args[0])
		for _, i := range kernel.Listed(rows, n) {
			if args[0].IsNull(int(i)) {
				out.Null(int(i))
				continue
			}
			e := int32(-1)
			if !args[1].IsNull(int(i)) { // no key is NULL
				e = find(maps.Elements, maps.At(i), args[1], i)
			}
			out.Bool[i] = e >= 0 && kernel.CompareElements(args[0].Children[1], e, args[2], i) == 0
		}
		return nil
	})
}

func concatMaps(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	maps := make([]expr.Expr, len(args))
	for i, a := range args {
		var err error
		if maps[i], err = wantMap(call.Name, a); err != nil {
			return nil, err
		}
	}
	maps, t, err := expr.CommonExprs(maps)
	if err != nil {
		return nil, err
	}
	return list.Lenient(call, maps, t, concatRows)
}

// keyWork is about how many bytes it is as much work as to look a key up.
const keyWork = 16

// concatRows appends the entries of each MAP; a key keeps its first place.
func concatRows(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
	keys, values := make([]*vector.Vector, len(args)), make([]*vector.Vector, len(args))
	for k, a := range args {
		keys[k], values[k] = a.Children[0], a.Children[1]
	}
	allKeys, from, err := list.Together(out.Type.Fields[0].Type, keys...)
	if err != nil {
		return err
	}
	allValues, _, err := list.Together(out.Type.Fields[1].Type, values...)
	if err != nil {
		return err
	}
	b := kernel.NewListBuilder(out)
	for _, i := range kernel.Listed(rows, n) {
		b.Start(i)
		var places []int32 // of the keys, and of their last values
		var last []int32
		seen, none := map[string]int{}, true
		for k, a := range args {
			if a.IsNull(int(i)) {
				continue
			}
			none = false
			r := kernel.ListsOf(a).At(i)
			for e := from[k] + r.From; e < from[k]+r.To; e++ {
				key := string(vector.AppendOrdered(nil, allKeys, int(e)))
				if err := out.Meter.Work(len(key) + keyWork); err != nil {
					return err
				}
				at, ok := seen[key]
				if !ok {
					at = len(places)
					seen[key] = at
					places, last = append(places, e), append(last, e)
				}
				last[at] = e
			}
		}
		if none {
			out.Null(int(i))
		}
		for at := range places {
			b.Add(0, places[at])
			b.Add(1, last[at])
		}
	}
	return b.Finish(allKeys, allValues)
}
