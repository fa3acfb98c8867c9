package scalar

import "github.com/parquetsql/parquetsql/vector"

// MaxPrecision is the greatest precision for decimal arithmetic.
const MaxPrecision = 38

// IntegerDigits is the number of decimal digits that hold every value of an integer
// type.
func IntegerDigits(k vector.Kind) int {
	switch k {
	case vector.TinyInt, vector.UTinyInt:
		return 3
	case vector.SmallInt, vector.USmallInt:
		return 5
	case vector.Integer, vector.UInteger:
		return 10
	case vector.BigInt:
		return 19
	}
	return 20
}

// DecimalOfType is the decimal type that holds every value of an integer or
// decimal type.
func DecimalOfType(t vector.Type) vector.Type {
	if t.Kind == vector.Decimal {
		return t
	}
	return vector.DecimalType(IntegerDigits(t.Kind), 0)
}

// IsInstant reports whether values of a type are points in time.
func IsInstant(t vector.Type) bool { return t.Kind == vector.Date || t.IsTimestamp() }
