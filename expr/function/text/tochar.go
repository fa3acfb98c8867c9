package text

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// ToCharFunctions write values by PostgreSQL's templates (Data Type Formatting Functions in its manual).
var ToCharFunctions = []expr.Function{
	{Name: "TO_CHAR", Help: "the date, time or number as text by a template of PostgreSQL", Example: "TO_CHAR(DATE '2024-02-29', 'FMDay, DD Mon YYYY') → Thursday, 29 Feb 2024",
		Binding: define.Custom(toChar, "number, 'format' → VARCHAR", "DATE | TIMESTAMP | TIMESTAMPTZ | INTERVAL, 'format' → VARCHAR")},
}

func toChar(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if c, ok := args[1].(*expr.Const); ok && c.Value.Null {
		return expr.NewConst(vector.NullOf(define.TypeText)), nil
	}
	template, err := define.ConstantText(call.Name, "format", args[1])
	if err != nil {
		return nil, err
	}
	x, t := args[0], args[0].Type()
	operation := kernel.Operation{Careful: true}
	switch {
	case t.IsNumeric():
		format, err := parseNumber(template)
		if err != nil {
			return nil, fmt.Errorf("%s: the template %q: %w", call.Name, template, err)
		}
		format.small = t.IsInteger()
		if x, err = asNumber(x, format.needs(t)); err != nil {
			return nil, err
		}
		operation.Make = kernel.Text1(func(dst []byte, number string) ([]byte, kernel.Outcome) {
			return format.appendDecimal(dst, number), kernel.Outcome{}
		})
		if x.Type().Kind == vector.Double {
			operation.Make = kernel.Text1(func(dst []byte, v float64) ([]byte, kernel.Outcome) {
				return format.appendFloat(dst, v), kernel.Outcome{}
			})
		}
	case t.Kind == vector.Date || t.IsTimestamp():
		parts := parseTemplate(template)
		if template == "" {
			return expr.NewConst(vector.NullOf(define.TypeText)), nil
		}
		zone := t.Kind != vector.Timestamp // a DATE becomes a TIMESTAMPTZ
		if x, err = expr.NewCast(x, vector.TimestampType(vector.Wide, t.Kind == vector.TimestampTZ), false); err != nil {
			return nil, err
		}
		operation.Make = kernel.Text1(func(dst []byte, v vector.Int128) ([]byte, kernel.Outcome) {
			return appendTemplate(dst, parts, v, zone), kernel.Outcome{}
		})
	case t.Kind == vector.Interval:
		parts := parseTemplate(template)
		if template == "" {
			return expr.NewConst(vector.NullOf(define.TypeText)), nil
		}
		if err := checkInterval(parts); err != nil {
			return nil, fmt.Errorf("%s: the template %q: %w", call.Name, template, err)
		}
		operation.Make = kernel.Text1(func(dst []byte, v vector.IntervalValue) ([]byte, kernel.Outcome) {
			return appendInterval(dst, parts, spanOf(v)), kernel.Outcome{}
		})
	default:
		return nil, errs.Unsupported("%s of %s: it takes numbers, dates, timestamps and intervals", call.Name, t)
	}
	// The arguments stay as they were: the call is bound again where a rule changes them.
	return expr.NewCall(call, args, define.TypeText, &expr.Routine{Args: []expr.Expr{x}, Operation: operation}), nil
}

// asNumber is the text of an integer or DECIMAL with so many digits behind the point, rounded away
// from zero, and of others a DOUBLE.
func asNumber(x expr.Expr, post int) (expr.Expr, error) {
	t := x.Type()
	switch {
	case t.IsFloat():
		return expr.NewCast(x, vector.Of(vector.Double), false)
	case t.IsInteger():
		t = vector.DecimalType(20, 0)
	}
	whole := t.Precision - t.Scale
	x, err := expr.NewCast(x, vector.DecimalType(whole+1+post, post), false)
	if err != nil {
		return nil, err
	}
	return expr.NewCast(x, define.TypeText, false)
}

// needs is how many digits behind the point a number of a type is rounded to.
func (f *numberTemplate) needs(t vector.Type) int {
	switch {
	case f.roman != 0:
		return 0
	case f.science:
		return max(t.Scale, 0) // all
	}
	return f.post + f.shift
}

// appendDecimal writes the text of a number with the digits that the template needs.
func (f *numberTemplate) appendDecimal(dst []byte, number string) []byte {
	switch {
	case f.roman != 0:
		return f.appendRoman(dst, number)
	case f.science:
		if n, err := strconv.ParseInt(number, 10, 32); f.small && err == nil {
			return append(dst, scientificFloat(float64(n), f.post)...)
		}
		return append(dst, scientific(number, f.post)...)
	case f.shift > 0:
		sign := ""
		if strings.HasPrefix(number, "-") {
			sign, number = "-", number[1:]
		}
		number = strings.TrimLeft(strings.Replace(number, ".", "", 1), "0")
		if number == "" {
			sign, number = "", "0"
		}
		number = sign + number
	}
	return f.append(dst, number, f.post)
}

// appendFloat writes a DOUBLE.
func (f *numberTemplate) appendFloat(dst []byte, v float64) []byte {
	switch {
	case f.roman != 0:
		return f.appendRoman(dst, strconv.FormatFloat(math.RoundToEven(v), 'f', 0, 64))
	case f.science:
		return append(dst, scientificFloat(v, f.post)...)
	case f.shift > 0:
		v *= math.Pow10(f.shift)
	}
	text, post := fixed(v, f.post)
	return f.append(dst, text, post)
}

// appendRoman writes the template's text and the number where RN stands.
func (f *numberTemplate) appendRoman(dst []byte, number string) []byte {
	text := romanNumeral(number)
	if f.roman == 'r' {
		text = strings.ToLower(text)
	}
	for _, item := range f.items {
		switch {
		case item.kind == 0:
			dst = append(dst, item.text...)
		case item.kind == 'R' && f.fill:
			dst = append(dst, text...)
		case item.kind == 'R':
			dst = fmt.Appendf(dst, "%*s", romanWidth, text)
		}
	}
	return dst
}

// fixed is a number with digits behind the point, of which PostgreSQL writes as many as make 15 in all.
func fixed(v float64, post int) (text string, have int) {
	const most = 15
	whole := len(strings.TrimPrefix(strconv.FormatFloat(v, 'f', 0, 64), "-"))
	have = min(post, max(0, most-whole))
	return strconv.FormatFloat(v, 'f', have, 64), have
}

// ordinal is the ending of a number: st, nd, rd, th.
func ordinal(number string) string {
	if n := len(number); n > 0 && (n < 2 || number[n-2] != '1') {
		switch number[n-1] {
		case '1':
			return "st"
		case '2':
			return "nd"
		case '3':
			return "rd"
		}
	}
	return "th"
}

// prefixed takes a word, in capital or in small letters, off a text.
func prefixed(text, word string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(text, word); ok {
		return rest, true
	}
	return strings.CutPrefix(text, strings.ToLower(word))
}
