package parquetsql

import (
	"database/sql/driver"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// Decimal is a DECIMAL, whose driver value is text, without rounding. It scans every number;
// a float becomes the shortest decimal that is read as it. As an argument it is a DECIMAL of its
// digits. In JSON it is a number with all of them.
type Decimal struct {
	Unscaled *big.Int // the digits without the point; nil for NULL
	Scale    int      // how many of them stand behind it
	Valid    bool     // false for NULL
}

// Scan implements sql.Scanner.
func (d *Decimal) Scan(src any) (err error) {
	defer prefix(&err)
	*d = Decimal{}
	switch s := src.(type) {
	case nil:
		return nil
	case int64:
		*d = Decimal{Unscaled: big.NewInt(s), Valid: true}
		return nil
	case uint64:
		*d = Decimal{Unscaled: new(big.Int).SetUint64(s), Valid: true}
		return nil
	case float32:
		src = strconv.FormatFloat(float64(s), 'f', -1, 32)
	case float64:
		src = strconv.FormatFloat(s, 'f', -1, 64)
	}
	text, err := scanText(src, "Decimal")
	if err != nil {
		return err
	}
	return d.parse(text)
}

// parse reads a number as a query or JSON writes it.
func (d *Decimal) parse(text string) (err error) {
	mantissa, power, scientific := strings.Cut(strings.Replace(text, "e", "E", 1), "E")
	exponent := 0
	if scientific {
		if exponent, err = strconv.Atoi(power); err != nil || exponent > vector.MaxPlainScale || exponent < -math.MaxInt32 {
			return fmt.Errorf("%.50q is not a decimal", text)
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimPrefix(whole, "-") + fraction
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok || strings.Trim(digits, "0123456789") != "" {
		return fmt.Errorf("%.50q is not a decimal", text)
	}
	if strings.HasPrefix(whole, "-") {
		n.Neg(n)
	}
	scale := len(fraction) - exponent
	if scale < 0 {
		n.Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-scale)), nil))
		scale = 0
	}
	*d = Decimal{Unscaled: n, Scale: scale, Valid: true}
	return nil
}

// Value implements driver.Valuer: the text that String has, nil for NULL.
func (d Decimal) Value() (driver.Value, error) { return valueOf(d, d.null()) }

// MarshalText implements encoding.TextMarshaler: what String has, nothing for NULL.
func (d Decimal) MarshalText() ([]byte, error) { return textOf(d, d.null()) }

// UnmarshalText implements encoding.TextUnmarshaler; an empty text is NULL.
func (d *Decimal) UnmarshalText(text []byte) error { return scanFrom(text, d) }

// MarshalJSON implements json.Marshaler: a number, null for NULL.
func (d Decimal) MarshalJSON() ([]byte, error) {
	if d.null() {
		return []byte("null"), nil
	}
	return []byte(d.String()), nil
}

// UnmarshalJSON implements json.Unmarshaler: from a number, a string with one, or null.
func (d *Decimal) UnmarshalJSON(data []byte) error { return unmarshal(data, d) }

func (d Decimal) null() bool { return !d.Valid || d.Unscaled == nil }

// scalar is the value as an argument: a DECIMAL with no more digits than it has.
func (d Decimal) scalar() vector.Scalar {
	if d.null() {
		return vector.NullOf(vector.Of(vector.Null))
	}
	unscaled, scale := d.Unscaled, max(d.Scale, 0)
	digits := len(strings.TrimPrefix(unscaled.String(), "-"))
	s := vector.Scalar{Type: vector.DecimalType(max(digits, scale), scale)}
	switch s.Type.Storage() {
	case vector.StoreInt64:
		s.I64 = unscaled.Int64()
	case vector.StoreInt128:
		s.I128, _ = vector.Int128FromBig(unscaled)
	default:
		s.Str = vector.EncodeBigDecimal(unscaled)
	}
	return s
}

// Rat is the number; 0 for NULL. Its denominator has as many digits as Scale says, which a file
// may set to two billion; Float64 does not compute it.
func (d Decimal) Rat() *big.Rat {
	if d.Unscaled == nil {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(d.Unscaled, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.Scale)), nil))
}

// Float64 is the nearest float64; 0 for NULL.
func (d Decimal) Float64() float64 {
	if d.Unscaled != nil && d.Scale > d.Unscaled.BitLen()/3+400 {
		return 0 // less than half of the least float64
	}
	f, _ := d.Rat().Float64()
	return f
}

// String is the number with all its digits, as a query has it: -12.50, and 1.25E-99999 where Scale
// is above 4096; NULL for NULL.
func (d Decimal) String() string {
	if d.Unscaled == nil {
		return "NULL"
	}
	sign, digits := "", d.Unscaled.String()
	if d.Unscaled.Sign() < 0 {
		sign, digits = "-", digits[1:]
	}
	if d.Scale <= 0 {
		return sign + digits
	}
	if d.Scale > vector.MaxPlainScale {
		return string(vector.AppendDecimalBig(nil, d.Unscaled, d.Scale))
	}
	if missing := d.Scale + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - d.Scale
	return sign + digits[:point] + "." + digits[point:]
}
