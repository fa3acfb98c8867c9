package expr

import (
	"strings"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// WholeEntries are the names of entries and their values.
func WholeEntries() []Entry {
	return []Entry{{Name: "key", Extraction: Extraction{Form: FormName}}, {Name: "value"}}
}

// listType is the type of FormEntries.
func (x Extraction) listType() vector.Type {
	entry := vector.Type{Kind: vector.Struct}
	for _, e := range x.Entries {
		entry.Fields = append(entry.Fields, vector.Field{Name: e.Name, Type: e.Type(), Nullable: true})
	}
	return vector.ListOf(vector.Field{Name: "element", Type: entry, Nullable: true})
}

// ofEach writes what FormEntries takes of each entry, unless that is all.
func (x Extraction) ofEach() string {
	if x.Equal(Extraction{Path: x.Path, Form: FormEntries, Entries: WholeEntries()}) {
		return ""
	}
	if len(x.Entries) == 0 {
		return ": count"
	}
	each := make([]string, len(x.Entries))
	for i, e := range x.Entries {
		if each[i] = e.Of("value"); e.Form == FormName {
			each[i] = "key"
		}
	}
	return ": " + strings.Join(each, ", ")
}

// Ask is the columns of a file that an extraction asks for.
func (x Extraction) Ask() variant.Ask {
	out := variant.Ask{Path: x.Path}
	if x.Form == FormEntries {
		out.Each = []variant.Ask{}
	}
	for _, e := range x.Entries {
		if e.Form != FormName {
			out.Each = append(out.Each, e.Ask())
		}
	}
	return out
}

// entriesOfCanonical is the entries of the canonical VARIANTs that x makes.
func entriesOfCanonical(x kernel.Node, what Extraction) kernel.Node {
	n := &entriesNode{x: x, path: what.Path, t: what.Type()}
	for _, e := range what.Entries {
		n.fields = append(n.fields, entryNodes(e))
	}
	return n
}

// entryNodes makes a field of canonical entries.
func entryNodes(e Entry) []kernel.Node {
	if e.Form == FormName {
		return nil
	}
	return []kernel.Node{extractOf(firstColumn{}, e.Extraction)}
}

// entriesOfFile is the entries of VARIANTs of a file.
func entriesOfFile(t vector.Type, what Extraction) (kernel.Node, error) {
	layout, err := variant.NewLayout(t)
	if err != nil {
		return nil, err
	}
	n := &entriesNode{x: firstColumn{}, path: what.Path, layout: layout, t: what.Type()}
	shredded := layout.EntryTypes(what.Path)[1:]
	for _, e := range what.Entries {
		nodes := entryNodes(e)
		for _, t := range shredded {
			if e.Form == FormName {
				break
			}
			node, err := NewExtractor(t, e.Extraction)
			if err != nil {
				return nil, err
			}
			nodes = append(nodes, node)
		}
		n.fields = append(n.fields, nodes)
	}
	return n, nil
}
