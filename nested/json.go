package nested

import (
	"encoding/base64"
	"strconv"

	"github.com/parquetsql/parquetsql/vector"
)

// AppendJSON appends the value of a row as JSON text. It recurses as deep as the
// type, whose depth the schema bounds.
func AppendJSON(dst []byte, v *vector.Vector, row int) []byte { return appendJSON(dst, v, row, nil) }

// JSON writes values as JSON text; long ones can be ended on the way.
type JSON struct {
	// More is called now and then with the text so far; its error ends the value.
	More func(text []byte) error
	left int // elements until More is called
	err  error
}

// Append is AppendJSON.
func (l *JSON) Append(dst []byte, v *vector.Vector, row int) ([]byte, error) {
	l.left, l.err = lookEvery, nil
	dst = appendJSON(dst, v, row, l)
	return dst, l.err
}

// lookEvery is how many elements are written between two calls of More.
const lookEvery = 1 << 10

// goesOn is called before each element.
func (l *JSON) goesOn(text []byte) bool {
	if l == nil {
		return true
	}
	if l.left--; l.left < 0 && l.err == nil {
		l.left, l.err = lookEvery, l.More(text)
	}
	return l.err == nil
}

func appendJSON(dst []byte, v *vector.Vector, row int, l *JSON) []byte {
	if v.IsNull(row) {
		return append(dst, "null"...)
	}
	switch v.Form {
	case vector.Constant:
		row = 0
	case vector.Dictionary:
		row, v = int(v.Codes[row]), v.Dict
	}
	switch v.Type.Storage() {
	case vector.StoreBool:
		return strconv.AppendBool(dst, v.Bool[row])
	case vector.StoreInt64:
		return appendInt64JSON(dst, v.Type, v.I64[row])
	case vector.StoreUint64:
		return strconv.AppendUint(dst, v.U64[row], 10)
	case vector.StoreInt128:
		if v.Type.Kind == vector.Decimal {
			return vector.AppendDecimal128(dst, v.I128[row], v.Type.Scale)
		}
		days, nanos := vector.SplitWide(v.I128[row])
		return appendTimestampJSON(dst, v.Type, days, nanos)
	case vector.StoreFloat32:
		return vector.AppendFloatJSON(dst, float64(v.F32[row]), 32)
	case vector.StoreFloat64:
		return vector.AppendFloatJSON(dst, v.F64[row], 64)
	case vector.StoreString:
		return appendStringJSON(dst, v.Type, v.Str[row])
	case vector.StoreInterval:
		return append(vector.AppendInterval(append(dst, '"'), v.Interval[row]), '"')
	case vector.StoreNested:
		return appendNestedJSON(dst, v, row, l)
	}
	return append(dst, "null"...)
}

func appendNestedJSON(dst []byte, v *vector.Vector, row int, l *JSON) []byte {
	switch v.Type.Kind {
	case vector.List:
		dst = append(dst, '[')
		from, to := v.Offsets[row], v.Offsets[row+1]
		for i := from; i < to && l.goesOn(dst); i++ {
			if i > from {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, v.Children[0], int(i), l)
		}
		return append(dst, ']')
	case vector.Map:
		return appendMapJSON(dst, v, row, l)
	}
	return appendStructJSON(dst, v, row, l)
}

// appendStructJSON appends a STRUCT as an object, one without names as an array.
func appendStructJSON(dst []byte, v *vector.Vector, row int, l *JSON) []byte {
	named := len(v.Type.Fields) == 0 || v.Type.Fields[0].Name != ""
	brackets := "[]"
	if named {
		brackets = "{}"
	}
	dst = append(dst, brackets[0])
	for i, f := range v.Type.Fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		if named {
			dst = append(vector.AppendQuoted(dst, f.Name), ':')
		}
		dst = appendJSON(dst, v.Children[i], row, l)
	}
	return append(dst, brackets[1])
}

// appendMapJSON appends a MAP as an object. Of entries whose keys have the same
// text it keeps the last one.
func appendMapJSON(dst []byte, v *vector.Vector, row int, l *JSON) []byte {
	from, to := int(v.Offsets[row]), int(v.Offsets[row+1])
	var room [512]byte
	keys, ends := room[:0], make([]int, 1, 17)
	for i := from; i < to && l.goesOn(dst); i++ {
		keys = appendKey(keys, v.Children[0], i)
		ends = append(ends, len(keys))
	}
	last := lastOf(keys, ends)
	dst = append(dst, '{')
	first := true
	for i := range len(ends) - 1 {
		if !l.goesOn(dst) {
			break
		}
		key := keys[ends[i]:ends[i+1]]
		if !last(i) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(dst, key...), ':')
		if len(v.Children) < 2 {
			dst = append(dst, "null"...)
			continue
		}
		dst = appendJSON(dst, v.Children[1], from+i, l)
	}
	return append(dst, '}')
}

// lastOf returns a function that reports whether no later key is equal to the
// i-th. It searches small maps, as most are, and builds an index for large ones.
func lastOf(keys []byte, ends []int) func(i int) bool {
	n := len(ends) - 1
	key := func(i int) string { return string(keys[ends[i]:ends[i+1]]) }
	if n <= 16 {
		return func(i int) bool {
			for j := i + 1; j < n; j++ {
				if string(keys[ends[i]:ends[i+1]]) == string(keys[ends[j]:ends[j+1]]) {
					return false
				}
			}
			return true
		}
	}
	index := make(map[string]int, n)
	for i := range n {
		index[key(i)] = i
	}
	return func(i int) bool { return index[string(keys[ends[i]:ends[i+1]])] == i }
}

// appendKey appends the key of a MAP as the key of an object. A key that is not a
// string becomes its JSON text within quotes.
func appendKey(dst []byte, v *vector.Vector, row int) []byte {
	start := len(dst)
	dst = AppendJSON(dst, v, row)
	if dst[start] == '"' {
		return dst
	}
	return vector.AppendQuoted(dst[:start], string(dst[start:]))
}

func appendInt64JSON(dst []byte, t vector.Type, v int64) []byte {
	switch t.Kind {
	case vector.Decimal:
		return vector.AppendDecimal64(dst, v, t.Scale)
	case vector.Date:
		return append(vector.AppendDate(append(dst, '"'), v), '"')
	case vector.Time:
		return append(vector.AppendTime(append(dst, '"'), v, t.Unit), '"')
	case vector.Timestamp, vector.TimestampTZ:
		days, nanos := vector.SplitTimestamp(v, t.Unit)
		return appendTimestampJSON(dst, t, days, nanos)
	}
	return strconv.AppendInt(dst, v, 10)
}

func appendTimestampJSON(dst []byte, t vector.Type, days, nanos int64) []byte {
	dst = vector.AppendTimestamp(append(dst, '"'), days, nanos, 'T')
	if t.Kind == vector.TimestampTZ {
		dst = append(dst, 'Z')
	}
	return append(dst, '"')
}

func appendStringJSON(dst []byte, t vector.Type, s string) []byte {
	switch t.Kind {
	case vector.Decimal:
		return vector.AppendDecimalBig(dst, vector.DecodeBigDecimal(s), t.Scale)
	case vector.UUID:
		return append(vector.AppendUUID(append(dst, '"'), s), '"')
	case vector.Blob, vector.Geometry, vector.Geography:
		return append(base64.StdEncoding.AppendEncode(append(dst, '"'), []byte(s)), '"')
	case vector.BSON:
		text, err := AppendBSON(nil, s)
		if err != nil { // cannot happen: readers have checked it
			return append(dst, "null"...)
		}
		return vector.AppendQuoted(dst, string(text))
	case vector.Rendered:
		return append(dst, s...)
	}
	return vector.AppendQuoted(dst, s)
}
