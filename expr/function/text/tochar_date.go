package text

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/vector"
)

// templatePart is a keyword of a template for dates, or text that stands for itself.
type templatePart struct {
	keyword string // empty: text
	text    string
	fill    bool   // FM: without padding
	ending  string // TH or th
}

// withEnding is a number with the ending that was asked for.
func (p templatePart) withEnding(number string) string {
	switch p.ending {
	case "":
		return number
	case "TH":
		return number + strings.ToUpper(ordinal(number))
	}
	return number + ordinal(number)
}

// keywords are those that have a spelling in small letters too, the longer ones first.
var keywords = strings.Fields(`Y,YYY SSSSS IDDD IYYY SSSS YYYY HH24 HH12 A.D. A.M. B.C. P.M. FF1 FF2 FF3 FF4 FF5 FF6 DDD IYY TZH TZM YYY
	AD AM BC CC DD HH ID IW IY MI MM MS OF PM RM SS TZ US WW YY D I J Q W Y`)

// named are keywords whose letters say how the name is written.
var named = strings.Fields("MONTH Month month MON Mon mon DAY Day day DY Dy dy")

// parseTemplate divides a template.
func parseTemplate(template string) (out []templatePart) {
	literal := func(text string) { out = append(out, templatePart{text: text}) }
	for template != "" {
		switch {
		case template[0] == '"':
			template = quotedText(template[1:], literal)
			continue
		case strings.HasPrefix(template, `\"`):
			literal(`"`)
			template = template[2:]
			continue
		}
		part, rest, ok := keywordAt(template)
		if !ok {
			literal(template[:1])
			template = template[1:]
			continue
		}
		out = append(out, part)
		template = rest
	}
	return out
}

// quotedText reads up to the next quotation mark.
func quotedText(template string, literal func(string)) (rest string) {
	for template != "" {
		if template[0] == '"' {
			return template[1:]
		}
		if template[0] == '\\' && len(template) > 1 {
			template = template[1:]
		}
		literal(template[:1])
		template = template[1:]
	}
	return ""
}

// keywordAt reads a keyword with what may stand before and behind it.
func keywordAt(template string) (part templatePart, rest string, ok bool) {
	rest = template
	for {
		if after, is := prefixed(rest, "FM"); is {
			part.fill, rest = true, after
		} else if after, is := prefixed(rest, "TM"); is { // names of another language, without padding
			part.fill, rest = true, after
		} else if after, is := prefixed(rest, "FX"); is { // for reading alone
			rest = after
		} else {
			break
		}
	}
	for _, k := range named {
		if after, is := strings.CutPrefix(rest, k); is {
			part.keyword, rest, ok = k, after, true
			break
		}
	}
	for _, k := range keywords {
		if ok {
			break
		}
		after, is := prefixed(rest, k)
		if is {
			part.keyword, ok = rest[:len(k)], true
			rest = after
		}
	}
	if !ok {
		return part, rest, len(rest) < len(template)
	}
	for _, ending := range []string{"TH", "th"} {
		if after, is := strings.CutPrefix(rest, ending); is {
			part.ending, rest = ending, after
			break
		}
	}
	if after, is := prefixed(rest, "SP"); is {
		rest = after
	}
	return part, rest, true
}

// moment is a time as templates see it.
type moment struct {
	days, nanos int64
	year        int64
	month, day  int
	zone        bool // it has one, UTC
}

func momentAt(v vector.Int128, zone bool) *moment {
	m := &moment{zone: zone}
	m.days, m.nanos = vector.SplitWide(v)
	m.year, m.month, m.day = vector.CivilDate(m.days)
	return m
}

func appendTemplate(dst []byte, parts []templatePart, m *moment) []byte {
	for _, p := range parts {
		switch {
		case p.keyword == "":
			dst = append(dst, p.text...)
		case slices.Contains(named, p.keyword):
			dst = append(dst, m.name(p)...)
		default:
			dst = append(dst, m.field(p)...)
		}
	}
	return dst
}

// name is the name of the month or of the day.
func (m *moment) name(p templatePart) string {
	name := time.Month(m.month).String()
	if p.keyword[0] == 'D' || p.keyword[0] == 'd' {
		name = time.Weekday(m.weekday()).String()
	}
	width := 9
	if len(p.keyword) == 3 && p.keyword[0]|0x20 == 'm' || len(p.keyword) == 2 {
		name, width = name[:3], 3
	}
	switch p.keyword {
	case strings.ToUpper(p.keyword):
		name = strings.ToUpper(name)
	case strings.ToLower(p.keyword):
		name = strings.ToLower(name)
	}
	if p.fill {
		return name
	}
	return fmt.Sprintf("%-*s", width, name)
}

var romanMonths = strings.Fields("I II III IV V VI VII VIII IX X XI XII")

// weekday counts from Sunday.
func (m *moment) weekday() int64 { return ((m.days+4)%7 + 7) % 7 }

// yearDay counts from 1.
func (m *moment) yearDay() int64 { return m.days - vector.DaysFromCivil(m.year, 1, 1) + 1 }

// isoWeek is the year of ISO 8601, the first day of it, and the week.
func (m *moment) isoWeek() (year, first, week int64) {
	thursday := m.days - (m.weekday()+6)%7 + 3
	year, _, _ = vector.CivilDate(thursday)
	fourth := vector.DaysFromCivil(year, 1, 4) // is in the first week
	first = fourth - ((fourth+4)%7+7+6)%7%7
	return year, first, (thursday-first)/7 + 1
}

// field is any other keyword.
func (m *moment) field(p templatePart) string {
	hour, minute, second := m.nanos/3600e9, m.nanos/60e9%60, m.nanos/1e9%60
	micros := m.nanos / 1000 % 1e6
	half := "AM"
	if hour >= 12 {
		half = "PM"
	}
	era, shownYear := "AD", m.year
	if m.year <= 0 {
		era, shownYear = "BC", 1-m.year
	}
	isoYear, isoFirst, week := m.isoWeek()
	if isoYear <= 0 {
		isoYear = 1 - isoYear
	}
	small := p.keyword != strings.ToUpper(p.keyword)
	letters := func(text string) string {
		if small {
			return strings.ToLower(text)
		}
		return text
	}
	number := func(v int64, width int) string {
		if p.fill {
			width = 0
		}
		return p.withEnding(fmt.Sprintf("%0*d", width, v))
	}
	switch keyword := strings.ToUpper(p.keyword); keyword {
	case "HH", "HH12":
		return number((hour+11)%12+1, 2)
	case "HH24":
		return number(hour, 2)
	case "MI":
		return number(minute, 2)
	case "SS":
		return number(second, 2)
	case "SSSS", "SSSSS":
		return number(m.nanos/1e9, 0)
	case "MS":
		p.fill = false
		return number(micros/1000, 3)
	case "US":
		p.fill = false
		return number(micros, 6)
	case "FF1", "FF2", "FF3", "FF4", "FF5", "FF6":
		digits := int(keyword[2] - '0')
		for range 6 - digits {
			micros /= 10
		}
		p.fill = false
		return number(micros, digits)
	case "AM", "PM":
		return letters(half)
	case "A.M.", "P.M.":
		return letters(half[:1] + "." + half[1:] + ".")
	case "AD", "BC":
		return letters(era)
	case "A.D.", "B.C.":
		return letters(era[:1] + "." + era[1:] + ".")
	case "TZ":
		if !m.zone {
			return ""
		}
		return letters("UTC")
	case "OF":
		if p.fill {
			return "+0"
		}
		return "+00"
	case "TZH":
		return "+00"
	case "TZM":
		return "00"
	case "MM":
		return number(int64(m.month), 2)
	case "RM":
		roman := letters(romanMonths[m.month-1])
		if p.fill {
			return roman
		}
		return fmt.Sprintf("%-4s", roman)
	case "DDD":
		return number(m.yearDay(), 3)
	case "IDDD":
		return number(m.days-isoFirst+1, 3)
	case "DD":
		return number(int64(m.day), 2)
	case "D":
		return number(m.weekday()+1, 0)
	case "ID":
		return number((m.weekday()+6)%7+1, 0)
	case "WW":
		return number((m.yearDay()-1)/7+1, 2)
	case "IW":
		return number(week, 2)
	case "W":
		return number(int64(m.day-1)/7+1, 0)
	case "Q":
		return number(int64(m.month-1)/3+1, 0)
	case "CC":
		if m.year > 0 {
			return number((m.year-1)/100+1, 2)
		}
		return number(m.year/100-1, 2)
	case "J":
		return number(m.days+2440588, 0)
	case "Y,YYY":
		p.fill = true
		thousands := shownYear / 1000
		return strconv.FormatInt(thousands, 10) + "," + strings.TrimPrefix(number(1000+shownYear%1000, 0), "1")
	case "YYYY":
		return number(shownYear, 4)
	case "YYY":
		return number(shownYear%1000, 3)
	case "YY":
		return number(shownYear%100, 2)
	case "Y":
		return number(shownYear%10, 1)
	case "IYYY":
		return number(isoYear, 4)
	case "IYY":
		return number(isoYear%1000, 3)
	case "IY":
		return number(isoYear%100, 2)
	case "I":
		return number(isoYear%10, 1)
	}
	return ""
}
