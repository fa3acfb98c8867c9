package wire

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// A numeric as bytes: the number of its digits to the base 10000, the weight of the first of them,
// the sign, the number of decimal digits that are shown behind the point, each in two bytes; then
// the digits, two bytes each.
const (
	numericPositive = 0x0000
	numericNegative = 0x4000
	numericNaN      = 0xc000
	maxScale        = 16383
)

func numericBinary(dst []byte, values any, i int) ([]byte, error) {
	if unsigned, ok := values.([]uint64); ok {
		return appendNumeric(dst, strconv.FormatUint(unsigned[i], 10))
	}
	return appendNumeric(dst, values.([]string)[i])
}

// appendNumeric is the number of a decimal text.
func appendNumeric(dst []byte, text string) ([]byte, error) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if len(fraction) > maxScale || strings.ContainsAny(text, "Ee") {
		return dst, &RangeError{fmt.Sprintf("%.50s", text), "numeric"}
	}
	// Whole groups of four digits on both sides of the point.
	padded := strings.Repeat("0", (4-len(whole)%4)%4) + whole + fraction + strings.Repeat("0", (4-len(fraction)%4)%4)
	weight := (len(whole)+3)/4 - 1
	for strings.HasPrefix(padded, "0000") {
		padded, weight = padded[4:], weight-1
	}
	for strings.HasSuffix(padded, "0000") {
		padded = padded[:len(padded)-4]
	}
	if padded == "" {
		weight, negative = 0, false
	}
	sign := uint16(numericPositive)
	if negative {
		sign = numericNegative
	}
	for _, field := range []uint16{uint16(len(padded) / 4), uint16(int16(weight)), sign, uint16(len(fraction))} {
		dst = binary.BigEndian.AppendUint16(dst, field)
	}
	for at := 0; at < len(padded); at += 4 {
		n, err := strconv.ParseUint(padded[at:at+4], 10, 16)
		if err != nil {
			return dst, fmt.Errorf("%.50q is no number", text)
		}
		dst = binary.BigEndian.AppendUint16(dst, uint16(n))
	}
	return dst, nil
}

// numericText is the decimal text of a numeric.
func numericText(data []byte) (string, error) {
	if len(data) < 8 {
		return "", errLength("numeric")
	}
	count, weight := int(binary.BigEndian.Uint16(data)), int(int16(binary.BigEndian.Uint16(data[2:])))
	sign, scale := binary.BigEndian.Uint16(data[4:]), int(binary.BigEndian.Uint16(data[6:]))
	if data = data[8:]; len(data) != 2*count || scale > maxScale {
		return "", errLength("numeric")
	}
	if sign != numericPositive && sign != numericNegative {
		return "", &RangeError{"NaN or Infinity", "numeric"}
	}
	group := func(n int) int { // the digits of weight n
		if at := weight - n; at >= 0 && at < count {
			return int(binary.BigEndian.Uint16(data[2*at:]))
		}
		return 0
	}
	var out strings.Builder
	if sign == numericNegative {
		out.WriteByte('-')
	}
	fmt.Fprint(&out, group(max(weight, 0)))
	for n := max(weight, 0) - 1; n >= 0; n-- {
		fmt.Fprintf(&out, "%04d", group(n))
	}
	if scale > 0 {
		var fraction strings.Builder
		for n := -1; fraction.Len() < scale; n-- {
			fmt.Fprintf(&fraction, "%04d", group(n))
		}
		out.WriteByte('.')
		out.WriteString(fraction.String()[:scale])
	}
	return out.String(), nil
}
