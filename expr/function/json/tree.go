package json

import (
	"errors"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/internal/jsontext"
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

// parser is the jsontext.Sink that makes trees. What long ones take is counted by the meter before
// they grow.
type parser struct {
	meter *quota.Meter
	work  func(n int) error
	held  quota.Ticker // bytes, of which the meter gets to know at times
	root  *tree
	open  []*tree // the objects and arrays that are not complete

	// brief says that the texts of the tree may be those of the JSON text.
	brief bool
	// The memory of what is made, of which small pieces are taken one after the other.
	nodes slab[tree]
	names slab[string]
	lists slab[*tree]
}

// slab hands out pieces of one memory.
type slab[T any] struct {
	all  []T
	used int
}

// take is room for n values. Where there is none, memory is made for about twice as many as before.
func (s *slab[T]) take(n int) []T {
	if s.used+n > len(s.all) {
		s.all, s.used = make([]T, max(n, min(max(leastNodes, 2*len(s.all)), mostNodes))), 0
	}
	s.used += n
	return s.all[s.used-n : s.used : s.used]
}

// trees parses one text after the other: a tree is valid until the next one, and while its text
// is. It is for one goroutine.
type trees struct {
	p parser
}

func (t *trees) parse(m *quota.Meter, text string) (*tree, error) {
	p := &t.p
	p.brief, p.root, p.open = true, nil, p.open[:0]
	p.nodes.used, p.names.used, p.lists.used = 0, 0, 0
	if p.meter != m || p.held.Err() != nil {
		p.begins(m)
	}
	return p.parse(text)
}

// Of how many values memory is made at once: of few at first, and of how many one object or array
// has memory at first.
const (
	leastNodes, mostNodes = 8, 256
	firstItems            = 4
)

// node is a new value.
func (p *parser) node(kind byte) *tree {
	t := &p.nodes.take(1)[0]
	*t = tree{kind: kind}
	return t
}

// kept is a text of the tree.
func (p *parser) kept(s string) string {
	if p.brief {
		return s
	}
	return strings.Clone(s)
}

const (
	// nodeBytes is about the memory of a value without its text, with its place in a list.
	nodeBytes = 120
	nameBytes = 24
	// decodeWork is how much longer a byte takes to decode than to read.
	decodeWork = 16
)

// parse reads JSON text that is one value. The meter may be nil.
func parse(m *quota.Meter, text string) (*tree, error) {
	p := &parser{}
	p.begins(m)
	return p.parse(text)
}

func (p *parser) begins(m *quota.Meter) {
	p.meter = m
	p.held = quota.Telling(func(n int) error { return m.Add(int64(n)) }, quota.BytesPerTell)
	p.work = func(n int) error { return m.Work(n * decodeWork) }
}

func (p *parser) parse(text string) (*tree, error) {
	if err := parseInto(p, text, p.work); err != nil {
		return nil, err
	}
	return p.root, nil
}

// parseInto reads JSON text that is one value for a sink.
func parseInto(to jsontext.Sink, text string, work func(n int) error) error {
	err := jsontext.Parse(text, to, jsontext.Parsing{Depth: maxNesting, Lossy: true, Work: work})
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jsontext.ErrDepth):
		return errNesting
	case errors.As(err, new(*jsontext.SyntaxError)):
		return errJSON
	}
	return err
}

// add adds a value to the object or array that is open.
func (p *parser) add(t *tree) {
	_ = p.held.Work(nodeBytes + len(t.text)) // see Err
	if n := len(p.open); n > 0 {
		in := p.open[n-1]
		if in.items == nil {
			in.items = p.lists.take(firstItems)[:0]
		}
		in.items = append(in.items, t)
	} else {
		p.root = t
	}
}

func (p *parser) Err() error { return p.held.Err() }
func (p *parser) Null()      { p.add(p.node('n')) }

func (p *parser) Bool(v bool) {
	if v {
		p.add(p.node('t'))
	} else {
		p.add(p.node('f'))
	}
}

func (p *parser) Number(text string, _ int, _ bool) {
	p.addText('0', text)
}
func (p *parser) String(s string) { p.addText('"', s) }
func (p *parser) BeginMap()       { p.begin('{') }
func (p *parser) BeginArray()     { p.begin('[') }
func (p *parser) End()            { p.open = p.open[:len(p.open)-1] }

func (p *parser) addText(kind byte, s string) {
	t := p.node(kind)
	t.text = p.kept(s)
	p.add(t)
}

func (p *parser) begin(kind byte) {
	t := p.node(kind)
	p.add(t)
	p.open = append(p.open, t)
}

func (p *parser) Name(name string) {
	_ = p.held.Work(nameBytes + len(name))
	t := p.open[len(p.open)-1]
	if t.keys == nil {
		t.keys = p.names.take(firstItems)[:0]
	}
	t.keys = append(t.keys, p.kept(name))
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
	switch t.kind {
	case 't':
		return append(dst, "true"...)
	case 'f':
		return append(dst, "false"...)
	}
	return append(dst, "null"...)
}
