package text

import (
	"strconv"
	"strings"
)

// romanWidth is the width of a number in Roman numerals.
const romanWidth = 15

// romanNumeral is a number from 1 to 3,999; others are signs #.
func romanNumeral(text string) string {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > 3999 {
		return strings.Repeat("#", romanWidth)
	}
	var out strings.Builder
	for _, d := range []struct {
		value int64
		text  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; n >= d.value; n -= d.value {
			out.WriteString(d.text)
		}
	}
	return out.String()
}

// scientific is a decimal text as d.dde+nn, with digits behind the point, rounded away from zero.
func scientific(text string, post int) string {
	number, negative := strings.CutPrefix(text, "-")
	sign := " "
	if negative {
		sign = "-"
	}
	whole, fraction, _ := strings.Cut(number, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	exponent := len(whole) - 1 - (len(whole+fraction) - len(digits))
	if digits == "" {
		digits, exponent = "0", 0
	}
	kept := []byte(digits + strings.Repeat("0", post+1))[:max(len(digits), post+1)]
	if len(kept) > post+1 {
		up := kept[post+1] >= '5'
		kept = kept[:post+1]
		for i := post; up && i >= 0; i-- {
			if kept[i]++; kept[i] <= '9' {
				up = false
				break
			}
			kept[i] = '0'
		}
		if up {
			kept = append([]byte{'1'}, kept[:post]...)
			exponent++
		}
	}
	out := sign + string(kept[:1])
	if post > 0 {
		out += "." + string(kept[1:])
	}
	way := "+"
	if exponent < 0 {
		way, exponent = "-", -exponent
	}
	power := strconv.Itoa(exponent)
	if len(power) < 2 {
		power = "0" + power
	}
	return out + "e" + way + power
}

// scientificFloat is a DOUBLE in the same form.
func scientificFloat(v float64, post int) string {
	text := strconv.FormatFloat(v, 'e', post, 64)
	if !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "+") {
		return " " + text
	}
	return strings.Replace(text, "+Inf", " Inf", 1)
}
