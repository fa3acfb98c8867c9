package fileformat

import "strings"

// Node is a field of the schema: a group with children, or a leaf with a
// physical type. Nodes are immutable.
type Node struct {
	Name       string
	Path       []string // from the root's child to this node; empty for the root
	Repetition Repetition
	Physical   PhysicalType // leaves; -1 for groups, and none of the specification's where Err says so
	TypeLength int          // FIXED_LEN_BYTE_ARRAY: bytes per value
	Logical    LogicalType
	Converted  ConvertedType // as written; Logical already takes it into account
	Annotated  bool          // Logical is as written, not that of Converted
	Geo        *Geo          // nil: no geometries
	FieldID    int32
	HasFieldID bool
	Parent     *Node // nil for the root
	Children   []*Node
	MaxDef     int // definition level of a present value
	MaxRep     int // repeated fields on the way from the root, this one included
	Leaf       int // index into Schema.Leaves, or -1
	// Err says why nothing at or below the node can be read, although the rest of the file can: its
	// type or repetition is none that the specification knows. Such a leaf reads like one of damaged
	// chunks. It is nil else.
	Err error
}

// IsLeaf reports whether the node is a primitive column.
func (n *Node) IsLeaf() bool { return n.Leaf >= 0 }

// Dotted is the path with dots, as messages and users have it.
func (n *Node) Dotted() string { return strings.Join(n.Path, ".") }

// Schema is the tree of fields, and its leaves in the order of the column chunks.
type Schema struct {
	Root   *Node
	Leaves []*Node
}
