package nestedtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

type kind int

const (
	boolean kind = iota
	signed
	unsigned
	real32
	real64
	text
	binary
	fixed
	date
	timestamp
	clock
	decimal
	uuidText
	leafKinds

	structure
	list
	mapping
)

// node is a field of a random schema, and how its values are distributed.
type node struct {
	name     string
	kind     kind
	optional bool
	children []*node // structure: its fields; list: the element; mapping: key and value
	bare     bool    // list: a repeated field without annotation

	bits             int // signed, unsigned
	precision, scale int // decimal
	unit             int // timestamp, clock: thousandths taken 1, 2 or 3 times
	utc              bool

	few    bool // leaf: of few distinct values
	nulls  int  // per cent
	sizes  int  // list, mapping: usual length
	coding int  // leaf: which encoding, where the writer lets one choose
}

func (n *node) repeated() bool { return n.kind == list || n.kind == mapping }

func (n *node) String() string {
	var b strings.Builder
	n.describe(&b)
	return b.String()
}

func (n *node) describe(b *strings.Builder) {
	fmt.Fprintf(b, "%s ", n.name)
	if !n.optional {
		b.WriteString("required ")
	}
	b.WriteString([]string{"bool", "int", "uint", "float", "double", "string", "binary", "fixed", "date", "timestamp", "time", "decimal", "uuid", "", "struct", "list", "map"}[n.kind])
	switch {
	case n.bare:
		b.WriteString(" bare")
	case n.kind == decimal:
		fmt.Fprintf(b, "(%d,%d)", n.precision, n.scale)
	case n.bits > 0:
		fmt.Fprint(b, n.bits)
	}
	for i, c := range n.children {
		b.WriteString([]string{"<", ", "}[min(i, 1)])
		c.describe(b)
	}
	if len(n.children) > 0 {
		b.WriteString(">")
	}
}

// maker makes random schemas and records.
type maker struct {
	*rand.Rand
	names int
	bare  bool // whether bare repeated fields may come
	left  int  // how many values a record may still hold
}

func (m *maker) one(in int) bool { return m.IntN(in) == 0 }

// table is a random schema: an id, and some fields.
func (m *maker) table() *node {
	root := &node{kind: structure, children: []*node{{name: "id", kind: signed, bits: 64}}}
	for range 1 + m.IntN(4) {
		f := m.field(m.IntN(7))
		if f.kind < leafKinds {
			f = m.field(1 + m.IntN(6))
		}
		root.children = append(root.children, f)
	}
	return root
}

// field is a field with so many levels below it. Names ascend, because parquet-go
// sorts a group's fields by name.
func (m *maker) field(depth int) *node {
	m.names++
	n := &node{name: fmt.Sprintf("k%03d", m.names)}
	if m.one(8) {
		n.name = fmt.Sprintf("k%03d%s", m.names, []string{" a", ".b", "É", "_list", "\"", "-"}[m.IntN(6)])
	}
	n.optional, n.nulls = m.one(2), []int{0, 10, 40, 90, 100}[m.IntN(5)]
	n.sizes = []int{1, 2, 3, 8, 40}[m.IntN(5)]
	switch pick := m.IntN(10); {
	case depth <= 0 || pick < 2:
		m.leaf(n)
	case pick < 5:
		n.kind = structure
		for range 1 + m.IntN(3) {
			n.children = append(n.children, m.field(depth-1))
		}
	case pick < 8:
		n.kind = list
		n.children = []*node{m.field(depth - 1)}
		n.children[0].name = "element"
		if m.bare && m.one(4) {
			n.bare, n.optional, n.children[0].optional = true, false, false
			if n.children[0].bare {
				n.children[0].bare = false
			}
		}
		if n.children[0].bare {
			n.children[0].bare = false // the middle group's own child is not a repeated one
		}
	default:
		n.kind = mapping
		key := m.field(0)
		for key.kind == real32 || key.kind == real64 {
			key = m.field(0)
		}
		key.optional = false
		n.children = []*node{key, m.field(depth - 1)}
		n.children[0].name, n.children[1].name = "key", "value"
		n.children[1].bare = false
	}
	return n
}

func (m *maker) leaf(n *node) {
	n.kind = kind(m.IntN(int(leafKinds)))
	n.few, n.coding = m.one(2), m.IntN(4)
	switch n.kind {
	case signed, unsigned:
		n.bits = 8 << m.IntN(4)
	case timestamp, clock:
		n.unit, n.utc = 1+m.IntN(3), m.one(2)
	case decimal:
		n.precision = []int{1 + m.IntN(9), 10 + m.IntN(9), 19 + m.IntN(20)}[m.IntN(3)]
		n.scale = m.IntN(n.precision + 1)
	}
}
