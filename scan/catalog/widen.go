package catalog

import (
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// widenAll returns the type that holds the values of all types; false if there is none.
// It does not depend on their order, but for the order of a STRUCT's fields, which is that of their
// first appearance. Nested types are united child by child, each child at once for all types.
func widenAll(types []vector.Type) (vector.Type, bool) {
	if len(types) == 1 {
		return types[0], true
	}
	known := slices.DeleteFunc(slices.Clone(types), func(t vector.Type) bool { return t.Kind == vector.Null })
	switch {
	case len(known) == 0:
		return vector.Of(vector.Null), true
	case !slices.ContainsFunc(known, func(t vector.Type) bool { return !t.Equal(known[0]) }):
		return known[0], true
	case slices.ContainsFunc(known, vector.Type.IsNested):
		return widenNested(known)
	}
	return widenScalars(known)
}

// widenScalars folds types that are not nested. Types that do not fit are tried again, because
// a later type may help: BLOB and DATE have no common type, but with VARCHAR all three
// are VARCHAR. Geometries go first, because they fit to a BLOB and not to the VARCHAR that a
// BLOB may become; then integers, which may become a wider integer before they become a DECIMAL.
func widenScalars(types []vector.Type) (vector.Type, bool) {
	rank := func(t vector.Type) int {
		switch {
		case t.IsGeospatial():
			return 0
		case t.IsInteger():
			return 1
		}
		return 2
	}
	slices.SortStableFunc(types, func(a, b vector.Type) int { return rank(a) - rank(b) })
	t, apart := types[0], types[1:]
	for before := -1; before != len(apart); {
		before = len(apart)
		apart = slices.DeleteFunc(apart, func(o vector.Type) bool {
			wider, ok := widen(t, o)
			if ok {
				t = wider
			}
			return ok
		})
	}
	return t, len(apart) == 0
}

// misfits are two of the types that have no common type, by index: the second is the one
// without which the others have one, if there is such a type.
func misfits(types []vector.Type) (a, b int) {
	const few = 64 // the time grows with the square of the number of types
	types = types[:min(len(types), few)]
	for b := len(types) - 1; b > 0; b-- {
		if _, ok := widenAll(slices.Delete(slices.Clone(types), b, b+1)); !ok {
			continue
		}
		for a := range b {
			if _, ok := widenAll([]vector.Type{types[a], types[b]}); !ok {
				return a, b
			}
		}
		return 0, b
	}
	return 0, min(1, len(types)-1)
}

// widen returns the type that holds all values of both types, which are not nested; false if
// there is none. It is symmetric. Nothing is lost except the last digits of 64-bit integers and
// of decimals that become DOUBLE. (That is allowed because pandas writes an integer column with a missing value
// as DOUBLE.)
func widen(a, b vector.Type) (vector.Type, bool) {
	if rankOf(a) > rankOf(b) {
		a, b = b, a
	}
	switch {
	case a.Equal(b):
		return a, true
	case a.Kind == vector.Boolean && b.IsInteger(), a.Kind == vector.Boolean && b.IsFloat():
		return b, true
	case a.IsInteger() && b.IsInteger():
		return widenIntegers(a, b), true
	case exact(a) && b.Kind == vector.Decimal:
		return widenDecimals(exactDecimal(a), b)
	case exact(a) && b.IsFloat(), a.Kind == vector.Double && b.IsFloat(), a.IsFloat() && b.Kind == vector.Double:
		return vector.Of(vector.Double), true
	case a.IsFloat() && b.IsFloat(): // HALF and FLOAT
		return vector.Of(vector.Float), true
	case a.Kind == vector.Date && b.IsTimestamp():
		return vector.TimestampType(widenUnits(vector.Millis, b.Unit), b.Kind == vector.TimestampTZ), true
	case a.Kind == vector.Time && b.Kind == vector.Time:
		return vector.TimeType(max(a.Unit, b.Unit)), true
	case a.IsTimestamp() && b.IsTimestamp():
		utc := a.Kind == vector.TimestampTZ || b.Kind == vector.TimestampTZ
		return vector.TimestampType(widenUnits(a.Unit, b.Unit), utc), true
	case isTextual(a) && isTextual(b):
		return vector.Of(vector.Varchar), true
	case hasText(a) && (b.Kind == vector.Varchar || b.Kind == vector.Enum):
		return vector.Of(vector.Varchar), true
	case hasText(a) && b.Kind == vector.JSON:
		return b, true
	case a.IsGeospatial() && a.Kind == b.Kind:
		return vector.CommonGeospatial(a, b)
	case a.Kind == vector.Blob && b.IsGeospatial():
		return vector.Of(vector.Blob), true // nothing says what the bytes of the BLOB mean
	}
	return vector.Type{}, false
}

// rankOf orders the two types of widen as their kinds, but DECIMAL before floats and UUID before
// texts.
func rankOf(t vector.Type) int {
	switch t.Kind {
	case vector.Decimal:
		return 2*int(vector.UBigInt) + 1
	case vector.UUID:
		return 2*int(vector.Interval) + 1
	}
	return 2 * int(t.Kind)
}

// hasText: the values have a text in a CAST to VARCHAR that says all of them.
func hasText(t vector.Type) bool {
	return t.Kind >= vector.Boolean && t.Kind <= vector.Interval || t.Kind == vector.UUID
}

// exact: BOOLEAN, integers and decimals are decimals.
func exact(t vector.Type) bool {
	return t.Kind == vector.Boolean || t.IsInteger() || t.Kind == vector.Decimal
}

// exactDecimal is the DECIMAL that holds the values of an exact type.
func exactDecimal(t vector.Type) vector.Type {
	switch {
	case t.Kind == vector.Boolean:
		return vector.DecimalType(1, 0)
	case t.IsInteger():
		bits := t.Bits()
		if !t.IsUnsigned() {
			bits-- // the sign
		}
		return vector.DecimalType(int(float64(bits)*math.Log10(2))+1, 0)
	}
	return t
}

// maxDigits bounds the decimals to whose scale others are brought: a file may claim two
// thousand million digits.
const maxDigits = 1 << 10

// widenDecimals keeps all digits before and behind the point.
func widenDecimals(a, b vector.Type) (vector.Type, bool) {
	scale := max(a.Scale, b.Scale)
	t := vector.DecimalType(max(a.Precision-a.Scale, b.Precision-b.Scale)+scale, scale)
	return t, t.Precision <= maxDigits || a.Scale == b.Scale
}

// isTextual: BLOB, ENUM and JSON become VARCHAR if united with VARCHAR. They also do
// so if united with each other, so that the order of files does not matter.
func isTextual(t vector.Type) bool { return t.IsText() || t.Kind == vector.Blob }

// widenUnits returns the finer unit. But nanoseconds in 64 bits reach only from 1677 to
// 2262: together with another unit they become 128 bits wide.
func widenUnits(a, b vector.Unit) vector.Unit {
	switch {
	case a == b:
		return a
	case max(a, b) == vector.Micros:
		return vector.Micros
	}
	return vector.Wide
}

// widenIntegers returns the larger of two signed or of two unsigned types, and else the
// smallest signed type that holds both: for UBIGINT a DECIMAL.
func widenIntegers(a, b vector.Type) vector.Type {
	signed := []vector.Kind{vector.TinyInt, vector.SmallInt, vector.Integer, vector.BigInt}
	unsigned := []vector.Kind{vector.UTinyInt, vector.USmallInt, vector.UInteger, vector.UBigInt}
	sa, sb := slices.Index(signed, a.Kind), slices.Index(signed, b.Kind)
	ua, ub := slices.Index(unsigned, a.Kind), slices.Index(unsigned, b.Kind)
	if sa < 0 && sb < 0 {
		return vector.Of(unsigned[max(ua, ub)])
	}
	need := max(sa, sb, ua+1, ub+1) // an unsigned type needs the next larger signed type; -1+1 adds no need
	if need >= len(signed) {
		return exactDecimal(vector.Of(vector.UBigInt))
	}
	return vector.Of(signed[need])
}

// widenNested unites the children: the element of a list, key and value of a map, the
// fields of a struct by name. A field that a type does not have is NULL there.
func widenNested(types []vector.Type) (vector.Type, bool) {
	kind := types[0].Kind
	if slices.ContainsFunc(types, func(t vector.Type) bool { return t.Kind != kind }) {
		return vector.Type{}, false
	}
	if kind == vector.Struct {
		return widenStructs(types)
	}
	out := types[0]
	out.Fields = slices.Clone(out.Fields)
	for i := range out.Fields {
		children := make([]vector.Type, len(types))
		for k, t := range types {
			if len(t.Fields) != len(out.Fields) {
				return vector.Type{}, false
			}
			children[k] = t.Fields[i].Type
			out.Fields[i].Nullable = out.Fields[i].Nullable || t.Fields[i].Nullable
		}
		var ok bool
		if out.Fields[i].Type, ok = widenAll(children); !ok {
			return vector.Type{}, false
		}
	}
	return out, true
}

// widenStructs unites the fields by name, as spelling has them: of several of one name the n-th
// with the n-th.
func widenStructs(types []vector.Type) (vector.Type, bool) {
	type key struct {
		name       string
		occurrence int
	}
	out := vector.Type{Kind: vector.Struct}
	var children [][]vector.Type // of each field: its types
	place := map[key]int{}
	spelled := newSpelling(fieldNames(types))
	for n, t := range types {
		occurrences := map[string]int{}
		for i, f := range t.Fields {
			name := spelled.keys[n][i]
			k := key{name, occurrences[name]}
			occurrences[name]++
			f.Name = spelled.shown[name]
			at, known := place[k]
			if !known {
				at = len(out.Fields)
				place[k] = at
				out.Fields, children = append(out.Fields, f), append(children, nil)
			}
			children[at] = append(children[at], f.Type)
			out.Fields[at].Nullable = out.Fields[at].Nullable || f.Nullable
		}
	}
	for i := range out.Fields {
		f := &out.Fields[i]
		f.Nullable = f.Nullable || len(children[i]) < len(types)
		var ok bool
		if f.Type, ok = widenAll(children[i]); !ok {
			return vector.Type{}, false
		}
	}
	return out, true
}

// fieldNames are the names of the fields of structs.
func fieldNames(types []vector.Type) [][][]string {
	out := make([][][]string, len(types))
	for n, t := range types {
		for _, f := range t.Fields {
			out[n] = append(out[n], []string{f.Name})
		}
	}
	return out
}

// canonical is the type that a table has for a file's type. The children of a
// VARIANT differ between files; a table's VARIANT has only metadata and value.
func canonical(t vector.Type) vector.Type {
	if t.Kind == vector.Variant {
		return vector.VariantType()
	}
	fields := t.Fields
	for i, f := range fields {
		c := canonical(f.Type)
		if c.Equal(f.Type) {
			continue
		}
		if &fields[0] == &t.Fields[0] {
			fields = slices.Clone(fields)
		}
		fields[i].Type = c
	}
	t.Fields = fields
	return t
}
