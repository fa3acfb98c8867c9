package catalog

import (
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// widenAll returns the type that holds the values of all types, and the types that do
// not fit into it. Whether all fit does not depend on their order: types that do not
// fit are tried again, because a later type may help (BIGINT and UBIGINT have no common
// type, but with DOUBLE all three are DOUBLE). A geometry goes first, because it fits to a
// BLOB and not to the VARCHAR that a BLOB may become.
func widenAll(types []vector.Type) (t vector.Type, apart []vector.Type) {
	first := max(0, slices.IndexFunc(types, vector.Type.IsGeospatial))
	t, apart = types[first], slices.Delete(slices.Clone(types), first, first+1)
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
	return t, apart
}

// widen returns the type that holds all values of both; false if there is none. It is
// symmetric. Nothing is lost except the last digits of 64-bit integers that become
// DOUBLE. (That is allowed because pandas writes an integer column with a missing value
// as DOUBLE.)
func widen(a, b vector.Type) (vector.Type, bool) {
	switch {
	case a.Equal(b):
		return a, true
	case a.Kind == vector.Null:
		return b, true
	case b.Kind == vector.Null:
		return a, true
	case a.IsInteger() && b.IsInteger():
		return widenIntegers(a, b)
	case a.Kind == vector.Double && b.IsFloat(), a.IsFloat() && b.Kind == vector.Double,
		a.IsFloat() && b.IsInteger(), a.IsInteger() && b.IsFloat():
		return vector.Of(vector.Double), true
	case a.IsFloat() && b.IsFloat(): // HALF and FLOAT
		return vector.Of(vector.Float), true
	case a.Kind == vector.Decimal && b.Kind == vector.Decimal:
		scale := max(a.Scale, b.Scale)
		return vector.DecimalType(max(a.Precision-a.Scale, b.Precision-b.Scale)+scale, scale), true
	case a.Kind == vector.Time && b.Kind == vector.Time:
		return vector.TimeType(max(a.Unit, b.Unit)), true
	case a.IsTimestamp() && b.IsTimestamp():
		utc := a.Kind == vector.TimestampTZ || b.Kind == vector.TimestampTZ
		return vector.TimestampType(widenUnits(a.Unit, b.Unit), utc), true
	case isTextual(a) && isTextual(b):
		return vector.Of(vector.Varchar), true
	case a.IsGeospatial() && a.Kind == b.Kind:
		return vector.CommonGeospatial(a, b)
	case a.IsGeospatial() && b.Kind == vector.Blob, a.Kind == vector.Blob && b.IsGeospatial():
		return vector.Of(vector.Blob), true // nothing says what the bytes of the BLOB mean
	case a.Kind == b.Kind && a.IsNested():
		return widenNested(a, b)
	}
	return vector.Type{}, false
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
// smallest signed type that holds both: there is none for UBIGINT.
func widenIntegers(a, b vector.Type) (vector.Type, bool) {
	signed := []vector.Kind{vector.TinyInt, vector.SmallInt, vector.Integer, vector.BigInt}
	unsigned := []vector.Kind{vector.UTinyInt, vector.USmallInt, vector.UInteger, vector.UBigInt}
	sa, sb := slices.Index(signed, a.Kind), slices.Index(signed, b.Kind)
	ua, ub := slices.Index(unsigned, a.Kind), slices.Index(unsigned, b.Kind)
	if sa < 0 && sb < 0 {
		return vector.Of(unsigned[max(ua, ub)]), true
	}
	need := max(sa, sb, ua+1, ub+1) // an unsigned type needs the next larger signed type; -1+1 adds no need
	if need >= len(signed) {
		return vector.Type{}, false
	}
	return vector.Of(signed[need]), true
}

// widenNested unites the children: the element of a list, key and value of a map, the
// fields of a struct by name. A field that one side does not have is NULL there.
func widenNested(a, b vector.Type) (vector.Type, bool) {
	out := a
	out.Fields = slices.Clone(a.Fields)
	place := map[string]int{} // of a field; the first, if there are several
	if a.Kind == vector.Struct {
		for i, f := range slices.Backward(a.Fields) {
			place[f.Name] = i
		}
	}
	both := make([]bool, len(a.Fields))
	for i, f := range b.Fields {
		at := i
		if a.Kind == vector.Struct {
			var known bool
			if at, known = place[f.Name]; !known {
				at, place[f.Name] = -1, len(out.Fields)
			}
		}
		if at < 0 || at >= len(out.Fields) {
			if a.Kind != vector.Struct {
				return vector.Type{}, false
			}
			f.Nullable = true
			out.Fields, both = append(out.Fields, f), append(both, true)
			continue
		}
		both[at] = true
		t, ok := widen(out.Fields[at].Type, f.Type)
		if !ok {
			return vector.Type{}, false
		}
		out.Fields[at].Type = t
		out.Fields[at].Nullable = out.Fields[at].Nullable || f.Nullable
	}
	if a.Kind != vector.Struct {
		return out, len(a.Fields) == len(b.Fields)
	}
	for i := range out.Fields {
		if !both[i] {
			out.Fields[i].Nullable = true
		}
	}
	return out, true
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
