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
	w.text.start(names)
	dst, _, err = w.text.raw(dst, v.data, MaxDepth)
	return dst, err
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
// raw.check does: so that each is read only once. The text is handed on from call to call
// and not kept here: a pointer in the heap costs the collector at each change.
type jsonText struct {
	names *dictionary // valid
	named int         // bytes of names in the value
}

func (t *jsonText) start(names *dictionary) {
	names.prepare()
	t.names, t.named = names, 0
}

// raw writes the value that d begins with, and is its size.
func (t *jsonText) raw(dst []byte, d raw, depth int) (out []byte, size int, err error) {
	if d == "" {
		return dst, 0, errShort
	}
	switch header := d[0]; header & 3 {
	case basicObject:
		return t.object(dst, d, depth)
	case basicArray:
		return t.array(dst, d, depth)
	case basicShortString:
		if size = 1 + int(header>>2); size > len(d) {
			return dst, 0, errShort
		}
		dst, err = appendString(dst, string(d[1:size]))
		return dst, size, err
	}
	if size, err = d.size(); err == nil {
		dst, err = appendPrimitive(dst, d[:size])
	}
	return dst, size, err
}

// appendPrimitive writes a primitive value, whose size has been checked.
func appendPrimitive(dst []byte, d raw) ([]byte, error) {
	switch k := Kind(d[0] >> 2); k {
	case String:
		return appendString(dst, string(d[5:]))
	case Int8, Int16, Int32, Int64:
		return strconv.AppendInt(dst, d.int64(k), 10), nil
	case Double:
		return vector.AppendFloatJSON(dst, d.double(), 64), nil
	case True, False:
		return strconv.AppendBool(dst, k == True), nil
	}
	s, _, err := d.scalar()
	if err == nil {
		dst = appendScalar(dst, &s)
	}
	return dst, err
}

// appendString writes a string of a Variant.
func appendString(dst []byte, s string) ([]byte, error) {
	dst, ok := appendText(dst, s)
	if !ok {
		return dst, errEncoding(s)
	}
	return dst, nil
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

func (t *jsonText) array(dst []byte, d raw, depth int) ([]byte, int, error) {
	var c container
	if err := d.open(&c, depth); err != nil {
		return dst, 0, err
	}
	dst = append(dst, '[')
	used := uint64(0)
	for i := range c.count {
		if i > 0 {
			dst = append(dst, ',')
		}
		start := loadUint(d, c.offsets+int(i)*int(c.offsetWidth), c.offsetWidth)
		if start >= c.total {
			return dst, 0, errBehind(i)
		}
		var size int
		var err error
		if dst, size, err = t.raw(dst, d[c.values+int(start):c.values+int(c.total)], depth-1); err != nil {
			return dst, 0, err
		}
		if used += uint64(size); used > uint64(c.total) {
			return dst, 0, errShared
		}
	}
	dst = append(dst, ']')
	return dst, c.values + int(c.total), nil
}

func (t *jsonText) object(dst []byte, d raw, depth int) ([]byte, int, error) {
	var c container
	if err := d.open(&c, depth); err != nil {
		return dst, 0, err
	}
	dst = append(dst, '{')
	order, used := newAscending(t.names), uint64(0)
	for i := range c.count {
		id := loadUint(d, c.ids+int(i)*int(c.idWidth), c.idWidth)
		if err := order.next(id); err != nil {
			return dst, 0, err
		}
		var size int
		var err error
		if dst, err = t.name(dst, id, i == 0); err != nil {
			return dst, 0, err
		}
		start := loadUint(d, c.offsets+int(i)*int(c.offsetWidth), c.offsetWidth)
		if start >= c.total {
			return dst, 0, errBehind(i)
		}
		if dst, size, err = t.raw(dst, d[c.values+int(start):c.values+int(c.total)], depth-1); err != nil {
			return dst, 0, err
		}
		if used += uint64(size); used > uint64(c.total) {
			return dst, 0, errShared
		}
	}
	dst = append(dst, '}')
	return dst, c.values + int(c.total), nil
}

// name writes the name of the next value, with a comma before all but the first.
func (t *jsonText) name(dst []byte, id uint32, first bool) ([]byte, error) {
	if p := t.names.prepared; p != nil {
		return t.prepared(dst, p[id].text, first)
	}
	name, _ := t.names.name(id)
	start := len(dst)
	if !first {
		dst = append(dst, ',')
	}
	dst = append(vector.AppendQuoted(dst, name), ':')
	return dst, t.count(len(dst) - start)
}

// prepared writes a name whose text is known.
func (t *jsonText) prepared(dst []byte, text string, first bool) ([]byte, error) {
	if first {
		text = text[1:]
	}
	return append(dst, text...), t.count(len(text))
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
