package chart

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// text is a number as a label: at most six digits that count, in groups of three.
func text(x float64) string {
	if a := math.Abs(x); a != 0 && (a < 1e-4 || a >= 1e15) {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	digits := max(0, 5-int(math.Floor(math.Log10(math.Max(math.Abs(x), 1)))))
	whole, fraction, found := strings.Cut(strconv.FormatFloat(x, 'f', digits, 64), ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction = strings.TrimRight(fraction, "0"); found && fraction != "" {
		whole += "." + fraction
	}
	if whole == "0" {
		return whole
	}
	return sign + whole
}

// rounded is a number beside an axis.
func rounded(x float64) string {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return text(x)
}

// when is a time as a label of an axis that is so many seconds long.
func when(seconds, length float64) string {
	t := time.UnixMicro(int64(math.Round(seconds * 1e6))).UTC()
	switch {
	case length < 60:
		return t.Format("15:04:05.000")
	case length < 36*3600:
		return t.Format("15:04:05")
	case length < 4*24*3600:
		return t.Format("01-02 15:04")
	case length < 5*365*24*3600:
		return t.Format("2006-01-02")
	}
	return t.Format("2006-01")
}

// place is a label below the axis.
func (c *Chart) place(at float64) string {
	if c.X.Scale != Time {
		return text(at)
	}
	return when(at, c.At[len(c.At)-1]-c.At[0])
}
