package variant

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// The names of the columns of a shredded value (VariantShredding.md, "Value
// Shredding").
const (
	valueName = "value"
	typedName = "typed_value"
)

// Layout is how a file has a Variant column: which values are shredded into which
// columns. It is for vectors of one type, which package nested makes of a file:
// vector.VariantType tells their structure. It is for one goroutine.
//
// Vectors may be NULL in columns that were not read: see Columns.
type Layout struct {
	root   node
	writer Writer
	text   jsonText
	texts  texts
	rest   vector.Vector // Located.Rest
	known  dictionaries
	every  []int32 // 0, 1, 2, …: see all
}

// node is a value that may be shredded: the Variant itself, a field or an element.
type node struct {
	value int // the child with the Variant-encoded value, -1 if there is none
	typed int // the child typed_value, -1 if there is none
	typ   vector.Type
	kind  shredding

	fields  []shreddedField // object
	element *node           // array

	at bound
}

// shredding is what typed_value has.
type shredding uint8

const (
	notShredded shredding = iota
	asPrimitive
	asObject
	asArray
)

// shreddedField is a field of an object. Fields are in the order of their names.
type shreddedField struct {
	name  string
	text  string // `,"name":`
	child int    // of typed_value
	hint  uint32 // the number that the name had last
	node  node

	number int // of all shredded fields of the layout
}

// NewLayout reads a layout from the type of a file's vectors. It is an error if a
// column has a type that the specification has no Variant type for
// (VariantShredding.md, "Shredded Value Types"). One thing is for the caller to
// check, since vectors do not show it: FIXED_LEN_BYTE_ARRAY is a shredded type only
// as UUID or DECIMAL.
func NewLayout(t vector.Type) (*Layout, error) {
	l := &Layout{root: node{value: valueChild, typed: -1}}
	if len(t.Fields) > typedChild {
		l.root.typed, l.root.typ = typedChild, t.Fields[typedChild].Type
	}
	if err := l.root.shred(typedName); err != nil {
		return nil, err
	}
	l.root.count(0)
	return l, nil
}

// count numbers the fields of a node and of those below, from next on. It returns
// the next free number.
func (n *node) count(next int) int {
	for i := range n.fields {
		n.fields[i].number = next
		next = n.fields[i].node.count(next + 1)
	}
	if n.element != nil {
		next = n.element.count(next)
	}
	return next
}

// shred finds out what a node's typed_value has. path is for errors.
func (n *node) shred(path string) error {
	if n.typed < 0 || n.typ.Kind == vector.Null {
		return nil // a column of type UNKNOWN has no values
	}
	switch n.typ.Kind {
	case vector.Struct:
		n.kind = asObject
		return n.shredObject(path)
	case vector.List:
		n.kind = asArray
		n.element = &node{}
		return n.element.group(n.typ.Fields[0].Type, path+".element")
	}
	if !primitive(n.typ) {
		return fmt.Errorf("%s is of type %s, which VARIANT values cannot be shredded into", path, n.typ)
	}
	n.kind = asPrimitive
	return nil
}

// shredObject adds the fields of an object.
func (n *node) shredObject(path string) error {
	for i, f := range n.typ.Fields {
		s := shreddedField{name: f.Name, text: string(vector.AppendQuoted([]byte{','}, f.Name)) + ":", child: i}
		if err := s.node.group(f.Type, path+"."+f.Name); err != nil {
			return err
		}
		n.fields = append(n.fields, s)
	}
	slices.SortStableFunc(n.fields, func(a, b shreddedField) int { return cmp.Compare(a.name, b.name) })
	for i := 1; i < len(n.fields); i++ {
		if n.fields[i].name == n.fields[i-1].name {
			return fmt.Errorf("%s has the shredded field %q twice", path, n.fields[i].name)
		}
	}
	return nil
}

// group reads the group of a field or element: value and typed_value, by name.
func (n *node) group(t vector.Type, path string) error {
	n.value, n.typed = -1, -1
	if t.Kind != vector.Struct {
		return fmt.Errorf("%s must be a group of value and typed_value, but is of type %s", path, t)
	}
	for i, f := range t.Fields {
		switch f.Name {
		case valueName:
			if f.Type.Kind != vector.Blob || n.value >= 0 {
				return fmt.Errorf("%s.value must be one column of bytes", path)
			}
			n.value = i
		case typedName:
			if n.typed >= 0 {
				return fmt.Errorf("%s has typed_value twice", path)
			}
			n.typed, n.typ = i, f.Type
		}
	}
	if n.value < 0 && n.typed < 0 {
		return fmt.Errorf("%s has neither value nor typed_value", path)
	}
	return n.shred(path + "." + typedName)
}

// primitive reports whether a type is one of those that primitive values may be
// shredded into.
func primitive(t vector.Type) bool {
	switch t.Kind {
	case vector.Boolean, vector.TinyInt, vector.SmallInt, vector.Integer, vector.BigInt, vector.Float, vector.Double,
		vector.Date, vector.Varchar, vector.Blob, vector.UUID:
		return true
	case vector.Decimal:
		return t.Precision <= maxScale
	case vector.Time:
		return t.Unit == vector.Micros
	case vector.Timestamp, vector.TimestampTZ:
		return t.Unit == vector.Micros || t.Unit == vector.Nanos
	}
	return false
}
