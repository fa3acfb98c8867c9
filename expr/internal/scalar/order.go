// Package scalar has the rules for single values and types: the order of values,
// parsing them from text, decimal arithmetic, and the operators.
package scalar

import "github.com/parquetsql/parquetsql/vector"

// SameOrder reports whether values of two types can be compared by their storage
// alone, without a cast.
func SameOrder(a, b vector.Type) bool {
	switch {
	case a.Storage() != b.Storage() || a.Storage() == vector.StoreNone || a.Storage() == vector.StoreNested:
		return false
	case a.IsInteger() && b.IsInteger():
		return true
	case a.IsFloat() && b.IsFloat():
		return true
	case a.Kind == vector.Decimal && b.Kind == vector.Decimal:
		return a.Scale == b.Scale
	case a.IsTimestamp() && b.IsTimestamp(), a.Kind == vector.Time && b.Kind == vector.Time:
		return a.Unit == b.Unit
	case ComparesAsBytes(a) && ComparesAsBytes(b):
		return true
	}
	return a.Shown().Kind == b.Shown().Kind
}

// ComparesAsBytes reports whether values of the type compare byte by byte,
// whatever the type of the other operand.
func ComparesAsBytes(t vector.Type) bool {
	switch t.Shown().Kind {
	case vector.Varchar, vector.Enum, vector.JSON, vector.Blob, vector.BSON, vector.Geometry, vector.Geography:
		return true
	}
	return false
}

// OrderScalars compares two values that are not NULL in SQL order. It returns false
// if their types have no common order.
func OrderScalars(a, b *vector.Scalar) (int, bool) {
	if !SameOrder(a.Type, b.Type) {
		return 0, false
	}
	return a.Compare(b), true
}

// BoolRank is 1 for TRUE and 0 for FALSE.
func BoolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}
