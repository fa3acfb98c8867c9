package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// structsNode is a list of STRUCTs that are written out, as UNPIVOT makes one of each row. It makes the fields without
// the STRUCTs; one that is a constant in each of them, as the names of columns are, is a dictionary vector.
type structsNode struct {
	typ    vector.Type
	fields []structsField
	width  int     // STRUCTs of a list
	codes  []int32 // 0 to width, again and again

	element vector.Vector
	out     vector.Vector
}

// structsField is a field of the STRUCTs.
type structsField struct {
	dict   *vector.Vector // its constants; nil: values
	items  []kernel.Node
	values []*vector.Vector
	flat   []vector.Vector
	out    vector.Vector
}

// newStructs is nil where e is no such list.
func newStructs(e *List, by *Compiler) *structsNode {
	element := e.T.Fields[0].Type
	for _, item := range e.Items {
		if s, ok := item.(*Struct); !ok || !s.T.Equal(element) || len(s.Items) != len(element.Fields) {
			return nil
		}
	}
	if len(e.Items) == 0 || len(element.Fields) == 0 {
		return nil
	}
	n := &structsNode{typ: e.T, width: len(e.Items)}
	for c, field := range element.Fields {
		var items []Expr
		var constants []vector.Scalar
		for _, item := range e.Items {
			x := item.(*Struct).Items[c]
			if s, ok := Literal(x); ok {
				constants = append(constants, s)
			}
			items = append(items, x)
		}
		f := structsField{values: make([]*vector.Vector, len(items)), flat: make([]vector.Vector, len(items))}
		dict := &vector.Vector{}
		if len(constants) == len(items) && field.Type.Storage() != vector.StoreNested && dict.FromScalars(field.Type, constants) == nil {
			f.dict = dict
		} else {
			f.items = by.Nodes(items)
		}
		n.fields = append(n.fields, f)
	}
	return n
}

// Eval implements kernel.Node.
func (n *structsNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	listed := kernel.Listed(rows, f.N)
	if err := fillLists(&n.out, n.typ, f, listed, n.width); err != nil {
		return nil, err
	}
	count := len(listed) * n.width
	n.element = vector.Vector{Type: n.typ.Fields[0].Type, Len: count}
	for c := range n.fields {
		field, t := &n.fields[c], n.element.Type.Fields[c].Type
		n.element.Children = append(n.element.Children, &field.out)
		if field.dict != nil {
			field.out = vector.Vector{Type: t, Form: vector.Dictionary, Len: count, Dict: field.dict, Codes: n.entries(count)}
			continue
		}
		for k, item := range field.items {
			v, err := item.Eval(f, rows)
			if err == nil && v.Type.Kind != vector.Null {
				v, err = v.Flatten(&field.flat[k])
			}
			if err != nil {
				return nil, err
			}
			field.values[k] = v
		}
		if err := field.out.Interleave(t, field.values, listed); err != nil {
			return nil, err
		}
	}
	n.out.Children = []*vector.Vector{&n.element}
	return &n.out, nil
}

// entries is the codes of count STRUCTs.
func (n *structsNode) entries(count int) []int32 {
	for len(n.codes) < count {
		n.codes = append(n.codes, int32(len(n.codes)%n.width))
	}
	return n.codes[:count]
}
