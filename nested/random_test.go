package nested

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
)

// sketch is a random type: its node in the schema, and random values, both as a
// record of the file and as JSON text.
type sketch struct {
	node  *fileformat.Node
	value func() (any, string)
}

type sketcher struct {
	r *rand.Rand
	n int
}

func (g *sketcher) name() string { g.n++; return fmt.Sprintf("f%d", g.n) }

func group(name string, rep fileformat.Repetition, kind fileformat.LogicalKind, children ...*fileformat.Node) *fileformat.Node {
	n := &fileformat.Node{Name: name, Repetition: rep, Leaf: -1, Physical: -1, Children: children}
	n.Logical.Kind = kind
	for _, c := range children {
		c.Parent = n
	}
	return n
}

// field is a type that may be optional.
func (g *sketcher) field(depth int) sketch {
	s := g.value(depth)
	if s.node.Repetition != fileformat.Required || g.r.IntN(2) == 0 {
		return s
	}
	s.node.Repetition = fileformat.Optional
	present := s.value
	s.value = func() (any, string) {
		if g.r.IntN(4) == 0 {
			return nil, "null"
		}
		return present()
	}
	return s
}

// value is a type whose node is required, or repeated without annotation.
func (g *sketcher) value(depth int) sketch {
	switch pick := g.r.IntN(8); {
	case depth == 0 || pick < 2:
		return g.leaf()
	case pick < 4:
		return g.structure(depth)
	case pick < 7:
		return g.list(depth)
	}
	return g.mapping(depth)
}

func (g *sketcher) leaf() sketch {
	n := &fileformat.Node{Name: g.name(), Converted: -1}
	if g.r.IntN(2) == 0 {
		n.Physical = fileformat.Int32 + fileformat.PhysicalType(g.r.IntN(2))
		return sketch{n, func() (any, string) {
			v := int64(g.r.IntN(9) - 4)
			return v, fmt.Sprint(v)
		}}
	}
	n.Physical, n.Logical.Kind = fileformat.ByteArray, fileformat.LogicalString
	return sketch{n, func() (any, string) {
		v := strings.Repeat("ä\"", g.r.IntN(3))
		text, _ := json.Marshal(v)
		return v, string(text)
	}}
}

func (g *sketcher) structure(depth int) sketch {
	var children []*fileformat.Node
	var fields []sketch
	for range 1 + g.r.IntN(3) {
		f := g.field(depth - 1)
		fields, children = append(fields, f), append(children, f.node)
	}
	return sketch{group(g.name(), fileformat.Required, fileformat.LogicalNone, children...), func() (any, string) {
		var values []any
		var texts []string
		for _, f := range fields {
			v, text := f.value()
			values, texts = append(values, v), append(texts, fmt.Sprintf("%q:%s", f.node.Name, text))
		}
		return values, "{" + strings.Join(texts, ",") + "}"
	}}
}

// list is a list in one of the forms that LogicalTypes.md knows.
func (g *sketcher) list(depth int) sketch {
	element := g.value(depth - 1)
	name, middle := g.name(), [...]string{"list", "element", "bag"}[g.r.IntN(3)]
	form := g.r.IntN(4)
	if element.node.Repetition != fileformat.Required {
		form = 3 // a repeated element must be the middle group's only field, or hide in a struct
		inner := element
		element = sketch{group(g.name(), fileformat.Required, fileformat.LogicalNone, inner.node), func() (any, string) {
			v, text := inner.value()
			return []any{v}, fmt.Sprintf("{%q:%s}", inner.node.Name, text)
		}}
	}
	wrap := func(v any) any { return v } // an element in the repeated field
	var node *fileformat.Node
	switch form {
	case 0: // three levels
		wrap = func(v any) any { return []any{v} }
		if g.r.IntN(2) == 0 {
			element.node.Repetition = fileformat.Optional
			present := element.value
			element.value = func() (any, string) {
				if g.r.IntN(3) == 0 {
					return nil, "null"
				}
				return present()
			}
		}
		node = group(name, fileformat.Required, fileformat.LogicalList, group(middle, fileformat.Repeated, fileformat.LogicalNone, element.node))
	case 1: // rule 4
		inner := element
		element.value = func() (any, string) {
			v, text := inner.value()
			return []any{v}, fmt.Sprintf("{%q:%s}", inner.node.Name, text)
		}
		repeated := group([]string{"array", name + "_tuple"}[g.r.IntN(2)], fileformat.Repeated, fileformat.LogicalNone, inner.node)
		node = group(name, fileformat.Required, fileformat.LogicalList, repeated)
	default: // rules 1 to 4, or no annotation at all
		element.node.Repetition = fileformat.Repeated
		node = element.node
		if form == 2 {
			if element.node.Logical.Kind == fileformat.LogicalNone && len(element.node.Children) > 0 {
				element.node.Name = "array" // else a group of one field would be the middle one of three levels
			}
			node = group(name, fileformat.Required, fileformat.LogicalList, element.node)
		}
	}
	boxed := form != 3
	return sketch{node, func() (any, string) {
		values, texts := []any{}, []string{}
		for range max(0, g.r.IntN(5)-1) {
			v, text := element.value()
			values, texts = append(values, wrap(v)), append(texts, text)
		}
		text := "[" + strings.Join(texts, ",") + "]"
		if boxed {
			return []any{values}, text
		}
		return values, text
	}}
}

func (g *sketcher) mapping(depth int) sketch {
	key := g.leaf()
	children := []*fileformat.Node{key.node}
	value := sketch{value: func() (any, string) { return nil, "null" }}
	if g.r.IntN(4) > 0 {
		value = g.field(depth - 1)
		children = append(children, value.node)
	}
	repeated := group("key_value", fileformat.Repeated, fileformat.LogicalMapKeyValue, children...)
	kind := fileformat.LogicalMap + fileformat.LogicalKind(g.r.IntN(2)) // or MAP_KEY_VALUE
	return sketch{group(g.name(), fileformat.Required, kind, repeated), func() (any, string) {
		values, texts, index := []any{}, []string{}, map[string]int{}
		for range g.r.IntN(4) {
			k, keyText := key.value()
			if !strings.HasPrefix(keyText, `"`) {
				keyText = `"` + keyText + `"`
			}
			v, text := value.value()
			entry := []any{k, v}
			values = append(values, entry[:len(children)])
			if at, ok := index[keyText]; ok {
				texts[at] = "" // the last value of a key counts
			}
			index[keyText] = len(texts)
			texts = append(texts, keyText+":"+text)
		}
		var kept []string
		for _, text := range texts {
			if text != "" {
				kept = append(kept, text)
			}
		}
		return []any{values}, "{" + strings.Join(kept, ",") + "}"
	}}
}

// TestRandom reads random records of random schemas, striped value by value,
// and compares the JSON of every top-level field with what was written.
func TestRandom(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for round := range uint64(1500) {
		g := &sketcher{r: rand.New(rand.NewPCG(seed, round))}
		var fields []sketch
		root := group("root", fileformat.Required, fileformat.LogicalNone)
		for range 1 + g.r.IntN(3) {
			f := g.field(1 + g.r.IntN(4))
			fields, root.Children, f.node.Parent = append(fields, f), append(root.Children, f.node), root
		}
		var records []any
		want := make([][]string, len(fields))
		for range g.r.IntN(200) {
			var record []any
			for i, f := range fields {
				v, text := f.value()
				record, want[i] = append(record, v), append(want[i], text)
			}
			records = append(records, record)
		}
		tb := newTable(t, finish(root), records)
		tb.random = g.r
		for i, f := range fields {
			got := tb.json(f.node.Name, nil, 1+g.r.IntN(300))
			for row := range max(len(got), len(want[i])) {
				if row >= len(got) || row >= len(want[i]) || got[row] != want[i][row] {
					t.Fatalf("seed %d, round %d, row %d of %d and %d: %v\n%s\nwant\n%s", seed, round, row, len(got), len(want[i]),
						tb.columns[f.node.Name].Type, got[min(row, len(got)-1)], want[i][min(row, len(want[i])-1)])
				}
			}
			if round%4 == 0 {
				tb.checkSome(f.node.Name, want[i])
			}
		}
	}
}
