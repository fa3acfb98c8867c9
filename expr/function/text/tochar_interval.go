package text

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// ofDates are the keywords that an interval has no value of: it belongs to no calendar. Those of ISO
// weeks, the ISO year and the Julian day have values in PostgreSQL that mean nothing.
var ofDates = strings.Fields("AD A.D. BC B.C. TZ TZH TZM OF D ID IW IDDD IYYY IYY IY I J")

// checkInterval refuses templates for dates.
func checkInterval(parts []templatePart) error {
	for _, p := range parts {
		if slices.Contains(named, p.keyword) || slices.Contains(ofDates, strings.ToUpper(p.keyword)) {
			return errs.State("22007", fmt.Errorf("%s is of dates, and no part of an interval", p.keyword))
		}
	}
	return nil
}

// span is an interval as templates see it: each part with its sign.
type span struct {
	year, month, day               int64
	hour, minute, second, fraction int64 // microseconds
}

func spanOf(v vector.IntervalValue) span {
	const hour = 3600 * 1e6
	return span{v.Months / 12, v.Months % 12, v.Days, v.Micros / hour, v.Micros / 60e6 % 60, v.Micros / 1e6 % 60, v.Micros % 1e6}
}

func appendInterval(dst []byte, parts []templatePart, s span) []byte {
	for _, p := range parts {
		if p.keyword == "" {
			dst = append(dst, p.text...)
		} else {
			dst = append(dst, s.field(p)...)
		}
	}
	return dst
}

// yearDay is the number of the day where all months have 30 days.
func (s span) yearDay() int64 { return (s.year*12+s.month)*30 + s.day }

// field is the text of a keyword. A sign widens a number by one.
func (s span) field(p templatePart) string {
	number := func(v int64, width int, signed bool) string {
		switch {
		case p.fill && signed:
			width = 0
		case v < 0 && signed && width > 0:
			width++
		}
		return p.withEnding(fmt.Sprintf("%0*d", width, v))
	}
	counted := func(v int64, width int) string { // as wide with a sign
		if p.fill {
			width = 0
		}
		return number(v, width, false)
	}
	small := p.keyword != strings.ToUpper(p.keyword)
	letters := func(text string) string {
		if small {
			return strings.ToLower(text)
		}
		return text
	}
	sign := 0 // of the year
	if s.year < 0 {
		sign = 1
	}
	half := "AM"
	if s.hour%24 >= 12 {
		half = "PM"
	}
	switch keyword := strings.ToUpper(p.keyword); keyword {
	case "HH", "HH12":
		hour := s.hour % 12
		if hour == 0 {
			hour = 12
		}
		width := 2
		if s.hour < 0 && !p.fill {
			width = 3
		}
		if hour < 0 || s.hour >= 0 {
			return number(hour, 2, true)
		}
		return number(hour, width, false)
	case "HH24":
		return number(s.hour, 2, true)
	case "MI":
		return number(s.minute, 2, true)
	case "SS":
		return number(s.second, 2, true)
	case "SSSS", "SSSSS":
		return number(s.hour*3600+s.minute*60+s.second, 0, true)
	case "MS":
		return number(s.fraction/1000, 3, false)
	case "US":
		return number(s.fraction, 6, false)
	case "FF1", "FF2", "FF3", "FF4", "FF5", "FF6":
		digits, fraction := int(keyword[2]-'0'), s.fraction
		for range 6 - digits {
			fraction /= 10
		}
		return number(fraction, digits, false)
	case "AM", "PM":
		return letters(half)
	case "A.M.", "P.M.":
		return letters(half[:1] + "." + half[1:] + ".")
	case "MM":
		return number(s.month, 2, true)
	case "RM":
		return s.roman(p, letters)
	case "DDD":
		return counted(s.yearDay(), 3)
	case "DD":
		return counted(s.day, 2)
	case "WW":
		return counted((s.yearDay()-1)/7+1, 2)
	case "W":
		return number((s.day-1)/7+1, 0, true)
	case "Q":
		if s.month == 0 {
			return ""
		}
		return number((s.month-1)/3+1, 0, true)
	case "CC":
		return number(s.year/100, 2, true)
	case "Y,YYY":
		return strconv.FormatInt(s.year/1000, 10) + "," + number(s.year%1000, 3, false)
	case "YYYY":
		return number(s.year, 4, true)
	case "YYY":
		return counted(s.year%1000, 3+sign)
	case "YY":
		return counted(s.year%100, 2+sign)
	case "Y":
		return number(s.year%10, 1, true)
	}
	return ""
}

// roman is the month in Roman numerals: whole years end with December, and negative months count from
// there.
func (s span) roman(p templatePart, letters func(string) string) string {
	if s.month == 0 && s.year == 0 {
		return ""
	}
	month := s.month
	switch {
	case month == 0 && s.year > 0:
		month = 12
	case month == 0:
		month = 1
	case month < 0:
		month += 13
	}
	text := letters(romanMonths[month-1])
	if p.fill {
		return text
	}
	return fmt.Sprintf("%-4s", text)
}
