package text

import (
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/vector"
)

// templatePart is a keyword of a template for dates, or text that stands for itself.
type templatePart struct {
	keyword string // empty: text
	upper   string // keyword in capital letters
	name    bool   // of the month or the day
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
			part.keyword, part.name, rest, ok = k, true, after, true
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
	part.upper = strings.ToUpper(part.keyword)
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

func appendTemplate(dst []byte, parts []templatePart, v vector.Int128, zone bool) []byte {
	m := moment{zone: zone}
	m.days, m.nanos = vector.SplitWide(v)
	m.year, m.month, m.day = vector.CivilDate(m.days)
	for i := range parts {
		switch p := &parts[i]; {
		case p.keyword == "":
			dst = append(dst, p.text...)
		case p.name:
			dst = m.appendName(dst, p)
		default:
			dst = m.appendField(dst, p)
		}
	}
	return dst
}

// appendName writes the name of the month or of the day.
func (m *moment) appendName(dst []byte, p *templatePart) []byte {
	name := time.Month(m.month).String()
	if p.upper[0] == 'D' {
		name = time.Weekday(m.weekday()).String()
	}
	width := 9
	if p.upper == "MON" || p.upper == "DY" {
		name, width = name[:3], 3
	}
	from := len(dst)
	dst = append(dst, name...)
	switch letters := dst[from:]; {
	case p.keyword[0] >= 'a': // day
		letters[0] |= 0x20
	case p.keyword[1] < 'a': // DAY
		for i := range letters {
			letters[i] &^= 0x20
		}
	}
	for len(dst) < from+width && !p.fill {
		dst = append(dst, ' ')
	}
	return dst
}

// appendWord writes capital letters as the keyword has them.
func (p *templatePart) appendWord(dst []byte, word string) []byte {
	if p.keyword != p.upper {
		word = strings.ToLower(word)
	}
	return append(dst, word...)
}

// appendNumber writes a number with leading zeros, unless FM leaves them out.
func (p *templatePart) appendNumber(dst []byte, v int64, width int) []byte {
	if p.fill {
		width = 0
	}
	return p.appendPadded(dst, v, width)
}

func (p *templatePart) appendPadded(dst []byte, v int64, width int) []byte {
	from := len(dst)
	if v < 0 {
		dst, v, width = append(dst, '-'), -v, width-1
	}
	var memory [20]byte
	digits := strconv.AppendInt(memory[:0], v, 10)
	for range width - len(digits) {
		dst = append(dst, '0')
	}
	dst = append(dst, digits...)
	if p.ending == "" {
		return dst
	}
	return append(dst[:from], p.withEnding(string(dst[from:]))...)
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

// appendField writes any other keyword.
func (m *moment) appendField(dst []byte, p *templatePart) []byte {
	shownYear, micros := m.year, m.nanos/1000%1e6
	if m.year <= 0 {
		shownYear = 1 - m.year
	}
	hour := m.nanos / 3600e9
	switch p.upper {
	case "HH", "HH12":
		return p.appendNumber(dst, (hour+11)%12+1, 2)
	case "HH24":
		return p.appendNumber(dst, hour, 2)
	case "MI":
		return p.appendNumber(dst, m.nanos/60e9%60, 2)
	case "SS":
		return p.appendNumber(dst, m.nanos/1e9%60, 2)
	case "SSSS", "SSSSS":
		return p.appendNumber(dst, m.nanos/1e9, 0)
	case "MS":
		return p.appendPadded(dst, micros/1000, 3)
	case "US":
		return p.appendPadded(dst, micros, 6)
	case "FF1", "FF2", "FF3", "FF4", "FF5", "FF6":
		digits := int(p.upper[2] - '0')
		for range 6 - digits {
			micros /= 10
		}
		return p.appendPadded(dst, micros, digits)
	case "AM", "PM":
		return p.appendWord(dst, half(hour))
	case "A.M.", "P.M.":
		return p.appendWord(dst, half(hour)[:1]+".M.")
	case "AD", "BC":
		return p.appendWord(dst, m.era())
	case "A.D.", "B.C.":
		return p.appendWord(dst, m.era()[:1]+"."+m.era()[1:]+".")
	case "TZ":
		if !m.zone {
			return dst
		}
		return p.appendWord(dst, "UTC")
	case "OF":
		if p.fill {
			return append(dst, "+0"...)
		}
		return append(dst, "+00"...)
	case "TZH":
		return append(dst, "+00"...)
	case "TZM":
		return append(dst, "00"...)
	case "MM":
		return p.appendNumber(dst, int64(m.month), 2)
	case "RM":
		from := len(dst)
		dst = p.appendWord(dst, romanMonths[m.month-1])
		for len(dst) < from+4 && !p.fill {
			dst = append(dst, ' ')
		}
		return dst
	case "DDD":
		return p.appendNumber(dst, m.yearDay(), 3)
	case "IDDD":
		_, first, _ := m.isoWeek()
		return p.appendNumber(dst, m.days-first+1, 3)
	case "DD":
		return p.appendNumber(dst, int64(m.day), 2)
	case "D":
		return p.appendNumber(dst, m.weekday()+1, 0)
	case "ID":
		return p.appendNumber(dst, (m.weekday()+6)%7+1, 0)
	case "WW":
		return p.appendNumber(dst, (m.yearDay()-1)/7+1, 2)
	case "IW":
		_, _, week := m.isoWeek()
		return p.appendNumber(dst, week, 2)
	case "W":
		return p.appendNumber(dst, int64(m.day-1)/7+1, 0)
	case "Q":
		return p.appendNumber(dst, int64(m.month-1)/3+1, 0)
	case "CC":
		if m.year > 0 {
			return p.appendNumber(dst, (m.year-1)/100+1, 2)
		}
		return p.appendNumber(dst, m.year/100-1, 2)
	case "J":
		return p.appendNumber(dst, m.days+2440588, 0)
	case "Y,YYY":
		dst = append(strconv.AppendInt(dst, shownYear/1000, 10), ',')
		return p.appendPadded(dst, shownYear%1000, 3)
	case "YYYY":
		return p.appendNumber(dst, shownYear, 4)
	case "YYY":
		return p.appendNumber(dst, shownYear%1000, 3)
	case "YY":
		return p.appendNumber(dst, shownYear%100, 2)
	case "Y":
		return p.appendNumber(dst, shownYear%10, 1)
	case "IYYY":
		return p.appendNumber(dst, m.isoYear(), 4)
	case "IYY":
		return p.appendNumber(dst, m.isoYear()%1000, 3)
	case "IY":
		return p.appendNumber(dst, m.isoYear()%100, 2)
	case "I":
		return p.appendNumber(dst, m.isoYear()%10, 1)
	}
	return dst
}

func half(hour int64) string {
	if hour < 12 {
		return "AM"
	}
	return "PM"
}

func (m *moment) era() string {
	if m.year > 0 {
		return "AD"
	}
	return "BC"
}

// isoYear is the year of ISO 8601 as it is shown.
func (m *moment) isoYear() int64 {
	year, _, _ := m.isoWeek()
	if year <= 0 {
		year = 1 - year
	}
	return year
}
