package json

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// tree is a parsed JSON value.
type tree struct {
	kind  byte   // { [ " 0 (a number) t f n
	text  string // of a string its characters, of a number its digits
	keys  []string
	items []*tree
	id    int64          // see number
	last  map[string]int // of many keys, where each comes last
}

// maxNesting is how deeply values may be nested that are parsed as a whole.
const maxNesting = 1000

var errNesting = errors.New("JSON text that is nested too deeply")

// parser makes trees. What long ones take is counted by the meter before they grow.
type parser struct {
	*json.Decoder
	in    pieces
	meter *quota.Meter
	held  int // bytes that the meter does not know yet
}

const (
	// nodeBytes is about the memory of a value without its text, with its place in a list.
	nodeBytes = 120
	nameBytes = 24
	// heldStep is how many bytes are told to the meter at once: short texts cost nothing.
	heldStep = 64 << 10
	// decodeWork is how much longer a byte takes to decode than to read.
	decodeWork = 16
)

// pieces is a text with a look at the context between its pieces.
type pieces struct {
	rest  string
	meter *quota.Meter
	err   error
}

// Read implements io.Reader.
func (p *pieces) Read(into []byte) (int, error) {
	if p.rest == "" {
		return 0, io.EOF
	}
	n := copy(into, p.rest)
	p.rest = p.rest[n:]
	p.err = p.meter.Work(n * decodeWork)
	return n, p.err
}

// parse reads JSON text that is one value. The meter may be nil.
func parse(m *quota.Meter, text string) (*tree, error) {
	p := &parser{meter: m, in: pieces{rest: text, meter: m}}
	p.Decoder = json.NewDecoder(&p.in)
	p.UseNumber()
	t, err := p.value(0)
	if err == nil {
		if _, end := p.Token(); !errors.Is(end, io.EOF) {
			err = errJSON
		}
	}
	if p.in.err != nil {
		err = p.in.err // the text seemed to end there
	}
	return t, err
}

// hold counts a value.
func (p *parser) hold(t *tree) (*tree, error) {
	if p.held += nodeBytes + len(t.text); p.held < heldStep {
		return t, nil
	}
	n := p.held
	p.held = 0
	return t, p.meter.Add(int64(n))
}

func (p *parser) value(depth int) (*tree, error) {
	token, err := p.Token()
	if err != nil {
		return nil, errJSON
	}
	switch v := token.(type) {
	case json.Delim:
		return p.items(byte(v), depth+1)
	case string:
		return p.hold(&tree{kind: '"', text: v})
	case json.Number:
		return p.hold(&tree{kind: '0', text: v.String()})
	case bool:
		if v {
			return p.hold(&tree{kind: 't'})
		}
		return p.hold(&tree{kind: 'f'})
	}
	return p.hold(&tree{kind: 'n'})
}

func (p *parser) items(kind byte, depth int) (*tree, error) {
	if depth > maxNesting {
		return nil, errNesting
	}
	if kind != '{' && kind != '[' {
		return nil, errJSON
	}
	t := &tree{kind: kind}
	for p.More() {
		if kind == '{' {
			key, err := p.Token()
			name, ok := key.(string)
			if err != nil || !ok {
				return nil, errJSON
			}
			t.keys = append(t.keys, name)
			p.held += nameBytes + len(name)
		}
		item, err := p.value(depth)
		if err != nil {
			return nil, err
		}
		t.items = append(t.items, item)
	}
	if _, err := p.Token(); err != nil {
		return nil, errJSON
	}
	return p.hold(t)
}

// watch ends what is done with trees when the context of the query is done. A nil watch
// does not.
type watch struct {
	meter *quota.Meter
	err   error
}

// on tells of n bytes of work, and reports whether to go on.
func (w *watch) on(n int) bool {
	if w != nil && w.err == nil {
		w.err = w.meter.Work(n)
	}
	return w == nil || w.err == nil
}

const (
	// visitWork is how much longer it takes to visit a value than to read a byte.
	visitWork = 16
	// manyKeys is the number of keys from which they are found by a map, and keyBytes about
	// what it takes for each.
	manyKeys, keyBytes = 16, 60
)

// indexed makes the map of keys that are many.
func (t *tree) indexed(w *watch) {
	if len(t.keys) < manyKeys || t.last != nil || w.err != nil {
		return
	}
	if w.err = w.meter.Add(int64(len(t.keys)) * keyBytes); w.err != nil {
		return
	}
	t.last = make(map[string]int, len(t.keys))
	for i, key := range t.keys {
		if !w.on(visitWork + len(key)) {
			return
		}
		t.last[key] = i
	}
}

// member is the value of a key; of one that comes twice the last, nil if there is none.
func (t *tree) member(key string) *tree {
	if t.last != nil {
		if i, ok := t.last[key]; ok {
			return t.items[i]
		}
		return nil
	}
	for i := len(t.keys) - 1; i >= 0; i-- {
		if t.keys[i] == key {
			return t.items[i]
		}
	}
	return nil
}

// contains says whether part is the value, is in it, or has only what the value has too.
func (t *tree) contains(w *watch, part *tree) bool {
	if t.includes(w, part) {
		return true
	}
	for _, item := range t.items {
		if item.contains(w, part) {
			return true
		}
	}
	return false
}

// includes says whether part is the value but for elements and members that it lacks.
func (t *tree) includes(w *watch, part *tree) bool {
	if !w.on(visitWork) || t.kind != part.kind {
		return false
	}
	switch t.kind {
	case '{':
		t.indexed(w)
		for i, key := range part.keys {
			if mine := t.member(key); mine == nil || !mine.includes(w, part.items[i]) {
				return false
			}
		}
		return true
	case '[':
		for _, wanted := range part.items {
			found := false
			for _, item := range t.items {
				if found = item.includes(w, wanted); found {
					break
				}
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
func (t *tree) patched(w *watch, patch *tree) *tree {
	if patch.kind != '{' {
		return patch
	}
	patch.indexed(w)
	out := &tree{kind: '{'}
	if t != nil && t.kind == '{' {
		t.indexed(w)
		for i, key := range t.keys {
			if !w.on(visitWork) {
				return out
			}
			if patch.member(key) == nil && t.member(key) == t.items[i] {
				out.keys, out.items = append(out.keys, key), append(out.items, t.items[i])
			}
		}
	}
	for i, key := range patch.keys {
		if !w.on(visitWork) {
			return out
		}
		if value := patch.items[i]; value.kind != 'n' && patch.member(key) == value {
			out.keys, out.items = append(out.keys, key), append(out.items, t.memberOf(key).patched(w, value))
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
func (t *tree) append(w *watch, dst []byte) []byte {
	if !w.on(visitWork + len(t.text)) {
		return dst
	}
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
			dst = item.append(w, dst)
		}
		return append(dst, t.kind+2) // } is two behind {, ] two behind [
	case '"':
		return vector.AppendQuoted(dst, t.text)
	case '0':
		return append(dst, t.text...)
	}
	return append(dst, map[byte]string{'t': "true", 'f': "false", 'n': "null"}[t.kind]...)
}
