package variant

import (
	"cmp"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/vector"
)

// AppendJSON appends the JSON text of a row of a file's vector, as Value.AppendJSON
// does of its canonical Variant, from the columns as they are. NULL is null.
func (l *Layout) AppendJSON(dst []byte, src *vector.Vector, row int) ([]byte, error) {
	if src.IsNull(row) {
		return append(dst, "null"...), nil
	}
	src, row = stored(src, row)
	if err := l.read(src, row); err != nil {
		return dst, err
	}
	if !l.root.present(src, row) {
		return append(dst, "null"...), nil
	}
	l.text.dst, l.text.objects = dst, l.text.objects[:0]
	l.text.err = nil
	err := l.root.walk(&l.names, src, row, &l.text)
	dst, l.text.dst = l.text.dst, nil
	return dst, cmp.Or(err, l.text.err)
}

// textSink writes JSON text.
type textSink struct {
	dst     []byte
	objects []bool // whether each open object or array is an object
	first   bool   // nothing is between the last bracket and the next value
	err     error
}

// comma is called before each field and element.
func (t *textSink) comma() {
	if !t.first {
		t.dst = append(t.dst, ',')
	}
	t.first = false
}

// element is called before each value: behind a name there is no comma.
func (t *textSink) element() {
	if n := len(t.objects); n > 0 && !t.objects[n-1] {
		t.comma()
	}
}

func (t *textSink) null() {
	t.element()
	t.dst = append(t.dst, "null"...)
}

func (t *textSink) value(names *Metadata, d raw) {
	t.element()
	t.dst = d.appendJSON(t.dst, names)
}

func (t *textSink) typed(v *vector.Vector, row int) {
	t.element()
	s := v.Get(row)
	if s.Type.Kind == vector.Varchar && !utf8.ValidString(s.Str) {
		t.err = errText(s.Str)
	}
	t.dst = appendScalar(t.dst, &s)
}

func (t *textSink) begin(object bool) {
	t.element()
	t.objects = append(t.objects, object)
	t.first = true
	if object {
		t.dst = append(t.dst, '{')
	} else {
		t.dst = append(t.dst, '[')
	}
}

func (t *textSink) end() {
	n := len(t.objects) - 1
	if t.objects[n] {
		t.dst = append(t.dst, '}')
	} else {
		t.dst = append(t.dst, ']')
	}
	t.objects, t.first = t.objects[:n], false
}

func (t *textSink) name(name string) {
	t.comma()
	t.dst = append(vector.AppendQuoted(t.dst, name), ':')
}

func (t *textSink) shreddedName(f *shreddedField) { t.name(f.name) }
