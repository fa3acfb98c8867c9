package nested

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
)

// parseSchema reads a schema in the notation of LogicalTypes.md.
func parseSchema(t *testing.T, text string) *fileformat.Schema {
	t.Helper()
	text = regexp.MustCompile(`//[^\n]*`).ReplaceAllString(text, "")
	p := &schemaParser{t: t, words: regexp.MustCompile(`[\w.]+|[{}();,]`).FindAllString(text, -1)}
	root := &fileformat.Node{Leaf: -1, Physical: -1}
	for len(p.words) > 0 {
		p.node(root)
	}
	return finish(root)
}

type schemaParser struct {
	t     *testing.T
	words []string
}

func (p *schemaParser) next() string {
	w := p.words[0]
	p.words = p.words[1:]
	return w
}

func (p *schemaParser) accept(word string) bool {
	if len(p.words) > 0 && p.words[0] == word {
		p.words = p.words[1:]
		return true
	}
	return false
}

var physicalTypes = map[string]fileformat.PhysicalType{
	"boolean": fileformat.Boolean, "int32": fileformat.Int32, "int64": fileformat.Int64, "int96": fileformat.Int96Type,
	"float": fileformat.Float, "double": fileformat.Double, "binary": fileformat.ByteArray, "fixed": fileformat.FixedLenByteArray,
}

var annotations = map[string]fileformat.LogicalType{
	"LIST": {Kind: fileformat.LogicalList}, "MAP": {Kind: fileformat.LogicalMap}, "MAP_KEY_VALUE": {Kind: fileformat.LogicalMapKeyValue},
	"STRING": {Kind: fileformat.LogicalString}, "VARIANT": {Kind: fileformat.LogicalVariant}, "JSON": {Kind: fileformat.LogicalJSON},
	"BSON": {Kind: fileformat.LogicalBSON}, "UNKNOWN": {Kind: fileformat.LogicalUnknown}, "DATE": {Kind: fileformat.LogicalDate},
	"FUTURE": {Kind: fileformat.LogicalUnknownFuture},
}

func (p *schemaParser) node(parent *fileformat.Node) {
	n := &fileformat.Node{Parent: parent, Leaf: -1, Physical: -1, Converted: -1}
	switch w := p.next(); w {
	case "required":
	case "optional":
		n.Repetition = fileformat.Optional
	case "repeated":
		n.Repetition = fileformat.Repeated
	default:
		p.t.Fatalf("schema: %q", w)
	}
	kind := p.next()
	if kind != "group" {
		n.Physical, n.Leaf = physicalTypes[kind], 0
		if p.accept("(") {
			n.TypeLength, _ = strconv.Atoi(p.next())
			p.next()
		}
	}
	n.Name = p.next()
	if p.accept("(") {
		n.Logical = annotations[p.next()]
		p.next()
	}
	if p.accept("{") {
		for !p.accept("}") {
			p.node(n)
		}
	}
	p.accept(";")
	parent.Children = append(parent.Children, n)
}

// finish derives paths, levels and leaf numbers.
func finish(root *fileformat.Node) *fileformat.Schema {
	s := &fileformat.Schema{Root: root}
	var visit func(n *fileformat.Node)
	visit = func(n *fileformat.Node) {
		if n.Parent != nil {
			n.MaxDef, n.MaxRep = n.Parent.MaxDef, n.Parent.MaxRep
			n.Path = append(append([]string(nil), n.Parent.Path...), n.Name)
			if n.Repetition != fileformat.Required {
				n.MaxDef++
			}
			if n.Repetition == fileformat.Repeated {
				n.MaxRep++
			}
		}
		if n.Physical >= 0 {
			n.Leaf = len(s.Leaves)
			s.Leaves = append(s.Leaves, n)
		}
		for _, c := range n.Children {
			visit(c)
		}
	}
	visit(root)
	return s
}

// describe is a schema's columns, one per line.
func describe(t *testing.T, s *fileformat.Schema) string {
	t.Helper()
	columns, err := Columns(s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range columns {
		b.WriteString(c.Name + " " + typeText(c.Type, c.Nullable))
		if c.Group {
			b.WriteString(" group")
		}
		b.WriteString("\n")
	}
	return b.String()
}
