package json

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/internal/jsontext"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// tree is a parsed JSON value: its node, and those of what is in it. It is nil where there is none.
type tree []jsontext.Node

// kind is how the value begins: { [ " 0 (a number) t f n
func (t tree) kind() byte { return t[0].Kind }

// text is what a string means, and a number as it is written.
func (t tree) text() string { return t[0].Text() }

// within are the members or elements, one behind the other; see cut.
func (t tree) within() tree { return t[1:] }

// cut is the first of several values, and the others.
func (t tree) cut() (first, rest tree) { return t[:t[0].Span], t[t[0].Span:] }

// maxNesting is how deeply values may be nested that are parsed as a whole.
const maxNesting = 1000

var errNesting = errors.New("JSON text that is nested too deeply")

// trees parses one text after the other: a tree is valid until the next one, and while its text
// is. It is for one goroutine.
type trees struct {
	deep  bool // values may be nested as deeply as JSON_VALID takes them
	tape  jsontext.Tape
	meter *quota.Meter
	work  func(n int) error
}

// decodeWork is how much longer a byte takes to decode than to read.
const decodeWork = 16

// parse reads JSON text that is one value. The meter may be nil.
func (t *trees) parse(m *quota.Meter, text string) (tree, error) {
	depth, err := t.prepare(m, text)
	if err != nil {
		return nil, err
	}
	if err := problem(t.tape.Parse(text, depth, t.work)); err != nil {
		return nil, err
	}
	return t.tape.Nodes, nil
}

// elements reads JSON text that begins with an array, and gives one element after the other to f: a tree is valid until the next one.
func (t *trees) elements(m *quota.Meter, text string, f func(tree) error) error {
	depth, err := t.prepare(m, text)
	if err != nil {
		return err
	}
	return problem(t.tape.Elements(text, depth, t.work, func() error { return f(t.tape.Nodes) }))
}

// prepare is done before a text is read, whose depth it returns.
func (t *trees) prepare(m *quota.Meter, text string) (depth int, err error) {
	if t.work == nil || t.meter != m {
		t.meter = m
		t.work = func(n int) error { return m.Work(n * decodeWork) }
		t.tape.Need = func(nodes int) error { return m.Add(int64(nodes) * jsontext.NodeBytes) }
	}
	if cap(t.tape.Nodes) > quota.KeptBuffer/jsontext.NodeBytes { // the next one counts it again
		t.tape.Nodes = nil
	}
	if depth = maxNesting; t.deep {
		depth = jsontext.MaxDepth
	}
	return depth, m.Work(len(text))
}

// problem is what is said of an error of a tape.
func problem(err error) error {
	switch {
	case err == nil: // of each row: what follows makes a value
	case errors.Is(err, jsontext.ErrDepth):
		return errNesting
	case errors.As(err, new(*jsontext.SyntaxError)):
		return errJSON
	}
	return err
}

// parse reads JSON text that is one value. The meter may be nil.
func parse(m *quota.Meter, text string) (tree, error) { return (&trees{}).parse(m, text) }

// watch is what a walk through trees knows. It ends when the context of the query is done; a nil watch
// does not.
type watch struct {
	meter   *quota.Meter
	err     error
	indexes map[*jsontext.Node]map[string]int32 // see index
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
	// visitsPerTell is how many values a loop visits until it tells of them.
	visitsPerTell = 256
	// manyKeys is the number of keys from which they are found by a map, and keyBytes about
	// what it takes for each.
	manyKeys, keyBytes = 16, 60
)

// index is where in an object that has many keys each comes first. The nodes must stay while the watch does.
func (w *watch) index(t tree) map[string]int32 {
	if index, ok := w.indexes[&t[0]]; ok {
		return index
	}
	index := map[string]int32{}
	for rest := t.within(); len(rest) > 0; {
		if !w.on(visitWork+len(rest[0].Name)) || w.add(keyBytes) != nil {
			return nil
		}
		if _, ok := index[rest[0].Name]; !ok {
			index[rest[0].Name] = int32(len(t) - len(rest))
		}
		_, rest = rest.cut()
	}
	if w.indexes == nil {
		w.indexes = map[*jsontext.Node]map[string]int32{}
	}
	w.indexes[&t[0]] = index
	return index
}

// add tells of n bytes that are made.
func (w *watch) add(n int64) error {
	if w.err == nil {
		w.err = w.meter.Add(n)
	}
	return w.err
}

// member is the value of a key of an object; of one that comes twice the first, nil if there is none.
func (w *watch) member(t tree, key string) tree {
	next := 1
	for range manyKeys {
		if next >= len(t) {
			return nil
		}
		end := next + int(t[next].Span)
		if t[next].Name == key {
			return t[next:end]
		}
		next = end
	}
	if next >= len(t) {
		return nil
	}
	at, ok := w.index(t)[key]
	if !ok {
		return nil
	}
	found, _ := t[at:].cut()
	return found
}

// contains says whether part is the value, is in it, or has only what the value has too.
func (t tree) contains(w *watch, part tree) bool {
	kind := part.kind()
	for i := range t {
		if i%visitsPerTell == 0 && !w.on(visitsPerTell*visitWork) {
			return false
		}
		if t[i].Kind == kind && t[i:i+int(t[i].Span)].includes(w, part) {
			return true
		}
	}
	return false
}

// includes says whether part is the value but for elements and members that it lacks.
func (t tree) includes(w *watch, part tree) bool {
	if t.kind() != part.kind() {
		return false
	}
	switch t.kind() {
	case '{':
		if len(t) == len(part) && w.on(len(part)) && t.same(part) {
			return true // also where a key comes twice, of which only the first one is found by its name
		}
		for at := 1; at < len(part); {
			end := at + int(part[at].Span)
			if mine := w.member(t, part[at].Name); mine == nil || !w.on(visitWork) || !mine.includes(w, part[at:end]) {
				return false
			}
			at = end
		}
		return true
	case '[':
		for at := 1; at < len(part); {
			end := at + int(part[at].Span)
			if !t.hasElement(w, part[at:end]) {
				return false
			}
			at = end
		}
		return true
	case '0':
		return sameNumber(t[0].Raw, part[0].Raw)
	case '"':
		return t.text() == part.text()
	}
	return true
}

// same reports whether a value of as many nodes is the same, with its members in the same order.
func (t tree) same(o tree) bool {
	for i := range t {
		a, b := &t[i], &o[i]
		if a.Kind != b.Kind || a.Span != b.Span || a.Name != b.Name {
			return false
		}
		switch a.Kind {
		case '0':
			if !sameNumber(a.Raw, b.Raw) {
				return false
			}
		case '"':
			if a.Raw != b.Raw {
				return false
			}
		}
	}
	return true
}

// hasElement reports whether an element of an array includes a value.
func (t tree) hasElement(w *watch, wanted tree) bool {
	for at := 1; at < len(t) && w.on(visitWork); {
		end := at + int(t[at].Span)
		if t[at].Kind == wanted[0].Kind && t[at:end].includes(w, wanted) {
			return true
		}
		at = end
	}
	return false
}

// sameNumber reports whether two numbers are written alike, are both 0 or -0, or are equal as DOUBLEs and neither is whole; -0.0 is not 0.0.
func sameNumber(a, b string) bool {
	switch {
	case a == b:
		return true
	case isWhole(a) || isWhole(b):
		return a == "-0" && b == "0" || a == "0" && b == "-0"
	case isShort(a) && isShort(b) && a[0] == b[0]:
		return strings.TrimRight(a, "0") == strings.TrimRight(b, "0")
	}
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return math.Float64bits(x) == math.Float64bits(y)
}

// isShort reports whether a number that is not whole has no exponent and at most 15 digits: those that differ but for zeros at the end
// are different DOUBLEs then.
func isShort(number string) bool {
	return len(number) <= 16 && strings.IndexByte(number, 'e') < 0 && strings.IndexByte(number, 'E') < 0
}

// isWhole reports whether a number has neither a point nor an exponent.
func isWhole(number string) bool {
	for i := range len(number) {
		if c := number[i]; c == '.' || c|0x20 == 'e' {
			return false
		}
	}
	return true
}

// appendPatched appends the value, which may be nil, changed as RFC 7396 says: members of the patch replace those of the
// value, null removes them. name is that of a member of an object, named.
func appendPatched(w *watch, dst, t, patch tree) tree {
	if patch.kind() != '{' {
		return w.join(dst, patch)
	}
	at, head := len(dst), patch[0]
	head.Plain = false // it is not what Raw says
	dst = w.join(dst, tree{head})
	if t != nil && t.kind() == '{' {
		for rest := t.within(); len(rest) > 0 && w.on(visitWork); {
			var item tree
			item, rest = rest.cut()
			if w.member(patch, item[0].Name) == nil {
				dst = w.join(dst, item)
			}
		}
	} else {
		t = nil
	}
	for rest := patch.within(); len(rest) > 0 && w.on(visitWork); {
		var value, mine tree
		value, rest = rest.cut()
		if value.kind() == 'n' {
			continue
		}
		if t != nil {
			mine = w.member(t, value[0].Name)
		}
		dst = appendPatched(w, dst, mine, value)
	}
	if w.err == nil {
		dst[at].Span = int32(len(dst) - at)
	}
	return dst
}

// join appends nodes, and tells of the memory that they need: keys that come twice in a patch repeat the value. With
// an error it appends nothing.
func (w *watch) join(dst, nodes tree) tree {
	if n := len(dst) + len(nodes); n > cap(dst) && w.add(int64(n)*jsontext.NodeBytes) != nil {
		return dst
	}
	return append(dst, nodes...)
}

// append writes the value without blanks.
func (t tree) append(w *watch, dst []byte) []byte {
	n := &t[0]
	if !w.on(visitWork + len(n.Raw)) {
		return dst
	}
	switch {
	case n.Plain:
		return append(dst, n.Raw...)
	case n.Kind == '"':
		return vector.AppendQuoted(dst, n.Text())
	}
	dst = append(dst, n.Kind)
	for rest := t.within(); len(rest) > 0; {
		var item tree
		if len(rest) < len(t)-1 {
			dst = append(dst, ',')
		}
		if item, rest = rest.cut(); item[0].Named {
			dst = append(vector.AppendQuoted(dst, item[0].Name), ':')
		}
		dst = item.append(w, dst)
	}
	return append(dst, n.Kind+2) // } is two behind {, ] two behind [
}

// json is the value without blanks: as it is written, where it has none.
func (t tree) json(w *watch) string {
	if t[0].Plain {
		return t[0].Raw
	}
	text := t.append(w, nil)
	_ = w.add(int64(len(text)))
	return string(text)
}
