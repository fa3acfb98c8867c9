package json

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/jsontext"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// structure is the shape of JSON values: the name of a type, or a tree of them.
type structure struct {
	name    string // of a type, of what is neither an object nor an array
	keys    []string
	fields  []*structure   // of an object; of an array one
	places  map[string]int // of keys, once there are manyKeys
	kind    byte           // { [ or 0
	numeric bool
}

// longArray is the length of a text from which the elements of an array are read one by one: that of all rows is far larger than caches.
const longArray = 1 << 16

// structureKernel is JSON_STRUCTURE.
func structureKernel() kernel.Func {
	parsed := &trees{tape: jsontext.Tape{Kinds: true}}
	return kernel.TextWith1(func(b *kernel.TextBuffer, dst []byte, s string) ([]byte, kernel.Outcome) {
		shape := shapes{meter: b.Meter()}
		if len(s) >= longArray && s[0] == '[' {
			all := nullShape
			err := parsed.elements(b.Meter(), s, func(t tree) error {
				all = shape.merged(all, shape.of(t))
				return shape.err
			})
			return (&structure{kind: '[', fields: []*structure{all}}).append(dst), kernel.Outcome{Err: err}
		}
		t, err := parsed.parse(b.Meter(), s)
		if err != nil {
			return dst, kernel.Outcome{Err: err}
		}
		dst = shape.of(t).append(dst)
		return dst, kernel.Outcome{Err: shape.err}
	})()
}

// shapes finds structures, until the context of the query ends.
type shapes struct {
	meter *quota.Meter
	err   error
}

// shapeWork is how much longer it takes to look at a value, or at a key, than to read a byte.
const shapeWork = 256

func (b *shapes) of(t tree) *structure {
	if b.err == nil {
		b.err = b.meter.Work(shapeWork)
	}
	var item tree
	switch t.kind() {
	case '{':
		out := &structure{kind: '{'}
		for rest := t.within(); len(rest) > 0 && b.err == nil; {
			item, rest = rest.cut()
			b.add(out, item[0].Name, b.of(item))
		}
		return out
	case '[':
		all := nullShape
		for rest := t.within(); len(rest) > 0 && b.err == nil; {
			item, rest = rest.cut()
			all = b.merged(all, b.of(item))
		}
		return &structure{kind: '[', fields: []*structure{all}}
	case '"':
		return varcharShape
	case 't', 'f':
		return booleanShape
	case 'n':
		return nullShape
	}
	switch numberType(t[0].Raw) {
	case "UBIGINT":
		return ubigintShape
	case "BIGINT":
		return bigintShape
	}
	return doubleShape
}

// The structures of values that are neither objects nor arrays; nothing changes them.
var (
	nullShape    = &structure{name: "NULL"}
	varcharShape = &structure{name: "VARCHAR"}
	booleanShape = &structure{name: "BOOLEAN"}
	jsonShape    = &structure{name: "JSON"}
	ubigintShape = &structure{name: "UBIGINT", numeric: true}
	bigintShape  = &structure{name: "BIGINT", numeric: true}
	doubleShape  = &structure{name: "DOUBLE", numeric: true}
	hugeintShape = &structure{name: "HUGEINT", numeric: true}
)

// add merges the structure of a member into that of an object.
func (b *shapes) add(s *structure, key string, value *structure) {
	if b.err == nil {
		b.err = b.meter.Work(min(len(s.keys), manyKeys))
	}
	if i := b.place(s, key); i >= 0 {
		s.fields[i] = b.merged(s.fields[i], value)
		return
	}
	if s.places != nil {
		s.places[key] = len(s.keys)
		b.charge(1)
	}
	s.keys, s.fields = append(s.keys, key), append(s.fields, value)
}

// place is where a key is among those of an object, or -1.
func (b *shapes) place(s *structure, key string) int {
	if len(s.keys) < manyKeys {
		return slices.Index(s.keys, key)
	}
	if s.places == nil {
		s.places = make(map[string]int, 2*len(s.keys))
		for i, k := range s.keys {
			s.places[k] = i
		}
		b.charge(len(s.keys))
	}
	if i, ok := s.places[key]; ok {
		return i
	}
	return -1
}

// charge tells of the memory of n places.
func (b *shapes) charge(n int) {
	if b.err == nil {
		b.err = b.meter.Add(int64(n) * keyBytes)
	}
}

// merged is the structure of values of both. What has no common type is JSON.
func (b *shapes) merged(s, o *structure) *structure {
	switch {
	case s.name == "NULL":
		return o
	case o.name == "NULL":
		return s
	case s.kind == '{' && o.kind == '{':
		for i, key := range o.keys {
			b.add(s, key, o.fields[i])
		}
		return s
	case s.kind == '[' && o.kind == '[':
		return &structure{kind: '[', fields: []*structure{b.merged(s.fields[0], o.fields[0])}}
	case s.kind == 0 && s.name == o.name:
		return s
	case s.numeric && o.numeric && (s.name == "DOUBLE" || o.name == "DOUBLE"):
		return doubleShape
	case s.numeric && o.numeric:
		return hugeintShape
	}
	return jsonShape
}

// append writes the structure as JSON.
func (s *structure) append(dst []byte) []byte {
	switch {
	case s.kind == '{' && len(s.keys) == 0: // a STRUCT has a field at least
		return append(dst, `"JSON"`...)
	case s.kind == 0:
		return append(append(append(dst, '"'), s.name...), '"')
	}
	dst = append(dst, s.kind)
	for i, f := range s.fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		if s.kind == '{' {
			dst = append(vector.AppendQuoted(dst, s.keys[i]), ':')
		}
		dst = f.append(dst)
	}
	return append(dst, s.kind+2) // } is two behind {, ] two behind [
}
