package json

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
)

// structure is the shape of JSON values: the name of a type, or a tree of them.
type structure struct {
	name    string // of a type, of what is neither an object nor an array
	keys    []string
	fields  []*structure // of an object; of an array one
	kind    byte         // { [ or 0
	numeric bool
}

// appendStructure appends the types in a JSON value, as JSON.
func appendStructure(dst []byte, s string) ([]byte, kernel.Outcome) {
	t, err := parse(s)
	if err != nil {
		return dst, kernel.Outcome{Err: err}
	}
	return t.structure().tree().append(dst), kernel.Outcome{}
}

func (t *tree) structure() *structure {
	switch t.kind {
	case '{':
		out := &structure{kind: '{'}
		for i, key := range t.keys {
			out.add(key, t.items[i].structure())
		}
		return out
	case '[':
		all := &structure{name: "NULL"}
		for _, item := range t.items {
			all = all.merged(item.structure())
		}
		return &structure{kind: '[', fields: []*structure{all}}
	case '"':
		return &structure{name: "VARCHAR"}
	case 't', 'f':
		return &structure{name: "BOOLEAN"}
	case 'n':
		return &structure{name: "NULL"}
	}
	return &structure{name: numberType(t.text), numeric: true}
}

// add merges the structure of a member into that of an object.
func (s *structure) add(key string, value *structure) {
	if i := slices.Index(s.keys, key); i >= 0 {
		s.fields[i] = s.fields[i].merged(value)
		return
	}
	s.keys, s.fields = append(s.keys, key), append(s.fields, value)
}

// merged is the structure of values of both. What has no common type is JSON.
func (s *structure) merged(o *structure) *structure {
	switch {
	case s.name == "NULL":
		return o
	case o.name == "NULL":
		return s
	case s.kind == '{' && o.kind == '{':
		for i, key := range o.keys {
			s.add(key, o.fields[i])
		}
		return s
	case s.kind == '[' && o.kind == '[':
		return &structure{kind: '[', fields: []*structure{s.fields[0].merged(o.fields[0])}}
	case s.kind == 0 && s.name == o.name:
		return s
	case s.numeric && o.numeric && (s.name == "DOUBLE" || o.name == "DOUBLE"):
		return &structure{name: "DOUBLE", numeric: true}
	case s.numeric && o.numeric:
		return &structure{name: "HUGEINT", numeric: true}
	}
	return &structure{name: "JSON"}
}

// tree is the structure as a JSON value.
func (s *structure) tree() *tree {
	switch {
	case s.kind == '{' && len(s.keys) == 0: // a STRUCT has a field at least
		return &tree{kind: '"', text: "JSON"}
	case s.kind == 0:
		return &tree{kind: '"', text: s.name}
	}
	t := &tree{kind: s.kind, keys: s.keys}
	for _, f := range s.fields {
		t.items = append(t.items, f.tree())
	}
	return t
}
