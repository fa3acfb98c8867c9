package parquetsql

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/vector"
)

// Decimal scans a DECIMAL column, whose driver value is text, without rounding. It also
// scans integers.
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
	}
	text, err := scanText(src, "Decimal")
	if err != nil {
		return err
	}
	mantissa, power, scientific := strings.Cut(text, "E")
	exponent := 0
	if scientific {
		if exponent, err = strconv.Atoi(power); err != nil || exponent > 0 {
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
	*d = Decimal{Unscaled: n, Scale: len(fraction) - exponent, Valid: true}
	return nil
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

// Interval scans an INTERVAL column, whose driver value is ISO 8601 text. Months, days
// and time are apart, as a month has no fixed number of days and a day, where clocks
// change, no fixed number of hours.
type Interval struct {
	Months, Days int64
	Time         time.Duration // a multiple of a microsecond
	Valid        bool          // false for NULL
}

// Scan implements sql.Scanner.
func (i *Interval) Scan(src any) (err error) {
	defer prefix(&err)
	*i = Interval{}
	if src == nil {
		return nil
	}
	text, err := scanText(src, "Interval")
	if err != nil {
		return err
	}
	out := Interval{Valid: true}
	if err := out.parse(text); err != nil {
		return fmt.Errorf("%.50q is not an interval like P1Y2M3DT4H5M6.5S: %w", text, err)
	}
	*i = out
	return nil
}

// parse adds the parts of an ISO 8601 duration.
func (i *Interval) parse(text string) error {
	rest, ok := strings.CutPrefix(text, "P")
	if !ok || rest == "" {
		return errors.New("it does not begin with P and a part")
	}
	date, clock, _ := strings.Cut(rest, "T")
	err := isoParts(date, func(n int64, fraction time.Duration, unit byte) bool {
		switch unit {
		case 'Y':
			i.Months += 12 * n
		case 'M':
			i.Months += n
		case 'D':
			i.Days += n
		default:
			return false
		}
		return fraction == 0
	})
	if err != nil {
		return err
	}
	total := 0.0 // nanoseconds, without the rounding of a time.Duration past its range
	return isoParts(clock, func(n int64, fraction time.Duration, unit byte) bool {
		by, known := map[byte]time.Duration{'H': time.Hour, 'M': time.Minute, 'S': time.Second}[unit]
		i.Time += time.Duration(n)*by + fraction
		total += float64(n)*float64(by) + float64(fraction)
		return known && (fraction == 0 || unit == 'S') && math.Abs(total) < 1<<63
	})
}

// isoParts calls add for each number and its unit; the fraction is in seconds.
func isoParts(text string, add func(n int64, fraction time.Duration, unit byte) bool) error {
	for text != "" {
		end := strings.IndexFunc(text, func(r rune) bool { return r >= 'A' && r <= 'Z' })
		if end < 0 {
			return errors.New("a number has no unit")
		}
		whole, decimals, _ := strings.Cut(text[:end], ".")
		n, err := strconv.ParseInt(whole, 10, 64)
		if err != nil && whole != "-" {
			return fmt.Errorf("%q is no number", text[:end])
		}
		var fraction time.Duration
		if decimals != "" {
			f, err := strconv.ParseUint((decimals + "000000000")[:9], 10, 32)
			if err != nil {
				return fmt.Errorf("%q is no number", text[:end])
			}
			if fraction = time.Duration(f); strings.HasPrefix(whole, "-") {
				fraction = -fraction
			}
		}
		if !add(n, fraction, text[end]) {
			return fmt.Errorf("the part %s is unknown, or past the 292 years of a time.Duration", text[:end+1])
		}
		text = text[end+1:]
	}
	return nil
}

// UUID scans a UUID column, whose driver value is text.
type UUID struct {
	Bytes [16]byte
	Valid bool // false for NULL
}

// Scan implements sql.Scanner.
func (u *UUID) Scan(src any) (err error) {
	defer prefix(&err)
	*u = UUID{}
	if src == nil {
		return nil
	}
	text, err := scanText(src, "UUID")
	if err != nil {
		return err
	}
	if len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
		if err == nil && len(b) == 16 {
			*u = UUID{Bytes: [16]byte(b), Valid: true}
			return nil
		}
	}
	return fmt.Errorf("%.50q is not a UUID", text)
}

// String is 8-4-4-4-12 lower-case hexadecimal digits; NULL for NULL.
func (u UUID) String() string {
	if !u.Valid {
		return "NULL"
	}
	h := hex.EncodeToString(u.Bytes[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// scanText is the text of a driver value.
func scanText(src any, into string) (string, error) {
	switch s := src.(type) {
	case string:
		return s, nil
	case []byte:
		return string(s), nil
	}
	return "", fmt.Errorf("cannot scan a %T into a %s", src, into)
}
