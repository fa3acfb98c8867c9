package variant

import (
	"encoding/base64"
	"strconv"

	"github.com/parquetsql/parquetsql/vector"
)

// AppendJSON appends v as JSON text, by the rules of docs/contract.md for values
// within LIST, MAP and groups: exact numbers with all their digits, floats in
// shortest form, dates and times as strings, binary as base64. Fields are in the
// order of their names. The Variant null is null. v has passed Check; else what is
// damaged is null, too.
func (v *Value) AppendJSON(dst []byte) []byte { return v.data.appendJSON(dst, &v.names) }

func (d raw) appendJSON(dst []byte, names *Metadata) []byte {
	k := d.kind()
	if k == Object || k == Array {
		return d.appendContainer(dst, names)
	}
	size, err := d.size()
	if err != nil {
		return append(dst, "null"...)
	}
	switch d = d[:size]; k {
	case shortString:
		return vector.AppendQuoted(dst, string(d[1:]))
	case String:
		return vector.AppendQuoted(dst, string(d[5:]))
	case Int8, Int16, Int32, Int64:
		return strconv.AppendInt(dst, d.int64(k), 10)
	case Double:
		return vector.AppendFloatJSON(dst, d.double(), 64)
	case True, False:
		return strconv.AppendBool(dst, k == True)
	case Decimal4, Decimal8:
		if unscaled, scale, err := d.decimal(); err == nil {
			return vector.AppendDecimal64(dst, unscaled.Int64(), scale)
		}
	}
	s, _, err := d.scalar()
	if err != nil {
		return append(dst, "null"...)
	}
	return appendScalar(dst, &s)
}

func (d raw) appendContainer(dst []byte, names *Metadata) []byte {
	c, err := d.container()
	if err != nil {
		return append(dst, "null"...)
	}
	opening, closing := byte('['), byte(']')
	if c.idWidth != 0 {
		opening, closing = '{', '}'
	}
	dst = append(dst, opening)
	for i := range c.count {
		name, e, err := d.entry(names, &c, i)
		if i > 0 {
			dst = append(dst, ',')
		}
		if c.idWidth != 0 {
			dst = append(vector.AppendQuoted(dst, name), ':')
		}
		if err != nil {
			dst = append(dst, "null"...)
			continue
		}
		dst = e.appendJSON(dst, names)
	}
	return append(dst, closing)
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
