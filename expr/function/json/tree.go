package json

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// tree is a parsed JSON value.
type tree struct {
	kind  byte   // { [ " 0 (a number) t f n
	text  string // of a string its characters, of a number its digits
	keys  []string
	items []*tree
}

// maxNesting is how deeply values may be nested that are parsed as a whole.
const maxNesting = 1000

var errNesting = errors.New("JSON text that is nested too deeply")

// parse reads JSON text that is one value.
func parse(text string) (*tree, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	t, err := parseValue(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errJSON
	}
	return t, nil
}

func parseValue(d *json.Decoder, depth int) (*tree, error) {
	token, err := d.Token()
	if err != nil {
		return nil, errJSON
	}
	switch v := token.(type) {
	case json.Delim:
		return parseItems(d, byte(v), depth+1)
	case string:
		return &tree{kind: '"', text: v}, nil
	case json.Number:
		return &tree{kind: '0', text: v.String()}, nil
	case bool:
		if v {
			return &tree{kind: 't'}, nil
		}
		return &tree{kind: 'f'}, nil
	}
	return &tree{kind: 'n'}, nil
}

func parseItems(d *json.Decoder, kind byte, depth int) (*tree, error) {
	if depth > maxNesting {
		return nil, errNesting
	}
	if kind != '{' && kind != '[' {
		return nil, errJSON
	}
	t := &tree{kind: kind}
	for d.More() {
		if kind == '{' {
			key, err := d.Token()
			name, ok := key.(string)
			if err != nil || !ok {
				return nil, errJSON
			}
			t.keys = append(t.keys, name)
		}
		item, err := parseValue(d, depth)
		if err != nil {
			return nil, err
		}
		t.items = append(t.items, item)
	}
	if _, err := d.Token(); err != nil {
		return nil, errJSON
	}
	return t, nil
}

// member is the value of a key; of one that comes twice the last, nil if there is none.
func (t *tree) member(key string) *tree {
	for i := len(t.keys) - 1; i >= 0; i-- {
		if t.keys[i] == key {
			return t.items[i]
		}
	}
	return nil
}

// contains says whether part is the value, is in it, or has only what the value has too.
func (t *tree) contains(part *tree) bool {
	if t.includes(part) {
		return true
	}
	for _, item := range t.items {
		if item.contains(part) {
			return true
		}
	}
	return false
}

// includes says whether part is the value but for elements and members that it lacks.
func (t *tree) includes(part *tree) bool {
	if t.kind != part.kind {
		return false
	}
	switch t.kind {
	case '{':
		for i, key := range part.keys {
			if mine := t.member(key); mine == nil || !mine.includes(part.items[i]) {
				return false
			}
		}
		return true
	case '[':
		for _, wanted := range part.items {
			found := false
			for _, item := range t.items {
				found = found || item.includes(wanted)
			}
			if !found {
				return false
			}
		}
		return true
	case '0':
		if isWhole(t.text) || isWhole(part.text) {
			return t.text == part.text
		}
		a, _ := strconv.ParseFloat(t.text, 64)
		b, _ := strconv.ParseFloat(part.text, 64)
		return a == b
	}
	return t.text == part.text
}

func isWhole(number string) bool { return !strings.ContainsAny(number, ".eE") }

// patched is the value changed as RFC 7396 says: members of the patch replace those of the
// value, null removes them.
func (t *tree) patched(patch *tree) *tree {
	if patch.kind != '{' {
		return patch
	}
	out := &tree{kind: '{'}
	if t != nil && t.kind == '{' {
		for i, key := range t.keys {
			if patch.member(key) == nil && t.member(key) == t.items[i] {
				out.keys, out.items = append(out.keys, key), append(out.items, t.items[i])
			}
		}
	}
	for i, key := range patch.keys {
		if value := patch.items[i]; value.kind != 'n' && patch.member(key) == value {
			out.keys, out.items = append(out.keys, key), append(out.items, t.memberOf(key).patched(value))
		}
	}
	return out
}

// memberOf is member of any value.
func (t *tree) memberOf(key string) *tree {
	if t == nil {
		return nil
	}
	return t.member(key)
}

// append writes the value without blanks.
func (t *tree) append(dst []byte) []byte {
	switch t.kind {
	case '{', '[':
		dst = append(dst, t.kind)
		for i, item := range t.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			if t.kind == '{' {
				dst = append(vector.AppendQuoted(dst, t.keys[i]), ':')
			}
			dst = item.append(dst)
		}
		return append(dst, t.kind+2) // } is two behind {, ] two behind [
	case '"':
		return vector.AppendQuoted(dst, t.text)
	case '0':
		return append(dst, t.text...)
	}
	return append(dst, map[byte]string{'t': "true", 'f': "false", 'n': "null"}[t.kind]...)
}
