package expr

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// nestedFunctions look into LIST and MAP. Positions of ELEMENT_AT count from 1,
// from the end where negative; what is not there is NULL.
var nestedFunctions = map[string]binder{
	"CARDINALITY":    cardinality,
	"ARRAY_LENGTH":   cardinality,
	"LIST_CONTAINS":  listContains,
	"ARRAY_CONTAINS": listContains,
	"MAP_CONTAINS":   listContains,
	"LIST_HAS":       listContains,
	"ELEMENT_AT":     elementAt,
	"LIST_EXTRACT":   elementAt,
	"LIST_ELEMENT":   elementAt,
	"ARRAY_EXTRACT":  elementAt,
	"MAP_EXTRACT":    elementAt,
	"MAP_KEYS":       mapSide(0),
	"MAP_VALUES":     mapSide(1),
}

// nestedArg is the first argument where it is a LIST or MAP, or an untyped NULL.
func nestedArg(name string, args []Expr, count int) (Expr, error) {
	if len(args) != count {
		return nil, wrongCount(name, args, fmt.Sprint(count))
	}
	t := args[0].Type()
	if !t.HasElements() && t.Kind != vector.Null {
		return nil, errNotNested(name, t)
	}
	return args[0], nil
}

// cardinality is how many elements there are.
func cardinality(name string, args []Expr) (Expr, error) {
	x, err := nestedArg(name, args, 1)
	if err != nil {
		return nil, err
	}
	if x.Type().Kind == vector.Null {
		return NewConst(vector.NullOf(typeInt)), nil
	}
	make := func() kernel {
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			v := args[0]
			for _, i := range listed(rows, n) {
				from, to := elements(v, i)
				out.I64[i] = int64(to - from)
			}
			return nil
		}
	}
	return newCall(name, args, typeInt, make, true, keepArg)
}

// elements is where the elements of a row's LIST or MAP lie in its children.
func elements(v *vector.Vector, row int32) (from, to int32) {
	if v.Form == vector.Constant {
		row = 0
	}
	return v.Offsets[row], v.Offsets[row+1]
}

// mapSide is the keys or the values of a MAP as a LIST: another view of it.
func mapSide(side int) binder {
	return func(name string, args []Expr) (Expr, error) {
		x, err := nestedArg(name, args, 1)
		if err != nil {
			return nil, err
		}
		t := x.Type()
		if t.Kind != vector.Map || side >= len(t.Fields) {
			return nil, fmt.Errorf("%s takes a MAP that has them, not %s", name, t)
		}
		list := vector.ListOf(vector.Field{Name: "element", Type: t.Fields[side].Type, Nullable: t.Fields[side].Nullable})
		impl := &routine{node: func() node { return &sideNode{x: x.compile(), typ: list, side: side} }}
		return &Call{Name: name, Args: args, T: list, impl: impl}, nil
	}
}

type sideNode struct {
	x    node
	typ  vector.Type
	side int
	view vector.Vector
}

func (s *sideNode) eval(f *frame, rows []int32) (*vector.Vector, error) {
	v, err := s.x.eval(f, rows)
	if err != nil {
		return nil, err
	}
	s.view = vector.Vector{Type: s.typ, Form: v.Form, Len: v.Len, Valid: v.Valid, Offsets: v.Offsets}
	if len(v.Children) > s.side {
		s.view.Children = v.Children[s.side : s.side+1]
	}
	return &s.view, nil
}

// keyOperand gives what is looked for the type of what it is compared with.
// absent says that no such value can exist.
func keyOperand(name string, e Expr, t vector.Type) (key Expr, absent bool, err error) {
	if e, err = adapt(e, t); err != nil {
		return nil, false, err
	}
	if e.Type().Kind == vector.Null {
		return NewConst(vector.NullOf(t)), false, nil
	}
	if s, ok := literal(e); ok && exactPair(t, s.Type) {
		v, exact := exactly(s, t)
		return NewConst(v), !exact, nil
	}
	if !SameOrder(e.Type(), t) && !comparableNested(e.Type(), t) {
		return nil, false, fmt.Errorf("%s: %s is not compared with %s without a CAST", name, e.Type(), t)
	}
	return e, false, nil
}

// listContains looks for an element of a LIST or a key of a MAP.
func listContains(name string, args []Expr) (Expr, error) {
	x, err := nestedArg(name, args, 2)
	if err != nil {
		return nil, err
	}
	if x.Type().Kind == vector.Null {
		return NewConst(vector.NullOf(typeBoolean)), nil
	}
	key, absent, err := keyOperand(name, args[1], x.Type().Fields[0].Type)
	if err != nil {
		return nil, err
	}
	if absent { // FALSE where the list is not NULL
		never := NewConst(vector.BoolScalar(false))
		return NewCase(nil, []Expr{NewIsNull(x, true)}, []Expr{never}, nil)
	}
	find := findIn(x.Type().Fields[0].Type)
	return newTest(name, []Expr{x, key}, func() tester {
		return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
			k := 0
			for _, i := range listed(rows, n) {
				into[k] = i
				from, to := elements(args[0], i)
				if find(args[0].Children[0], from, to, args[1], i) >= 0 {
					k++
				}
			}
			return into[:k], nil
		}
	}, keepArg, keepArg)
}

// finder is the last of the elements from (inclusive) to (exclusive) that
// equals row i of the key, or -1.
type finder func(list *vector.Vector, from, to int32, key *vector.Vector, i int32) int32

func findIn(t vector.Type) finder {
	switch t.Storage() {
	case vector.StoreInt64:
		return findEqual[int64]
	case vector.StoreString:
		return findEqual[string]
	}
	return func(list *vector.Vector, from, to int32, key *vector.Vector, i int32) int32 {
		for e := to - 1; e >= from; e-- {
			if !list.IsNull(int(e)) && vector.Compare(list, int(e), key, int(i)) == 0 {
				return e
			}
		}
		return -1
	}
}

func findEqual[T int64 | string](list *vector.Vector, from, to int32, key *vector.Vector, i int32) int32 {
	want := cell[T](key, i)
	for e := to - 1; e >= from; e-- {
		if !list.IsNull(int(e)) && cell[T](list, e) == want {
			return e
		}
	}
	return -1
}

// cell is one value of a vector of any form.
func cell[T vector.Value](v *vector.Vector, i int32) T {
	switch v.Form {
	case vector.Constant:
		return (*vector.Slice[T](v))[0]
	case vector.Dictionary:
		return (*vector.Slice[T](v.Dict))[v.Codes[i]]
	}
	return (*vector.Slice[T](v))[i]
}

// elementAt is the element of a LIST at a position or the value of a MAP for a key.
func elementAt(name string, args []Expr) (Expr, error) {
	if len(args) == 2 && (args[0].Type().IsText() || args[0].Type().Kind == vector.Struct) {
		return subscript(name, args)
	}
	x, err := nestedArg(name, args, 2)
	if err != nil {
		return nil, err
	}
	t := x.Type()
	switch {
	case t.Kind == vector.Null:
		return NewConst(vector.NullOf(t)), nil
	case t.Kind == vector.List:
		position, err := wantInt(name, args[1])
		if err != nil {
			return nil, err
		}
		return newPath(name, []Expr{x, position}, x, []step{{key: position, base: 1}})
	case len(t.Fields) < 2:
		return nil, fmt.Errorf("%s: the MAP has no values", name)
	}
	key, absent, err := keyOperand(name, args[1], t.Fields[0].Type)
	if err != nil {
		return nil, err
	}
	if absent {
		return NewConst(vector.NullOf(t.Fields[1].Type)), nil
	}
	return newPath(name, []Expr{x, key}, x, []step{{key: key}})
}

// subscript is s[i], a character of a string, and the field of a struct by its
// name.
func subscript(name string, args []Expr) (Expr, error) {
	x := args[0]
	if x.Type().Kind == vector.Struct {
		field, err := constantText(name, "field", args[1])
		if err != nil {
			return nil, err
		}
		at, ok := fieldIndex(x.Type(), field)
		if !ok {
			return nil, fmt.Errorf("%s: %s has no field %q", name, x.Type(), field)
		}
		return newPath(name, args, x, []step{{field: at}})
	}
	return substringOf("SUBSTRING", []Expr{x, args[1], NewConst(vector.IntScalar(1))})
}

// fieldIndex finds a field by its name, exactly or else in any case where that
// is unique.
func fieldIndex(t vector.Type, name string) (int, bool) {
	found := -1
	for i, f := range t.Fields {
		if f.Name == name {
			return i, true
		}
		if strings.EqualFold(f.Name, name) {
			if found >= 0 {
				found = len(t.Fields)
				continue
			}
			found = i
		}
	}
	return found, found >= 0 && found < len(t.Fields)
}
