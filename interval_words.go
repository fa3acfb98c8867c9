package parquetsql

import "strings"

// isoLetters are the letters that ISO 8601 has for the units of INTERVAL '1 day'.
var isoLetters = map[string]string{
	"year": "Y", "yr": "Y", "mon": "M", "month": "M", "day": "D", "hour": "H", "hr": "H", "min": "M", "minute": "M", "sec": "S", "second": "S",
}

// isoInterval is the ISO 8601 text of an interval in words, such as 1 year 2 mons 3 days 04:05:06.5; others
// stay what they are.
func isoInterval(text string) string {
	fields := strings.Fields(text)
	date, clock := "P", ""
	for len(fields) > 0 {
		if strings.Contains(fields[0], ":") {
			clock += isoClock(fields[0])
			fields = fields[1:]
			continue
		}
		if len(fields) == 1 || strings.Trim(fields[0], "+-.0123456789") != "" {
			return text
		}
		unit := strings.TrimSuffix(strings.ToLower(fields[1]), "s")
		letter, ok := isoLetters[unit]
		switch {
		case !ok:
			return text
		case letter == "H" || letter == "S" || strings.HasPrefix(unit, "min"):
			clock += fields[0] + letter
		default:
			date += fields[0] + letter
		}
		fields = fields[2:]
	}
	if clock != "" {
		clock = "T" + clock
	}
	return date + clock
}

// isoClock is [-]04:05:06.5 as parts; a sign is that of each.
func isoClock(text string) string {
	sign := ""
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		sign, text = "-", rest
	}
	var out string
	for i, part := range strings.SplitN(text, ":", 3) {
		out += sign + part + "HMS"[i:i+1]
	}
	return out
}
