package expr

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// List is a LIST of its items, which have one type.
type List struct {
	Items []Expr
	T     vector.Type
}

// NewList builds the LIST of the items, which are cast to their common type. Without
// items it is a LIST of NULL, which any other LIST type takes.
func NewList(items ...Expr) (Expr, error) {
	items, t, err := CommonExprs(items)
	if err != nil {
		return nil, err
	}
	return fold(&List{Items: items, T: ListType(t)}), nil
}

// ListType is LIST of elements that may be NULL.
func ListType(element vector.Type) vector.Type {
	return vector.ListOf(vector.Field{Name: "element", Type: element, Nullable: true})
}

// MapType is MAP from keys to values that may be NULL.
func MapType(key, value vector.Type) vector.Type {
	return vector.Type{Kind: vector.Map, Fields: []vector.Field{{Name: "key", Type: key}, {Name: "value", Type: value, Nullable: true}}}
}

// Struct is a STRUCT with a field for each item.
type Struct struct {
	Items []Expr
	T     vector.Type
}

// NewStruct builds the STRUCT of the items under their names, which differ by more than
// case. All names are empty in a STRUCT without names, as ROW makes it.
func NewStruct(names []string, items []Expr) (Expr, error) {
	t := vector.Of(vector.Struct)
	seen := make(map[string]bool, len(items))
	for i, x := range items {
		name := strings.ToLower(names[i])
		if name != "" && seen[name] {
			return nil, fmt.Errorf("the STRUCT has two fields %q", names[i])
		}
		seen[name] = true
		t.Fields = append(t.Fields, vector.Field{Name: names[i], Type: x.Type(), Nullable: true})
	}
	if len(items) == 0 {
		return nil, fmt.Errorf("a STRUCT needs a field")
	}
	return fold(&Struct{Items: items, T: t}), nil
}

// Type is LIST of the items' type.
func (e *List) Type() vector.Type { return e.T }

// Type is STRUCT of the items' types.
func (e *Struct) Type() vector.Type { return e.T }

// Children are the items.
func (e *List) Children() []Expr { return e.Items }

// Children are the items.
func (e *Struct) Children() []Expr { return e.Items }

// String is [a, b].
func (e *List) String() string { return "[" + listText(e.Items) + "]" }

// String is {'a': x} or ROW(x).
func (e *Struct) String() string {
	if e.T.Fields[0].Name == "" {
		return "ROW(" + listText(e.Items) + ")"
	}
	texts := make([]string, len(e.Items))
	for i, f := range e.T.Fields {
		texts[i] = kernel.LiteralText(vector.StringScalar(f.Name)) + ": " + e.Items[i].String()
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

func (e *List) rebuild(c []Expr) (Expr, error) { return NewList(c...) }

func (e *Struct) rebuild(c []Expr) (Expr, error) {
	t := e.T
	t.Fields = slices.Clone(t.Fields)
	for i, x := range c {
		t.Fields[i].Type, t.Fields[i].Nullable = x.Type(), true
	}
	return fold(&Struct{Items: c, T: t}), nil
}

func (e *List) same(Expr) bool   { return true }
func (e *Struct) same(Expr) bool { return true } // Equal compares the types, and so the names

func (e *List) compile(by *Compiler) kernel.Node {
	if n := newStructs(e, by); n != nil {
		return n
	}
	return &listNode{items: by.Nodes(e.Items), typ: e.T, values: make([]*vector.Vector, len(e.Items))}
}

type listNode struct {
	items []kernel.Node
	typ   vector.Type

	values []*vector.Vector
	child  vector.Vector
	out    vector.Vector
}

func (l *listNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	for k, item := range l.items {
		var err error
		if l.values[k], err = item.Eval(f, rows); err != nil {
			return nil, err
		}
	}
	listed := kernel.Listed(rows, f.N)
	if err := fillLists(&l.out, l.typ, f, listed, len(l.items)); err != nil {
		return nil, err
	}
	l.out.Children = []*vector.Vector{&l.child}
	return &l.out, l.child.Interleave(l.typ.Fields[0].Type, l.values, listed)
}

// pickBytes is the size of a vector.Pick.
const pickBytes = 8

// fillLists makes out lists of width elements each in the listed rows, empty ones in others, without the elements.
func fillLists(out *vector.Vector, t vector.Type, f *kernel.Frame, listed []int32, width int) error {
	if int64(len(listed))*int64(width) > math.MaxInt32 {
		return vector.ErrTooLong
	}
	if err := f.Meter.Add(int64(len(listed)) * int64(width) * pickBytes); err != nil {
		return err
	}
	*out = vector.Vector{Type: t, Len: f.N, Offsets: vector.Resize(out.Offsets, f.N+1)}
	at, end := 0, int32(0)
	for _, i := range listed {
		for ; at <= int(i); at++ {
			out.Offsets[at] = end
		}
		end += int32(width)
	}
	for ; at <= f.N; at++ {
		out.Offsets[at] = end
	}
	return nil
}

func (e *Struct) compile(by *Compiler) kernel.Node {
	return &structNode{items: by.Nodes(e.Items), typ: e.T, flat: make([]vector.Vector, len(e.Items))}
}

type structNode struct {
	items []kernel.Node
	typ   vector.Type
	flat  []vector.Vector
	out   vector.Vector
}

func (s *structNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	s.out = vector.Vector{Type: s.typ, Len: f.N, Children: make([]*vector.Vector, len(s.items))}
	for k, item := range s.items {
		v, err := item.Eval(f, rows)
		if err == nil {
			s.out.Children[k], err = v.Flatten(&s.flat[k])
		}
		if err != nil {
			return nil, err
		}
	}
	return &s.out, nil
}

// mostMade is of how many values a LIST or a STRUCT that is written out is made at most where MadeOf lists them.
const mostMade = 16

// MadeOf lists the values of which a LIST or STRUCT that is written out is made, also in others within it: two
// are equal if these are. Constants are left out. It is nil for other expressions, and where there is a VARIANT. The LIST
// itself is never NULL.
func MadeOf(x Expr) []Expr {
	parts := appendMade(nil, x)
	if len(parts) == 0 || len(parts) > mostMade || parts[0] == x || slices.ContainsFunc(parts, isVariant) {
		return nil
	}
	return parts
}

func appendMade(parts []Expr, x Expr) []Expr {
	switch x := x.(type) {
	case *Const:
		return parts
	case *List:
		for _, item := range x.Items {
			parts = appendMade(parts, item)
		}
	case *Struct:
		for _, item := range x.Items {
			parts = appendMade(parts, item)
		}
	default:
		parts = append(parts, x)
	}
	return parts
}

// Remade is x, which MadeOf divides, made of others of the same types in their order.
func Remade(x Expr, parts []Expr) Expr {
	made, _ := remade(x, parts)
	return made
}

func remade(x Expr, parts []Expr) (made Expr, left []Expr) {
	switch x := x.(type) {
	case *Const:
		return x, parts
	case *List:
		made := &List{Items: make([]Expr, len(x.Items)), T: x.T}
		for i, item := range x.Items {
			made.Items[i], parts = remade(item, parts)
		}
		return made, parts
	case *Struct:
		made := &Struct{Items: make([]Expr, len(x.Items)), T: x.T}
		for i, item := range x.Items {
			made.Items[i], parts = remade(item, parts)
		}
		return made, parts
	}
	return parts[0], parts[1:]
}
