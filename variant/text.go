package variant

import (
	"cmp"
	"strconv"
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
	l.text.dst = dst
	err := l.write(&l.root, src, row)
	dst, l.text.dst = l.text.dst, nil
	return dst, err
}

// write appends the JSON text of the value of a node, which is present in a row of v, to
// l.text. The names are those of l.names.
func (l *Layout) write(n *node, v *vector.Vector, row int) error {
	l.text.objects, l.text.err = l.text.objects[:0], nil
	err := n.walk(&l.names, v, row, &l.text)
	return cmp.Or(err, l.text.err)
}

// texts are the JSON texts of some rows, in l.text one after the other.
type texts struct {
	rows []int32
	ends []int
}

// begin forgets the texts so far.
func (t *texts) begin(l *Layout) { t.rows, t.ends, l.text.dst = t.rows[:0], t.ends[:0], l.text.dst[:0] }

// add is the text of a node as the next one.
func (t *texts) add(l *Layout, row int, v *vector.Vector, at int, n *node) error {
	if err := l.write(n, v, at); err != nil {
		return err
	}
	t.rows, t.ends = append(t.rows, int32(row)), append(t.ends, len(l.text.dst))
	return nil
}

// vector is the texts in their rows of n; nil if there are none.
func (t *texts) vector(l *Layout, n int) *vector.Vector {
	if len(t.rows) == 0 {
		return nil
	}
	out := vector.New(vector.Of(vector.Varchar), n)
	if len(t.rows) < n {
		out.Valid = make(vector.Validity, (n+63)/64)
	}
	all, from := string(l.text.dst), 0
	for i, row := range t.rows {
		out.Str[row] = all[from:t.ends[i]]
		from = t.ends[i]
		if out.Valid != nil {
			out.Valid.Set(int(row))
		}
	}
	return out
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
	var err error
	t.dst, err = AppendShredded(t.dst, v, row)
	t.err = cmp.Or(t.err, err)
}

// AppendShredded appends the JSON text of the value in a row of a shredded column.
func AppendShredded(dst []byte, v *vector.Vector, row int) ([]byte, error) {
	switch v, row = stored(v, row); v.Type.Kind {
	case vector.Varchar:
		if !utf8.ValidString(v.Str[row]) {
			return dst, errText(v.Str[row])
		}
		return vector.AppendQuoted(dst, v.Str[row]), nil
	case vector.BigInt, vector.Integer:
		return strconv.AppendInt(dst, v.I64[row], 10), nil
	case vector.Double:
		return vector.AppendFloatJSON(dst, v.F64[row], 64), nil
	}
	s := v.Get(row)
	return appendScalar(dst, &s), nil
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
