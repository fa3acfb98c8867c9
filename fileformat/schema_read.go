package fileformat

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat/internal/thrift"
	"github.com/parquetsql/parquetsql/internal/errs"
)

const (
	// maxSchemaDepth keeps levels within 8 bits, and recursion over the schema harmless.
	maxSchemaDepth = 200
	// Every node has its own path. In deep and wide schemas the paths could be far
	// larger than the footer, which has each name once, so their total length is
	// bounded by the footer's size. A file with rows cannot reach the bound, because
	// its footer has each leaf's path in each row group.
	freePathParts    = 1 << 16
	pathPartsPerByte = 4
)

// element is struct SchemaElement before the tree is built.
type element struct {
	node             *Node
	children         int32
	hasType          bool
	repetition       int32
	typeLength       int32
	precision, scale int32
}

func (r *footerReader) schemaElement() element {
	e := element{repetition: -1, node: &Node{Physical: noType, Converted: ConvertedNone, Leaf: -1}}
	named := false
	for f := (thrift.Field{}); r.Next(&f); {
		switch f.ID {
		case 1:
			e.node.Physical = PhysicalType(r.I32(f))
			e.hasType = r.Matched()
		case 2:
			e.typeLength = r.I32(f)
		case 3:
			e.repetition = r.I32(f)
		case 4:
			e.node.Name = r.String(f)
			named = r.Matched()
		case 5:
			e.children = r.I32(f)
		case 6:
			e.node.Converted = ConvertedType(r.I32(f))
		case 7:
			e.scale = r.I32(f)
		case 8:
			e.precision = r.I32(f)
		case 9:
			e.node.FieldID, e.node.HasFieldID = r.I32(f), true
		case 10:
			if r.Struct(f) {
				e.node.Logical = readLogicalType(r.Reader)
				e.node.Annotated = e.node.Logical.Kind != LogicalNone
			}
		default:
			r.Skip(f)
		}
	}
	if !named {
		r.Failf("a SchemaElement lacks its name")
	}
	return e
}

// schemaBuilder makes the tree of a list of elements in depth-first order.
type schemaBuilder struct {
	elements  []element
	schema    *Schema
	next      int // index of the next element
	pathParts int // how many more parts paths may have in total
}

// buildSchema checks the list: every element is used exactly once, so that
// num_children can neither loop nor reach beyond the list.
func buildSchema(elements []element, footerLen int) (*Schema, error) {
	if len(elements) == 0 {
		return nil, errors.New("the schema is empty")
	}
	b := &schemaBuilder{elements: elements, schema: &Schema{}, pathParts: freePathParts + pathPartsPerByte*footerLen}
	root := &b.elements[0]
	if root.hasType && root.children == 0 {
		return nil, errors.New("the schema's root is not a group")
	}
	root.hasType, root.node.Physical = false, noType // segmentio/parquet-go writes a type
	root.repetition = int32(Required)
	if err := b.build(nil, 0); err != nil {
		return nil, err
	}
	if b.next < len(elements) {
		return nil, fmt.Errorf("%d elements of the schema belong to no group", len(elements)-b.next)
	}
	b.schema.Root = root.node
	return b.schema, nil
}

// build builds the node of the next element and all nodes below it.
func (b *schemaBuilder) build(parent *Node, depth int) error {
	e := &b.elements[b.next]
	b.next++
	n := e.node
	n.Parent = parent
	if parent != nil {
		n.Err = parent.Err
		n.MaxDef, n.MaxRep = parent.MaxDef, parent.MaxRep
		n.Path = append(parent.Path[:len(parent.Path):len(parent.Path)], n.Name)
		if b.pathParts -= len(n.Path); b.pathParts < 0 {
			return errors.New("the schema's paths are out of proportion")
		}
	}
	if depth > maxSchemaDepth {
		return errs.Unsupported("a schema more than %d levels deep", maxSchemaDepth)
	}
	if err := e.complete(); err != nil {
		return fmt.Errorf("column %q: %w", n.Dotted(), err)
	}
	if e.hasType {
		n.Leaf = len(b.schema.Leaves)
		b.schema.Leaves = append(b.schema.Leaves, n)
		return nil
	}
	left := len(b.elements) - b.next
	if e.children < 0 || int(e.children) > left {
		return fmt.Errorf("group %q claims %d children where %d elements are left", n.Dotted(), e.children, left)
	}
	n.Children = make([]*Node, 0, e.children)
	for range e.children {
		if b.next == len(b.elements) {
			return fmt.Errorf("group %q claims more children than there are elements", n.Dotted())
		}
		n.Children = append(n.Children, b.elements[b.next].node)
		if err := b.build(n, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// complete checks the element's fields and derives the node's fields from them. Its error is one
// of the whole schema; what spoils only the leaves at and below the node is the node's Err.
func (e *element) complete() error {
	n := e.node
	if e.repetition < 0 && e.hasType {
		e.repetition = int32(Required) // hyparquet leaves it out
	}
	switch Repetition(e.repetition) {
	case Required:
	case Optional:
		n.MaxDef++
	case Repeated:
		n.MaxDef++
		n.MaxRep++
	case 3:
		e.repetition, n.Err = int32(Optional), errs.Unsupported("repetition type VECTOR")
	default:
		n.Err = fmt.Errorf("repetition type %d", e.repetition)
		e.repetition = int32(Optional)
	}
	n.Repetition = Repetition(e.repetition)
	if e.hasType {
		if e.children != 0 {
			return errors.New("it has both a physical type and children")
		}
		if n.Physical < Boolean || n.Physical > FixedLenByteArray {
			n.Err = fmt.Errorf("physical type %d", n.Physical)
			n.Physical = unknownType
		}
	}
	if n.Physical == FixedLenByteArray {
		if e.typeLength <= 0 {
			n.Err = fmt.Errorf("FIXED_LEN_BYTE_ARRAY of length %d", e.typeLength)
		}
		n.TypeLength = int(max(e.typeLength, 0))
	}
	if !n.Annotated {
		n.Logical = fromConverted(n.Converted, e.precision, e.scale)
	}
	n.Logical = n.Logical.validate(n.Physical, n.TypeLength)
	return nil
}
