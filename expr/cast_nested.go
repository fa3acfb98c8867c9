package expr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// childCast is how a child of a nested type comes from those of another one.
type childCast struct {
	from int  // the child of the other type; -1: the child is NULL
	x    Expr // the cast of column 0
}

// newNestedCast builds the cast to a LIST, MAP or STRUCT: child by child.
func newNestedCast(x Expr, t vector.Type, try bool) (Expr, error) {
	from := x.Type()
	if from.IsText() {
		shape := textShape(t)
		x = fold(&Cast{X: x, T: shape, Try: try})
		if shape.Equal(t) {
			return x, nil
		}
		return NewCast(x, t, try)
	}
	if from.Kind == vector.Struct && t.Kind == vector.Map && !unnamed(from) {
		return newEntriesCast(x, t, try)
	}
	if _, err := childCasts(from, t, try); err != nil {
		return nil, err
	}
	return fold(&Cast{X: x, T: t, Try: try}), nil
}

// newEntriesCast builds the cast of a STRUCT to a MAP: of its fields to the type of the
// values, and of their names to that of the keys.
func newEntriesCast(x Expr, t vector.Type, try bool) (Expr, error) {
	shape := vector.Of(vector.Struct)
	for _, f := range x.Type().Fields {
		if _, err := CastScalar(vector.StringScalar(f.Name), t.Fields[0].Type); err != nil && try {
			return NewConst(vector.NullOf(t)), nil
		} else if err != nil {
			return nil, err
		}
		shape.Fields = append(shape.Fields, vector.Field{Name: f.Name, Type: t.Fields[1].Type, Nullable: true})
	}
	x, err := NewCast(x, shape, try)
	if err != nil {
		return nil, err
	}
	return fold(&Cast{X: x, T: t, Try: try}), nil
}

// entries makes MAPs of STRUCTs whose fields have the type of the values.
func entries(from, t vector.Type) kernel.Operation {
	var keys []*vector.Vector
	for _, f := range from.Fields {
		key, _ := CastScalar(vector.StringScalar(f.Name), t.Fields[0].Type) // the builder has checked it
		keys = append(keys, vector.NewConstant(key, 1))
	}
	return kernel.Operation{Make: func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			all := vector.New(t, 0)
			for _, i := range kernel.Listed(rows, n) {
				all.AppendNulls(int(i) - all.Len)
				if args[0].Form == vector.Constant {
					i = 0
				}
				for k, key := range keys {
					if err := all.Children[0].Append(key, nil); err != nil {
						return err
					}
					if err := all.Children[1].Append(args[0].Children[k], []int32{i}); err != nil {
						return err
					}
				}
				all.EndRow()
			}
			all.AppendNulls(n - all.Len)
			out.Offsets, out.Children = all.Offsets, all.Children
			return nil
		}
	}}
}

// textShape is the nested type with VARCHAR in place of all other types, which the text
// of a value is divided into before its parts are cast.
func textShape(t vector.Type) vector.Type {
	if !t.IsNested() {
		return vector.Of(vector.Varchar)
	}
	t.Fields = append([]vector.Field(nil), t.Fields...)
	for i := range t.Fields {
		t.Fields[i].Type = textShape(t.Fields[i].Type)
	}
	return t
}

// childCasts finds the children of t among those of from: the fields of a STRUCT by name,
// or by position if one of both types has no names.
func childCasts(from, t vector.Type, try bool) ([]childCast, error) {
	fail := NoCast{From: from, To: t}
	if from.Kind != t.Kind || t.Kind != vector.Struct && len(from.Fields) != len(t.Fields) {
		return nil, fail
	}
	byName := t.Kind == vector.Struct && !unnamed(from) && !unnamed(t)
	if !byName && len(from.Fields) != len(t.Fields) {
		return nil, fmt.Errorf("%w: they have not the same number of fields", fail)
	}
	casts, found := make([]childCast, len(t.Fields)), false
	for i, f := range t.Fields {
		c := &casts[i]
		if c.from = i; byName {
			c.from = fieldNamed(from, f.Name)
		}
		if c.from < 0 {
			c.x = NewConst(vector.NullOf(f.Type))
			continue
		}
		found = true
		var err error
		if c.x, err = NewCast(NewColumn(0, f.Name, from.Fields[c.from].Type), f.Type, try); err != nil {
			return nil, fmt.Errorf("%w: %w", fail, err)
		}
	}
	if !found {
		return nil, fmt.Errorf("%w: they have no field of the same name", fail)
	}
	return casts, nil
}

// unnamed reports whether the type is a STRUCT whose fields have no names.
func unnamed(t vector.Type) bool { return len(t.Fields) > 0 && t.Fields[0].Name == "" }

// fieldNamed is the field with a name, in any letter case; -1 if there is none.
func fieldNamed(t vector.Type, name string) int {
	found := -1
	for i, f := range t.Fields {
		if f.Name == name {
			return i
		}
		if strings.EqualFold(f.Name, name) && found < 0 {
			found = i
		}
	}
	return found
}

// compileNested is the node of a cast to a nested type.
func (e *Cast) compileNested(by *Compiler) kernel.Node {
	if e.X.Type().IsText() {
		return kernel.NewStrict(e.T, kernel.ParseNested(e.T, e.Try), []kernel.Node{by.Node(e.X)})
	}
	if from := e.X.Type(); from.Kind == vector.Struct && e.T.Kind == vector.Map {
		return kernel.NewStrict(e.T, entries(from, e.T), []kernel.Node{by.Node(e.X)})
	}
	casts, _ := childCasts(e.X.Type(), e.T, e.Try) // the builder has checked that they exist
	n := &nestedCastNode{x: by.Node(e.X), typ: e.T, casts: casts, flat: make([]vector.Vector, len(casts))}
	for _, c := range casts {
		n.nodes = append(n.nodes, by.Node(c.x))
	}
	return n
}

// nestedCastNode casts the children of values, each as a column of its own. Only those
// of the listed rows are cast, since others might fail.
type nestedCastNode struct {
	x     kernel.Node
	typ   vector.Type
	casts []childCast
	nodes []kernel.Node

	live []int32
	flat []vector.Vector
	null kernel.Result
	out  vector.Vector
}

func (n *nestedCastNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	v, err := n.x.Eval(f, rows)
	if err != nil {
		return nil, err
	}
	if kernel.CountRows(rows, f.N) == 0 || len(v.Children) == 0 || v.Form == vector.Constant && v.IsNull(0) {
		return n.null.SetNull(n.typ, f.N), nil
	}
	n.out = vector.Vector{Type: n.typ, Form: v.Form, Len: v.Len, Valid: v.Valid, Offsets: v.Offsets}
	size, live := n.children(v, rows)
	for i, c := range n.casts {
		child := &kernel.Frame{N: size, Meter: f.Meter}
		if c.from >= 0 {
			child.Cols = []*vector.Vector{v.Children[c.from]}
		}
		out, err := n.nodes[i].Eval(child, live)
		if err == nil {
			out, err = out.Flatten(&n.flat[i])
		}
		if err != nil {
			return nil, err
		}
		n.out.Children = append(n.out.Children, out)
	}
	if n.typ.Kind == vector.Map {
		n.keyed(live)
	}
	return &n.out, nil
}

// keyed makes values NULL that have a key that TRY_CAST could not convert.
func (n *nestedCastNode) keyed(live []int32) {
	keys := n.out.Children[0]
	if !slices.ContainsFunc(kernel.Listed(live, keys.Len), func(e int32) bool { return keys.IsNull(int(e)) }) {
		return
	}
	n.out.Valid = slices.Clone(n.out.Valid)
	for i := range len(n.out.Offsets) - 1 {
		for e := n.out.Offsets[i]; e < n.out.Offsets[i+1]; e++ {
			if keys.IsNull(int(e)) {
				n.out.SetNull(i)
				break
			}
		}
	}
}

// children is the length of the children, and their rows that belong to the listed rows; nil: all.
func (n *nestedCastNode) children(v *vector.Vector, rows []int32) (size int, live []int32) {
	elements := v.Type.HasElements()
	if size = v.Children[0].Len; rows == nil && v.Form == vector.Flat && v.Valid == nil {
		if elements && v.Offsets[0] == 0 && int(v.Offsets[v.Len]) == size || !elements && size == v.Len {
			return size, nil
		}
	}
	listed := kernel.Listed(rows, v.Len)
	if v.Form == vector.Constant {
		listed = []int32{0}
	}
	n.live = n.live[:0]
	for _, i := range listed {
		switch {
		case v.IsNull(int(i)):
		case elements:
			for e := v.Offsets[i]; e < v.Offsets[i+1]; e++ {
				n.live = append(n.live, e)
			}
		default:
			n.live = append(n.live, i)
		}
	}
	if n.live == nil {
		n.live = []int32{}
	}
	return size, n.live
}
