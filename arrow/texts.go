package arrow

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal256"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/vector"
)

// fillStrings adds what the driver keeps as strings: texts, bytes, UUIDs and long decimals.
func (m *maker) fillStrings(p *parts, x *values, t arrow.DataType) error {
	switch t := t.(type) {
	case *arrow.FixedSizeBinaryType:
		dst := m.buffer(p, t.ByteWidth*x.n)
		clear(dst)
		for i := range x.n {
			if x.isNull(i) {
				continue
			}
			value := x.src.Str[x.place(i)]
			if len(value) != t.ByteWidth {
				return fmt.Errorf("a value of %d bytes stands where %d are expected", len(value), t.ByteWidth)
			}
			copy(dst[i*t.ByteWidth:], value)
		}
		return nil
	case *arrow.Decimal256Type:
		dst := arrow.Decimal256Traits.CastFromBytes(m.buffer(p, arrow.Decimal256SizeBytes*x.n))
		for i := range dst {
			if dst[i] = (decimal256.Num{}); x.isNull(i) {
				continue
			}
			value := vector.DecodeBigDecimal(x.src.Str[x.place(i)])
			if value.BitLen() > 255 {
				return fmt.Errorf("the unscaled value %s is beyond the 256 bits of %s: %w", value, t, parquetsql.ErrOutOfRange)
			}
			dst[i] = decimal256.FromBigInt(value)
		}
		return nil
	}
	return m.fillTexts(p, x, "")
}

// fillTexts adds texts behind their offsets. below stands below NULLs.
func (m *maker) fillTexts(p *parts, x *values, below string) error {
	total := 0
	offsets := arrow.Int32Traits.CastFromBytes(m.buffer(p, 4*(x.n+1)))
	offsets[0] = 0
	for i := range x.n {
		if total += len(x.text(i, below)); total > math.MaxInt32 {
			return errTooLong
		}
		offsets[i+1] = int32(total)
	}
	dst := m.buffer(p, total)
	for i := range x.n {
		copy(dst[offsets[i]:], x.text(i, below))
	}
	return nil
}

// text is the text of a row.
func (x *values) text(i int, below string) string {
	if x.isNull(i) {
		return below
	}
	return x.src.Str[x.place(i)]
}

// dictionary is the texts of a dictionary that batches have had.
type dictionary struct {
	of   *vector.Vector // another pointer is another dictionary; nil: of one batch alone
	data *array.Data
}

// has tells that it has these texts. A pointer does not say so: functions write what they make of a
// dictionary to the place of the one before.
func (d *dictionary) has(texts []string) bool {
	if d.data.Len() != len(texts) {
		return false
	}
	if len(texts) == 0 {
		return true // there are no bytes
	}
	offsets, bytes := arrow.Int32Traits.CastFromBytes(d.data.Buffers()[1].Bytes()), d.data.Buffers()[2].Bytes()
	for i, text := range texts {
		if string(bytes[offsets[i]:offsets[i+1]]) != text {
			return false
		}
	}
	return true
}

func (d *dictionary) release() {
	if d != nil {
		d.data.Release()
	}
}

// encoded is a column of texts as codes of a dictionary.
func (m *maker) encoded(column int, v *vector.Vector, rows []int32, n int, f arrow.Field, t *arrow.DictionaryType) (*array.Data, error) {
	x := valuesOf(v, rows, n)
	var p parts
	defer p.release()
	if err := m.validity(&p, &x, f); err != nil {
		return nil, err
	}
	codes := arrow.Int32Traits.CastFromBytes(m.buffer(&p, 4*n))
	known := m.dictionaries[column]
	if v.Form != vector.Dictionary || x.nulls == n || known == nil || known.of != v.Dict || !known.has(v.Dict.Str[:v.Dict.Len]) {
		var of *vector.Vector
		texts := vector.Vector{Type: vector.Of(vector.Varchar)}
		if v.Form == vector.Dictionary && x.nulls < n {
			of, texts.Str = v.Dict, v.Dict.Str[:v.Dict.Len]
		} else {
			texts.Str = x.distinct(codes)
		}
		texts.Len = len(texts.Str)
		data, err := m.data(&texts, nil, texts.Len, arrow.Field{Type: t.ValueType, Nullable: true})
		if err != nil {
			return nil, err
		}
		known.release()
		known = &dictionary{of: of, data: data}
		m.dictionaries[column] = known
	}
	if known.of != nil {
		for i := range codes {
			if codes[i] = 0; !x.isNull(i) {
				codes[i] = x.places[i]
			}
		}
	}
	return array.NewDataWithDictionary(f.Type, n, p.buffers, x.nulls, 0, known.data), nil
}

// distinct is the different texts, and sets their codes.
func (x *values) distinct(codes []int32) (texts []string) {
	known := map[string]int32{}
	for i := range codes {
		if codes[i] = 0; x.isNull(i) {
			continue
		}
		text := x.src.Str[x.place(i)]
		code, ok := known[text]
		if !ok {
			code = int32(len(texts))
			known[text] = code
			texts = append(texts, text)
		}
		codes[i] = code
	}
	return texts
}
