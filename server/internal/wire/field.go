package wire

import (
	"encoding/binary"
	"time"

	"github.com/parquetsql/parquetsql"
)

// Field appends the values of a column, each behind its length. Those of the commonest types in
// binary, and texts, need no call for each.
type Field struct {
	value  Appender
	form   form
	null   []bool
	values any

	ints    []int64
	floats  []float64
	bools   []bool
	moments []time.Time
	texts   []string
}

// form is how a field's values stand in its batch and in the message.
type form uint8

const (
	anyForm form = iota // as its Appender says
	int2Form
	int4Form
	int8Form
	float8Form
	boolForm
	momentForm
	textForm
)

// Field is that of a format: 0 is text, 1 binary.
func (t Type) Field(format int16, s Style) Field {
	f := Field{value: t.Appender(format, s)}
	if format == 1 {
		f.form = binaryForms[t.OID]
	}
	return f
}

var binaryForms = map[uint32]form{
	Int2: int2Form, Int4: int4Form, Int8: int8Form, Float8: float8Form, Bool: boolForm, Timestamp: momentForm, TimestampTZ: momentForm,
	Text: textForm, Varchar: textForm,
}

// Begin has the field append the values of another batch.
func (f *Field) Begin(c *parquetsql.BatchColumn) {
	f.null, f.values = c.Null, c.Values
	f.ints, _ = c.Values.([]int64)
	f.floats, _ = c.Values.([]float64)
	f.bools, _ = c.Values.([]bool)
	f.moments, _ = c.Values.([]time.Time)
	f.texts, _ = c.Values.([]string)
}

// Null reports whether row i is NULL.
func (f *Field) Null(i int) bool { return f.null != nil && f.null[i] }

// Value appends the value of row i, which is not NULL, without its length.
func (f *Field) Value(dst []byte, i int) ([]byte, error) { return f.value(dst, f.values, i) }

// Append appends the value of row i behind its length in four bytes, which is -1 for NULL.
func (f *Field) Append(dst []byte, i int) ([]byte, error) {
	if f.Null(i) {
		return append(dst, 0xff, 0xff, 0xff, 0xff), nil
	}
	switch f.form {
	case int2Form:
		return binary.BigEndian.AppendUint16(append(dst, 0, 0, 0, 2), uint16(f.ints[i])), nil
	case int4Form:
		return binary.BigEndian.AppendUint32(append(dst, 0, 0, 0, 4), uint32(f.ints[i])), nil
	case int8Form:
		return binary.BigEndian.AppendUint64(append(dst, 0, 0, 0, 8), uint64(f.ints[i])), nil
	case float8Form:
		return binary.BigEndian.AppendUint64(append(dst, 0, 0, 0, 8), floatBits(f.floats[i])), nil
	case boolForm:
		if f.bools[i] {
			return append(dst, 0, 0, 0, 1, 1), nil
		}
		return append(dst, 0, 0, 0, 1, 0), nil
	case momentForm:
		return appendMoment(append(dst, 0, 0, 0, 8), f.moments[i])
	case textForm:
		text := f.texts[i]
		if len(text) > maxField {
			return dst, errTooLong
		}
		return append(binary.BigEndian.AppendUint32(dst, uint32(len(text))), text...), nil
	}
	return AppendField(dst, false, f.value, f.values, i)
}
