package variant

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/vector"
)

// TextWriter writes Variants as JSON text, by the rules of docs/contract.md for values
// within LIST, MAP and groups: exact numbers with all their digits, floats in
// shortest form, dates and times as strings, binary as base64. Fields are in the
// order of their names. The Variant null is null. It is for one goroutine.
type TextWriter struct {
	known dictionaries
	text  jsonText
}

// Append appends the text of v. It is an error if v would not pass Check, or if its
// text is too long.
func (w *TextWriter) Append(dst []byte, v *Value) ([]byte, error) {
	names, err := w.known.checked(v.names.bytes)
	if err != nil {
		return dst, err
	}
	w.text.start(dst, names)
	_, err = w.text.raw(v.data, MaxDepth)
	return w.text.take(), err
}

// AppendJSON appends v, which has passed Check, as TextWriter does, which is faster for
// many values. What is damaged is null.
func (v *Value) AppendJSON(dst []byte) []byte {
	var w TextWriter
	out, err := w.Append(dst, v)
	if err != nil {
		return append(out[:len(dst)], "null"...)
	}
	return out
}

// jsonText writes Variant-encoded values as JSON text and checks them on the way, as
// raw.check does: so that each is read only once.
type jsonText struct {
	dst   []byte
	names *dictionary // valid
	named int         // bytes of names in the value
}

func (t *jsonText) start(dst []byte, names *dictionary) {
	names.prepare()
	t.dst, t.names, t.named = dst, names, 0
}

// take is the text so far. It is the caller's.
func (t *jsonText) take() []byte {
	dst := t.dst
	t.dst = nil
	return dst
}

// raw writes the value that d begins with, and is its size.
func (t *jsonText) raw(d raw, depth int) (size int, err error) {
	if d == "" {
		return 0, errShort
	}
	switch header := d[0]; header & 3 {
	case basicObject:
		return t.object(d, depth)
	case basicArray:
		return t.array(d, depth)
	case basicShortString:
		if size = 1 + int(header>>2); size > len(d) {
			return 0, errShort
		}
		return size, t.string(string(d[1:size]))
	}
	if size, err = d.size(); err != nil {
		return 0, err
	}
	return size, t.primitive(d[:size])
}

// primitive writes a primitive value, whose size has been checked.
func (t *jsonText) primitive(d raw) error {
	switch k := Kind(d[0] >> 2); k {
	case String:
		return t.string(string(d[5:]))
	case Int8, Int16, Int32, Int64:
		t.dst = strconv.AppendInt(t.dst, d.int64(k), 10)
		return nil
	case Double:
		t.dst = vector.AppendFloatJSON(t.dst, d.double(), 64)
		return nil
	case True, False:
		t.dst = strconv.AppendBool(t.dst, k == True)
		return nil
	}
	s, _, err := d.scalar()
	if err == nil {
		t.dst = appendScalar(t.dst, &s)
	}
	return err
}

// string writes a string.
func (t *jsonText) string(s string) error {
	var ok bool
	if t.dst, ok = appendText(t.dst, s); !ok {
		return errEncoding(s)
	}
	return nil
}

func errEncoding(s string) error { return fmt.Errorf("a string of a Variant is not UTF-8: %.100q", s) }

// appendText appends a JSON string; it is false if s is not UTF-8.
func appendText(dst []byte, s string) ([]byte, bool) {
	n := vector.PlainText(s)
	if n == len(s) {
		return append(append(append(dst, '"'), s...), '"'), true
	}
	if !utf8.ValidString(s[n:]) {
		return dst, false
	}
	return vector.AppendQuoted(dst, s), true
}

func (t *jsonText) array(d raw, depth int) (int, error) {
	var c container
	if err := d.open(&c, depth); err != nil {
		return 0, err
	}
	t.dst = append(t.dst, '[')
	used := uint64(0)
	for i := range c.count {
		if i > 0 {
			t.dst = append(t.dst, ',')
		}
		start := loadUint(d, c.offsets+int(i)*int(c.offsetWidth), c.offsetWidth)
		if start >= c.total {
			return 0, errBehind(i)
		}
		size, err := t.raw(d[c.values+int(start):c.values+int(c.total)], depth-1)
		if err != nil {
			return 0, err
		}
		if used += uint64(size); used > uint64(c.total) {
			return 0, errShared
		}
	}
	t.dst = append(t.dst, ']')
	return c.values + int(c.total), nil
}

func (t *jsonText) object(d raw, depth int) (int, error) {
	var c container
	if err := d.open(&c, depth); err != nil {
		return 0, err
	}
	t.dst = append(t.dst, '{')
	order, used := newAscending(t.names), uint64(0)
	for i := range c.count {
		id := loadUint(d, c.ids+int(i)*int(c.idWidth), c.idWidth)
		if err := order.next(id); err != nil {
			return 0, err
		}
		if err := t.name(id, i == 0); err != nil {
			return 0, err
		}
		start := loadUint(d, c.offsets+int(i)*int(c.offsetWidth), c.offsetWidth)
		if start >= c.total {
			return 0, errBehind(i)
		}
		size, err := t.raw(d[c.values+int(start):c.values+int(c.total)], depth-1)
		if err != nil {
			return 0, err
		}
		if used += uint64(size); used > uint64(c.total) {
			return 0, errShared
		}
	}
	t.dst = append(t.dst, '}')
	return c.values + int(c.total), nil
}

// name writes the name of the next value, with a comma before all but the first.
func (t *jsonText) name(id uint32, first bool) error {
	if p := t.names.prepared; p != nil {
		return t.prepared(p[id].text, first)
	}
	name, _ := t.names.name(id)
	start := len(t.dst)
	if !first {
		t.dst = append(t.dst, ',')
	}
	t.dst = append(vector.AppendQuoted(t.dst, name), ':')
	return t.count(len(t.dst) - start)
}

// prepared writes a name whose text is known.
func (t *jsonText) prepared(text string, first bool) error {
	if first {
		text = text[1:]
	}
	t.dst = append(t.dst, text...)
	return t.count(len(text))
}

// count counts a name of n bytes.
func (t *jsonText) count(n int) error {
	if t.named += n; t.named > maxNamed {
		return errNamed
	}
	return nil
}

// appendScalar appends a value of one of the natural types.
func appendScalar(dst []byte, s *vector.Scalar) []byte {
	if s.Null {
		return append(dst, "null"...)
	}
	t := s.Type
	switch t.Kind {
	case vector.Varchar:
		return vector.AppendQuoted(dst, s.Str)
	case vector.Date:
		return append(vector.AppendDate(append(dst, '"'), s.I64), '"')
	case vector.Time:
		return append(vector.AppendTime(append(dst, '"'), s.I64, t.Unit), '"')
	case vector.Timestamp, vector.TimestampTZ:
		days, nanos := vector.SplitTimestamp(s.I64, t.Unit)
		dst = vector.AppendTimestamp(append(dst, '"'), days, nanos, 'T')
		if t.Kind == vector.TimestampTZ {
			dst = append(dst, 'Z')
		}
		return append(dst, '"')
	case vector.UUID:
		return append(vector.AppendUUID(append(dst, '"'), s.Str), '"')
	case vector.Blob:
		return append(base64.StdEncoding.AppendEncode(append(dst, '"'), []byte(s.Str)), '"')
	}
	return appendNumber(dst, s)
}

// appendNumber appends a BOOLEAN or number as JSON text.
func appendNumber(dst []byte, s *vector.Scalar) []byte {
	switch t := s.Type; {
	case t.Kind == vector.Boolean:
		return strconv.AppendBool(dst, s.Bool)
	case t.Kind == vector.Double:
		return vector.AppendFloatJSON(dst, s.F64, 64)
	case t.Kind == vector.Float:
		return vector.AppendFloatJSON(dst, float64(s.F32), 32)
	case t.Storage() == vector.StoreInt128:
		return vector.AppendDecimal128(dst, s.I128, t.Scale)
	case t.Kind == vector.Decimal:
		return vector.AppendDecimal64(dst, s.I64, t.Scale)
	}
	return strconv.AppendInt(dst, s.I64, 10)
}
