package text

import (
	"errors"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// numberTemplate is a template for numbers.
type numberTemplate struct {
	items     []numberItem
	pre, post int // digits before and behind the point
	zero      int // the digit before the point from which zeros are written, from 0; -1: none
	zeroEnd   int // how many digits lead to the last 0
	point     bool
	fill      bool // FM
	plus      bool // PL, SG
	minus     bool // MI, SG
	bracket   bool // PR
	sign      byte // S: '<' before the digits, '>' behind them
	signAt    int  // digits before S
	shift     int  // digits behind V: powers of ten that multiply the number
	multiply  bool // V
	science   bool // EEEE
	small     bool // of integers; those of 32 bits are rounded as DOUBLE then
	roman     byte // RN, or rn
}

// numberItem is a part of a template: a digit (9, 0), the point (.), a comma, a sign (M, P, S for SG), an ending
// (T, t), the currency (L), or text.
type numberItem struct {
	kind byte
	text string
}

var (
	errSigns = errors.New("the signs S, PL, MI, SG and PR do not stand together")
	errOnce  = errors.New("the point, S, PR and RN stand once")
	errPoint = errors.New("the point and V do not stand together")
	errLast  = errors.New("EEEE stands at the end")
	errAlone = errors.New("EEEE stands beside digits and the point alone")
)

// parseNumber reads a template.
func parseNumber(template string) (*numberTemplate, error) {
	f := &numberTemplate{zero: -1}
	for template != "" {
		var ok bool
		var err error
		if template[0] == '"' {
			template = quotedText(template[1:], f.literal)
			continue
		}
		if template, ok, err = f.keyword(template); err != nil {
			return nil, err
		}
		if !ok {
			f.literal(template[:1])
			template = template[1:]
		}
	}
	if f.sign == '<' && f.signAt == f.pre {
		f.sign = '>'
	}
	if f.pre+f.post > maxPadding {
		return nil, errFormatNumber
	}
	return f, nil
}

func (f *numberTemplate) literal(text string) { f.add(0, text) }

func (f *numberTemplate) add(kind byte, text string) {
	f.items = append(f.items, numberItem{kind, text})
}

// keyword reads one.
func (f *numberTemplate) keyword(template string) (rest string, ok bool, err error) {
	if _, is := prefixed(template, "SP"); is {
		return "", false, errs.Unsupported("SP in a template for numbers")
	}
	for _, word := range []string{"EEEE", "RN", "FM", "B", "V", "MI", "PL", "PR", "SG", "TH", "9", "0", ".", "D", ",", "G", "L", "S"} {
		rest, is := prefixed(template, word)
		if !is {
			continue
		}
		signed := f.plus || f.minus
		if f.science {
			return "", false, errLast
		}
		switch word {
		case "EEEE":
			if f.fill || f.sign != 0 || f.bracket || signed || f.roman != 0 || f.multiply {
				return "", false, errAlone
			}
			f.science = true
		case "RN":
			if f.roman != 0 {
				return "", false, errOnce
			}
			if f.roman = 'R'; template[0] == 'r' {
				f.roman = 'r'
			}
			f.add('R', "")
		case "V":
			if f.point {
				return "", false, errPoint
			}
			f.multiply = true
		case "B": // blank zeros, which PostgreSQL writes all the same
		case "FM":
			f.fill = true
		case "MI", "PL", "SG":
			if f.sign != 0 || f.bracket {
				return "", false, errSigns
			}
			f.minus, f.plus = f.minus || word != "PL", f.plus || word != "MI"
			f.add(map[string]byte{"MI": 'M', "PL": 'P', "SG": 'S'}[word], "")
		case "PR":
			if f.sign != 0 || signed {
				return "", false, errSigns
			}
			if f.bracket {
				return "", false, errOnce
			}
			f.bracket = true
		case "S":
			switch {
			case f.sign != 0:
				return "", false, errOnce
			case signed || f.bracket:
				return "", false, errSigns
			case f.point:
				f.sign = '>'
			default:
				f.sign, f.signAt = '<', f.pre-f.shift
			}
		case "TH":
			f.add(template[0], "")
		case "9", "0":
			f.digit(word[0])
		case ".", "D":
			switch {
			case f.multiply:
				return "", false, errPoint
			case f.point:
				return "", false, errOnce
			}
			f.point = true
			f.add('.', "")
		case ",", "G":
			f.add(',', "")
		case "L":
			f.literal(" ") // of no currency
		}
		return rest, true, nil
	}
	return template, false, nil
}

func (f *numberTemplate) digit(c byte) {
	if f.multiply && c == '9' {
		f.shift++
	}
	if c == '0' && f.zero < 0 && !f.point {
		f.zero = f.pre
	}
	if f.point {
		f.post++
	} else {
		f.pre++
	}
	if c == '0' {
		f.zeroEnd = f.pre + f.post
	}
	f.add(c, "")
}

// numberWriter writes one number.
type numberWriter struct {
	*numberTemplate
	dst      []byte
	number   string // without its sign
	post     int    // its digits behind the point
	at       int    // in number
	negative bool
	place    int // digits and points of the template so far
	blanks   int // digits before the point that the number does not have
	last     int // in number, the last digit that FM leaves; -1: all
	signed   bool
	bracket  bool
	end      int
	begun    bool // the item before has written a digit
	ended    bool // the number has no more digits: PostgreSQL's text ends there
}

// append writes a number that has so many digits behind the point, and its sign.
func (f *numberTemplate) append(dst []byte, number string, post int) []byte {
	w := numberWriter{numberTemplate: f, dst: dst, post: post, last: -1, bracket: f.bracket}
	w.number, w.negative = strings.CutPrefix(number, "-")
	whole, _, _ := strings.Cut(w.number, ".")
	switch {
	case len(whole) > f.pre:
		w.number = strings.Repeat("#", f.pre) + "." + strings.Repeat("#", post)
	default:
		w.blanks = f.pre - len(whole)
	}
	switch {
	case f.plus || f.minus:
		w.signed = !f.plus || f.minus
	case w.negative:
	default:
		w.bracket = f.bracket && !f.fill
		w.signed = f.fill && f.sign == 0
	}
	w.end = post + f.pre - 1
	if f.fill && f.point {
		w.lastRelevant()
	}
	if !w.signed && w.blanks == 0 {
		w.end++
	}
	for _, item := range f.items {
		if w.item(item); w.ended {
			break
		}
	}
	return w.dst
}

// lastRelevant finds what FM leaves of the digits behind the point.
func (w *numberWriter) lastRelevant() {
	point := strings.IndexByte(w.number, '.')
	if point < 0 {
		return
	}
	w.last = point
	for i := point + 1; i < len(w.number); i++ {
		if w.number[i] != '0' {
			w.last = i
		}
	}
	if w.zeroEnd > w.blanks {
		w.last = max(w.last, min(len(w.number)-1, w.zeroEnd-w.blanks))
	}
}

func (w *numberWriter) item(item numberItem) {
	write := func(set bool, c byte) {
		switch {
		case set:
			w.dst = append(w.dst, c)
		case !w.fill:
			w.dst = append(w.dst, ' ')
		}
	}
	switch item.kind {
	case 0:
		w.dst = append(w.dst, item.text...)
	case ',':
		write(w.begun, ',')
	case 'M':
		write(w.negative, '-')
	case 'P':
		write(!w.negative, '+')
	case 'S':
		w.dst = append(w.dst, w.signOf())
	case 'T', 't':
		if w.negative || w.point || strings.HasPrefix(w.number, "#") {
			return
		}
		ending := ordinal(w.number)
		if item.kind == 'T' {
			ending = strings.ToUpper(ending)
		}
		w.dst = append(w.dst, ending...)
	default:
		w.digitOf(item.kind)
	}
}

func (w *numberWriter) signOf() byte {
	if w.negative {
		return '-'
	}
	return '+'
}

// beforePoint reports whether the digit to come is a lone 0 before the point, which a 9 leaves blank.
func (w *numberWriter) beforePoint() bool {
	return w.zero < 0 && w.at == 0 && strings.HasPrefix(w.number, "0") && w.post > 0
}

// digitOf writes what stands for a 9, a 0 or the point.
func (w *numberWriter) digitOf(kind byte) {
	w.begun = false
	onPoint := w.last >= 0 && w.number[w.last] == '.'
	zeros := w.zero >= 0 && w.place < w.blanks && w.zero <= w.place
	if !w.signed && (w.place >= w.blanks || w.zero >= 0 && w.zero == w.place) && (!w.beforePoint() || onPoint) {
		w.writeSign()
	}
	switch {
	case w.place < w.blanks && !zeros:
		if !w.fill {
			w.dst = append(w.dst, ' ')
		}
	case zeros:
		w.dst = append(w.dst, '0')
		w.begun = true
	case w.at == len(w.number):
		w.ended = true
		return
	default:
		w.numberChar(kind, onPoint)
	}
	end := w.end
	if w.blanks > 0 {
		end++
	}
	if w.point {
		end++
	}
	if w.last >= 0 && w.last == w.at {
		end = w.place
	}
	if w.place+1 == end {
		switch {
		case w.signed && w.bracket && w.negative:
			w.dst = append(w.dst, '>')
		case w.signed && w.bracket:
			w.dst = append(w.dst, ' ')
		case w.sign == '>':
			w.dst = append(w.dst, w.signOf())
		}
	}
	w.place++
}

// numberChar writes the next character of the number.
func (w *numberWriter) numberChar(kind byte, onPoint bool) {
	switch {
	case w.number[w.at] == '.':
		w.dst = append(w.dst, '.')
	case w.last >= 0 && w.at > w.last && kind != '0':
	case w.beforePoint():
		if !w.fill {
			w.dst = append(w.dst, ' ')
		} else if onPoint {
			w.dst = append(w.dst, '0')
		}
	default:
		w.dst = append(w.dst, w.number[w.at])
		w.begun = true
	}
	w.at++
}

func (w *numberWriter) writeSign() {
	switch {
	case w.sign == '<':
		w.dst = append(w.dst, w.signOf())
	case w.sign != 0:
		return
	case w.bracket && w.negative:
		w.dst = append(w.dst, '<')
	case w.negative:
		w.dst = append(w.dst, '-')
	case w.bracket, !w.fill:
		w.dst = append(w.dst, ' ')
	}
	w.signed = true
}
