package nested

import (
	"bytes"
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
	keys mapKeys
}

// Append is AppendJSON.
func (l *JSON) Append(dst []byte, v *vector.Vector, row int) ([]byte, error) {
	l.left, l.err = lookEvery, nil
	dst = appendJSON(dst, v, row, l)
	return dst, l.err
}

// touchedTexts is how many texts of a list are read together: those of a group lie apart.
const touchedTexts = 64

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
		return appendInt64JSON(dst, &v.Type, v.I64[row])
	case vector.StoreUint64:
		return strconv.AppendUint(dst, v.U64[row], 10)
	case vector.StoreInt128:
		if v.Type.Kind == vector.Decimal {
			return vector.AppendDecimal128(dst, v.I128[row], v.Type.Scale)
		}
		days, nanos := vector.SplitWide(v.I128[row])
		return appendTimestampJSON(dst, &v.Type, days, nanos)
	case vector.StoreFloat32:
		return vector.AppendFloatJSON(dst, float64(v.F32[row]), 32)
	case vector.StoreFloat64:
		return vector.AppendFloatJSON(dst, v.F64[row], 64)
	case vector.StoreString:
		return appendStringJSON(dst, &v.Type, v.Str[row])
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
		from, to, child := v.Offsets[row], v.Offsets[row+1], v.Children[0]
		touches := to-from >= touchedTexts && child.Form == vector.Flat && child.Type.Storage() == vector.StoreString
		for i := from; i < to && l.goesOn(dst); i++ {
			if touches && (i-from)%touchedTexts == 0 {
				vector.Touch(child.Str[i:min(i+touchedTexts, to)])
			}
			if i > from {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, child, int(i), l)
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
	for i := range v.Type.Fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		if named {
			dst = append(vector.AppendQuoted(dst, v.Type.Fields[i].Name), ':')
		}
		dst = appendJSON(dst, v.Children[i], row, l)
	}
	return append(dst, brackets[1])
}

// appendMapJSON appends a MAP as an object. Of entries whose keys have the same
// text it keeps the last one.
func appendMapJSON(dst []byte, v *vector.Vector, row int, l *JSON) []byte {
	if plainKeys(v, row) {
		return appendPlainMap(dst, v, row, l)
	}
	k := &mapKeys{}
	if l != nil {
		k = &l.keys
	}
	outer := k.begin()
	from, to := int(v.Offsets[row]), int(v.Offsets[row+1])
	for i := from; i < to && l.goesOn(dst); i++ {
		k.text = appendKey(k.text, v.Children[0], i)
		k.ends = append(k.ends, len(k.text))
	}
	dst = append(dst, '{')
	k.findLast(dst, l)
	n, first := k.len(), true
	for i := range n {
		if !l.goesOn(dst) {
			break
		}
		if !k.isLast(i) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(dst, k.key(i)...), ':')
		if len(v.Children) < 2 {
			dst = append(dst, "null"...)
			continue
		}
		dst = appendJSON(dst, v.Children[1], from+i, l)
	}
	k.end(outer)
	return append(dst, '}')
}

// fewKeys is up to how many keys are compared with each other.
const fewKeys = 8

// plainKeys reports whether a MAP has few keys, different texts that stand as they are between quotes.
func plainKeys(v *vector.Vector, row int) bool {
	from, to := int(v.Offsets[row]), int(v.Offsets[row+1])
	if to-from > fewKeys || len(v.Children) < 2 || v.Children[0].Type.Kind != vector.Varchar || v.Children[0].MayHaveNulls() {
		return false
	}
	for i := from; i < to; i++ {
		key := textKey(v, i)
		if vector.PlainText(key) != len(key) {
			return false
		}
		for k := from; k < i; k++ {
			if textKey(v, k) == key {
				return false
			}
		}
	}
	return true
}

// textKey is the i-th key of a vector of MAPs with texts as keys.
func textKey(v *vector.Vector, i int) string {
	keys := v.Children[0]
	switch keys.Form {
	case vector.Constant:
		i = 0
	case vector.Dictionary:
		i, keys = int(keys.Codes[i]), keys.Dict
	}
	return keys.Str[i]
}

// appendPlainMap is appendMapJSON of one with plainKeys.
func appendPlainMap(dst []byte, v *vector.Vector, row int, l *JSON) []byte {
	dst = append(dst, '{')
	from, to := int(v.Offsets[row]), int(v.Offsets[row+1])
	for i := from; i < to && l.goesOn(dst); i++ {
		if i > from {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), textKey(v, i)...), '"', ':')
		dst = appendJSON(dst, v.Children[1], i, l)
	}
	return append(dst, '}')
}

// mapKeys are the texts of the keys of a MAP, behind those of the MAPs that it is a value of.
type mapKeys struct {
	text  []byte
	ends  []int // of the keys
	begun begunKeys
}

// begunKeys is what mapKeys have of one MAP.
type begunKeys struct {
	text, ends int            // where its keys begin
	last       map[string]int // of large ones: the last entry of each key
}

// begin begins a MAP. It returns the one around it, for end.
func (k *mapKeys) begin() (outer begunKeys) {
	outer, k.begun = k.begun, begunKeys{text: len(k.text), ends: len(k.ends)}
	return outer
}

// keptKeys is the size up to which the memory of keys is kept for the next MAP.
const keptKeys = 1 << 20

// end ends a MAP. The memory of a large one does not stay.
func (k *mapKeys) end(outer begunKeys) {
	k.text, k.ends = k.text[:k.begun.text], k.ends[:k.begun.ends]
	if len(k.ends) == 0 && cap(k.text)+8*cap(k.ends) > keptKeys {
		k.text, k.ends = nil, nil
	}
	k.begun = outer
}

func (k *mapKeys) len() int { return len(k.ends) - k.begun.ends }

func (k *mapKeys) key(i int) []byte {
	from, ends := k.begun.text, k.ends[k.begun.ends:]
	if i > 0 {
		from = ends[i-1]
	}
	return k.text[from:ends[i]]
}

// findLast prepares isLast, which searches small maps, as most are, and has an index of large ones.
func (k *mapKeys) findLast(dst []byte, l *JSON) {
	if k.len() <= 16 {
		return
	}
	k.begun.last = map[string]int{} // which grows while l goes on
	for i := 0; i < k.len() && l.goesOn(dst); i++ {
		k.begun.last[string(k.key(i))] = i
	}
}

// isLast reports whether no later key is equal to the i-th.
func (k *mapKeys) isLast(i int) bool {
	key := k.key(i)
	if k.begun.last != nil {
		return k.begun.last[string(key)] == i
	}
	for later := i + 1; later < k.len(); later++ {
		if bytes.Equal(k.key(later), key) {
			return false
		}
	}
	return true
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

func appendInt64JSON(dst []byte, t *vector.Type, v int64) []byte {
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

func appendTimestampJSON(dst []byte, t *vector.Type, days, nanos int64) []byte {
	dst = vector.AppendTimestamp(append(dst, '"'), days, nanos, 'T')
	if t.Kind == vector.TimestampTZ {
		dst = append(dst, 'Z')
	}
	return append(dst, '"')
}

func appendStringJSON(dst []byte, t *vector.Type, s string) []byte {
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
