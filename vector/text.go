package vector

import (
	"math/big"
	"strconv"
)

// This file writes values as text in the forms of docs/contract.md, section 3,
// that Go's packages do not have. All functions append to a buffer, so that a
// caller does not allocate per value.

const (
	secondsPerDay = 86400
	nanosPerSec   = 1_000_000_000
)

// AppendPadded appends a number with zeros in front of it, so that it has at least as many digits.
func AppendPadded(dst []byte, v uint64, width int) []byte {
	switch {
	case width == 2 && v < 100:
		return append(dst, twoDigits[2*v], twoDigits[2*v+1])
	case width == 4 && v < 10000:
		high, low := v/100, v%100
		return append(dst, twoDigits[2*high], twoDigits[2*high+1], twoDigits[2*low], twoDigits[2*low+1])
	}
	var buf [20]byte
	s := strconv.AppendUint(buf[:0], v, 10)
	for n := len(s); n < width; n++ {
		dst = append(dst, '0')
	}
	return append(dst, s...)
}

const twoDigits = "00010203040506070809" +
	"10111213141516171819" +
	"20212223242526272829" +
	"30313233343536373839" +
	"40414243444546474849" +
	"50515253545556575859" +
	"60616263646566676869" +
	"70717273747576777879" +
	"80818283848586878889" +
	"90919293949596979899"

// AppendDate appends 2006-01-02; years beyond 9999 have more digits, years
// before 0 a sign.
func AppendDate(dst []byte, days int64) []byte {
	year, month, day := CivilDate(days)
	return AppendCivil(dst, year, month, day)
}

// AppendCivil is AppendDate for a date's parts.
func AppendCivil(dst []byte, year int64, month, day int) []byte {
	if year < 0 {
		dst = append(dst, '-')
		year = -year
	}
	if year > 9999 {
		dst = AppendPadded(dst, uint64(year), 4)
		return append(dst, '-', twoDigits[2*month], twoDigits[2*month+1], '-', twoDigits[2*day], twoDigits[2*day+1])
	}
	high, low := 2*(uint32(year)/100), 2*(uint32(year)%100)
	return append(dst, twoDigits[high], twoDigits[high+1], twoDigits[low], twoDigits[low+1], '-', twoDigits[2*month], twoDigits[2*month+1], '-', twoDigits[2*day], twoDigits[2*day+1])
}

// AppendSeconds appends 2006-01-02 15:04:05 of a year of up to four digits and the seconds of a day, at once.
func AppendSeconds(dst []byte, year, month, day, seconds uint32) []byte {
	high, low, hour, minute, second := 2*(year/100), 2*(year%100), 2*(seconds/3600), 2*(seconds/60%60), 2*(seconds%60)
	return append(dst, twoDigits[high], twoDigits[high+1], twoDigits[low], twoDigits[low+1], '-', twoDigits[2*month], twoDigits[2*month+1], '-', twoDigits[2*day], twoDigits[2*day+1],
		' ', twoDigits[hour], twoDigits[hour+1], ':', twoDigits[minute], twoDigits[minute+1], ':', twoDigits[second], twoDigits[second+1])
}

// AppendTime appends 15:04:05 with as many fraction digits as the unit has. A
// value outside the day (which a broken file may hold) keeps its hours.
func AppendTime(dst []byte, v int64, u Unit) []byte {
	dst, fraction := appendClock(dst, v, u)
	dst = append(dst, '.')
	return AppendPadded(dst, fraction, u.Digits())
}

// AppendShortTime is AppendTime without the zeros at the end of the fraction.
func AppendShortTime(dst []byte, v int64, u Unit) []byte {
	dst, fraction := appendClock(dst, v, u)
	return AppendFraction(dst, fraction, u.Digits())
}

// appendClock appends 15:04:05 and returns the fraction in the unit.
func appendClock(dst []byte, v int64, u Unit) ([]byte, uint64) {
	n := uint64(v)
	if v < 0 {
		dst = append(dst, '-')
		n = -n
	}
	var seconds, fraction uint64
	switch u { // by constants, which are multiplications
	case Seconds:
		seconds = n
	case Millis:
		seconds, fraction = n/1e3, n%1e3
	case Micros:
		seconds, fraction = n/1e6, n%1e6
	default:
		seconds, fraction = n/1e9, n%1e9
	}
	if seconds >= 100*3600 {
		dst = AppendPadded(dst, seconds/3600, 2)
		minute, second := 2*(seconds/60%60), 2*(seconds%60)
		return append(dst, ':', twoDigits[minute], twoDigits[minute+1], ':', twoDigits[second], twoDigits[second+1]), fraction
	}
	n32 := uint32(seconds)
	hour, minute, second := 2*(n32/3600), 2*(n32/60%60), 2*(n32%60)
	return append(dst, twoDigits[hour], twoDigits[hour+1], ':', twoDigits[minute], twoDigits[minute+1], ':', twoDigits[second], twoDigits[second+1]), fraction
}

// AppendTimestamp appends the date, sep, and the time with up to nine fraction
// digits, trailing zeros (and the point) dropped.
func AppendTimestamp(dst []byte, days, nanos int64, sep byte) []byte {
	dst = AppendDate(dst, days)
	dst = append(dst, sep)
	return AppendShortTime(dst, nanos, Nanos)
}

// AppendFraction appends a point and the fraction of the given digits without
// its trailing zeros; nothing where the fraction is 0.
func AppendFraction(dst []byte, fraction uint64, digits int) []byte {
	if fraction == 0 {
		return dst
	}
	for fraction%10 == 0 {
		fraction /= 10
		digits--
	}
	dst = append(dst, '.')
	return AppendPadded(dst, fraction, digits)
}

// AppendDecimal64 appends an unscaled decimal with as many digits after the point as its scale;
// with an exponent if that is more than MaxPlainScale.
func AppendDecimal64(dst []byte, unscaled int64, scale int) []byte {
	var buf [20]byte
	magnitude := uint64(unscaled)
	if unscaled < 0 {
		magnitude = -magnitude
	}
	return appendPoint(dst, unscaled < 0, strconv.AppendUint(buf[:0], magnitude, 10), scale)
}

// AppendDecimal128 is AppendDecimal64 for 128 bits.
func AppendDecimal128(dst []byte, unscaled Int128, scale int) []byte {
	if unscaled.IsInt64() {
		return AppendDecimal64(dst, unscaled.Int64(), scale)
	}
	var buf [40]byte
	hi, lo := unscaled.magnitude()
	m := Int128{Hi: int64(hi), Lo: lo}
	if m.Hi < 0 { // -2^127 has no positive counterpart
		return AppendDecimalBig(dst, unscaled.Big(), scale)
	}
	q, r := m.DivMod(Int128FromUint(1e19))
	digits := buf[:0]
	if q.Hi != 0 || q.Lo != 0 {
		q2, r2 := q.DivMod(Int128FromUint(1e19))
		if q2.Lo != 0 {
			digits = strconv.AppendUint(digits, q2.Lo, 10)
			digits = AppendPadded(digits, r2.Lo, 19)
		} else {
			digits = strconv.AppendUint(digits, r2.Lo, 10)
		}
		digits = AppendPadded(digits, r.Lo, 19)
	} else {
		digits = strconv.AppendUint(digits, r.Lo, 10)
	}
	return appendPoint(dst, unscaled.Hi < 0, digits, scale)
}

// AppendDecimalBig is AppendDecimal64 for numbers of any size.
func AppendDecimalBig(dst []byte, unscaled *big.Int, scale int) []byte {
	digits := new(big.Int).Abs(unscaled).Append(nil, 10)
	return appendPoint(dst, unscaled.Sign() < 0, digits, scale)
}

// MaxPlainScale is the greatest scale of decimals that are written with a point alone. Of a
// greater one nearly all digits would be zeros that the file does not have, up to gigabytes
// for each value: such decimals have an exponent, 1.25E-99999, and are as exact.
const MaxPlainScale = 1 << 12

func appendPoint(dst []byte, negative bool, digits []byte, scale int) []byte {
	if negative {
		dst = append(dst, '-')
	}
	if scale > MaxPlainScale {
		return appendExponent(dst, digits, scale)
	}
	whole := len(digits) - scale
	if whole <= 0 {
		dst = append(dst, '0')
	} else {
		dst = append(dst, digits[:whole]...)
		digits = digits[whole:]
	}
	if scale == 0 {
		return dst
	}
	dst = append(dst, '.')
	for n := len(digits); n < scale; n++ {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}

// appendExponent appends 1.25E-99999: one digit before the point, and all digits that there are.
func appendExponent(dst, digits []byte, scale int) []byte {
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(append(dst, '.'), digits[1:]...)
	}
	dst = append(dst, 'E')
	return strconv.AppendInt(dst, int64(len(digits)-1)-int64(scale), 10)
}

// AppendInterval appends ISO 8601: P1Y2M3DT4H5M6.007S. Months appear as years
// and months, microseconds as hours, minutes and seconds; zero parts are left
// out, each part has its own sign, and zero is PT0S.
func AppendInterval(dst []byte, v IntervalValue) []byte {
	if v == (IntervalValue{}) {
		return append(dst, "PT0S"...)
	}
	part := func(n int64, unit byte) {
		if n != 0 {
			dst = append(strconv.AppendInt(dst, n, 10), unit)
		}
	}
	dst = append(dst, 'P')
	part(v.Months/12, 'Y')
	part(v.Months%12, 'M')
	part(v.Days, 'D')
	if v.Micros == 0 {
		return dst
	}
	dst = append(dst, 'T')
	part(v.Micros/3_600_000_000, 'H')
	part(v.Micros/60_000_000%60, 'M')
	rest := v.Micros % 60_000_000
	if rest == 0 {
		return dst
	}
	if rest < 0 {
		dst = append(dst, '-')
		rest = -rest
	}
	dst = strconv.AppendInt(dst, rest/1_000_000, 10)
	dst = AppendFraction(dst, uint64(rest%1_000_000), 6)
	return append(dst, 'S')
}

// AppendUUID appends 16 bytes as 8-4-4-4-12 hexadecimal digits.
func AppendUUID(dst []byte, v string) []byte {
	const hex = "0123456789abcdef"
	for i := 0; i < len(v); i++ {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = append(dst, hex[v[i]>>4], hex[v[i]&15])
	}
	return dst
}
