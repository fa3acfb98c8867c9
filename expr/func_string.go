package expr

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/vector"
)

// stringFunctions change and measure strings. Positions and lengths count
// characters.
var stringFunctions = map[string]binder{
	"LOWER":            viewing(strings.ToLower),
	"LCASE":            viewing(strings.ToLower),
	"UPPER":            viewing(strings.ToUpper),
	"UCASE":            viewing(strings.ToUpper),
	"INITCAP":          appending1(appendInitcap),
	"REVERSE":          appending1(appendReverse),
	"LENGTH":           lengthOf,
	"LEN":              lengthOf,
	"CHAR_LENGTH":      counting(countRunes),
	"CHARACTER_LENGTH": counting(countRunes),
	"STRLEN":           counting(countBytes),
	"OCTET_LENGTH":     fixed(typeInt, map1(countBytes), false, wantBytes),
	"BIT_LENGTH":       fixed(typeInt, map1(func(s string) int64 { return int64(len(s)) * 8 }), false, wantBytes),
	"ASCII":            counting(firstRune),
	"UNICODE":          counting(codePoint),
	"ORD":              counting(codePoint),
	"CHR":              fixed(typeText, text1(appendRune), true, wantInt),
	"CHAR":             fixed(typeText, text1(appendRune), true, wantInt),
	"TRIM":             trimming(strings.TrimLeft, strings.TrimRight),
	"BTRIM":            trimming(strings.TrimLeft, strings.TrimRight),
	"LTRIM":            trimming(strings.TrimLeft, keepAll),
	"RTRIM":            trimming(keepAll, strings.TrimRight),
	"SUBSTRING":        byCount(2, substringFrom, substringOf),
	"SUBSTR":           byCount(2, substringFrom, substringOf),
	"MID":              byCount(2, substringFrom, substringOf),
	"LEFT":             fixed(typeText, map2(leftOf), false, wantText, wantInt),
	"RIGHT":            fixed(typeText, map2(rightOf), false, wantText, wantInt),
	"REPLACE":          fixed(typeText, text3(appendReplaced), true, wantText, wantText, wantText),
	"TRANSLATE":        fixed(typeText, text3(appendTranslated), true, wantText, wantText, wantText),
	"||":               func(_ string, args []Expr) (Expr, error) { return NewConcat(args...) },
	"CONCAT":           concatenate(false),
	"CONCAT_WS":        concatenate(true),
	"SPLIT_PART":       fixed(typeText, map3(splitPart), true, wantText, wantText, wantInt),
	"SUBSTRING_INDEX":  fixed(typeText, map3(substringIndex), true, wantText, wantText, wantInt),
	"STRCMP":           fixed(typeInt, map2(func(a, b string) int64 { return int64(strings.Compare(a, b)) }), false, wantText, wantText),
}

func counting(f func(string) int64) binder { return fixed(typeInt, map1(f), false, wantText) }

func appending1(f func([]byte, string) ([]byte, outcome)) binder {
	return fixed(typeText, text1(f), true, wantText)
}

// lengthOf counts the characters of a string and the elements of a LIST or MAP.
func lengthOf(name string, args []Expr) (Expr, error) {
	if len(args) == 1 && args[0].Type().IsNested() {
		return cardinality(name, args)
	}
	return counting(countRunes)(name, args)
}

func countRunes(s string) int64 { return int64(utf8.RuneCountInString(s)) }

func countBytes(s string) int64 { return int64(len(s)) }

// codePoint is the number of the first character; of ” it is -1, as in DuckDB.
func codePoint(s string) int64 {
	if s == "" {
		return -1
	}
	return firstRune(s)
}

// firstRune is codePoint for ASCII, which is 0 of ”.
func firstRune(s string) int64 {
	if s == "" {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(s)
	return int64(r)
}

func appendRune(dst []byte, v int64) ([]byte, outcome) {
	if v < 0 || v > utf8.MaxRune || !utf8.ValidRune(rune(v)) {
		return dst, outcome{err: fmt.Errorf("CHR: there is no character %d", v)}
	}
	return utf8.AppendRune(dst, rune(v)), outcome{}
}

func appendReverse(dst []byte, s string) ([]byte, outcome) {
	for s != "" {
		_, size := utf8.DecodeLastRuneInString(s)
		dst = append(dst, s[len(s)-size:]...)
		s = s[:len(s)-size]
	}
	return dst, outcome{}
}

// appendInitcap has the first letter of each word in upper case, the others in lower.
func appendInitcap(dst []byte, s string) ([]byte, outcome) {
	inside := false
	for _, r := range s {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		switch {
		case !letter:
		case inside:
			r = unicode.ToLower(r)
		default:
			r = unicode.ToUpper(r)
		}
		inside = letter
		dst = utf8.AppendRune(dst, r)
	}
	return dst, outcome{}
}

func keepAll(s, _ string) string { return s }

// trimming takes blanks, or any of the characters of a second argument, off
// the ends.
func trimming(left, right func(s, cut string) string) binder {
	return byCount(1,
		viewing(func(s string) string { return right(left(s, " "), " ") }),
		fixed(typeText, map2(func(s, cut string) string { return right(left(s, cut), cut) }), false, wantText, wantText))
}

var (
	substringFrom = fixed(typeText, map2(func(s string, start int64) string { return substring(s, start, int64(len(s))+1, false) }), false, wantText, wantInt)
	substringOf   = fixed(typeText, map3(func(s string, start, n int64) string { return substring(s, start, n, true) }), false, wantText, wantInt, wantInt)
)

// substring counts from 1, from the end where start is negative. Characters
// before the first one count towards the length, and a negative length goes
// to the left of start. Without a length everything from start is taken.
func substring(s string, start, length int64, bounded bool) string {
	const far = 1 << 40 // beyond every string; sums of it do not overflow
	n := countRunes(s)
	from := min(max(start, -far), far) - 1
	if start < 0 {
		from += n + 1
	}
	to := n
	if bounded {
		to = from + min(max(length, -far), far)
		if length < 0 {
			from, to = to, from
		}
	}
	from, to = min(max(from, 0), n), min(max(to, 0), n)
	if from >= to {
		return ""
	}
	return slicesOf(s, from, to, n)
}

// slicesOf is the characters from (inclusive) to (exclusive) of the n in s.
func slicesOf(s string, from, to, n int64) string {
	if n == int64(len(s)) {
		return s[from:to]
	}
	begin := runeOffset(s, from)
	return s[begin : begin+runeOffset(s[begin:], to-from)]
}

// runeOffset is where the n-th character begins.
func runeOffset(s string, n int64) int {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// leftOf is the first n characters, all but the last -n where n is negative.
func leftOf(s string, n int64) string {
	if n < 0 {
		n = max(countRunes(s)+n, 0)
	}
	return s[:runeOffset(s, n)]
}

// rightOf is the last n characters, all but the first -n where n is negative.
func rightOf(s string, n int64) string {
	if n < 0 {
		return s[runeOffset(s, max(-n, 0)):]
	}
	return s[runeOffset(s, max(countRunes(s)-n, 0)):]
}

func appendReplaced(dst []byte, s, old, with string) ([]byte, outcome) {
	if old == "" {
		return append(dst, s...), outcome{}
	}
	for start := len(dst); ; {
		at := strings.Index(s, old)
		if at < 0 {
			return append(dst, s...), outcome{}
		}
		dst = append(append(dst, s[:at]...), with...)
		s = s[at+len(old):]
		if len(dst)-start > maxValueText {
			return dst, outcome{err: errTooLong}
		}
	}
}

// appendTranslated replaces characters of from by those of to at the same
// place, and drops those beyond the end of to.
func appendTranslated(dst []byte, s, from, to string) ([]byte, outcome) {
	for _, r := range s {
		at := strings.IndexRune(from, r)
		if at < 0 {
			dst = utf8.AppendRune(dst, r)
			continue
		}
		k := countRunes(from[:at])
		begin := runeOffset(to, k)
		if begin < len(to) {
			_, size := utf8.DecodeRuneInString(to[begin:])
			dst = append(dst, to[begin:begin+size]...)
		}
	}
	return dst, outcome{}
}

// splitPart is the n-th part between separators, from the end where n is
// negative; empty where there is none. Between empty separators lie the
// characters.
func splitPart(s, separator string, n int64) string {
	if separator == "" {
		if n == 0 {
			return ""
		}
		return substring(s, n, 1, true)
	}
	parts := int64(strings.Count(s, separator)) + 1
	if n < 0 {
		n += parts + 1
	}
	if n < 1 || n > parts {
		return ""
	}
	for ; n > 1; n-- {
		s = s[strings.Index(s, separator)+len(separator):]
	}
	if at := strings.Index(s, separator); at >= 0 {
		return s[:at]
	}
	return s
}

// substringIndex is everything before the n-th separator, or after the n-th
// from the end.
func substringIndex(s, separator string, n int64) string {
	if separator == "" || n == 0 {
		return ""
	}
	at := 0
	if n > 0 {
		for ; n > 0; n-- {
			next := strings.Index(s[at:], separator)
			if next < 0 {
				return s
			}
			at += next + len(separator)
		}
		return s[:at-len(separator)]
	}
	at = len(s)
	for ; n < 0; n++ {
		if at = strings.LastIndex(s[:at], separator); at < 0 {
			return s
		}
	}
	return s[at+len(separator):]
}

// concatNode is CONCAT and CONCAT_WS, which skip NULLs.
type concatNode struct {
	args      []node
	separator bool // the first argument goes between the others, and NULL makes NULL
	texts     textBuffer
	argv      []*vector.Vector
	out       result
}

func concatenate(separator bool) binder {
	return func(name string, args []Expr) (Expr, error) {
		if len(args) == 0 || separator && len(args) < 2 {
			return nil, fmt.Errorf("%s needs an argument", name)
		}
		bound := make([]Expr, len(args))
		for i, a := range args {
			var err error
			if bound[i], err = textOperand(name, a); err != nil {
				return nil, err
			}
		}
		impl := &routine{node: func() node {
			return &concatNode{args: compileAll(bound), separator: separator, argv: make([]*vector.Vector, len(bound))}
		}}
		return fold(&Call{Name: name, Args: bound, T: typeText, impl: impl}), nil
	}
}

func (c *concatNode) eval(f *frame, rows []int32) (*vector.Vector, error) {
	for i, a := range c.args {
		var err error
		if c.argv[i], err = a.eval(f, rows); err != nil {
			return nil, err
		}
	}
	c.out.reset(typeText, f.n)
	return &c.out.Vector, c.texts.fill(rows, f.n, &c.out, c.appendRow)
}

func (c *concatNode) appendRow(dst []byte, i int32) ([]byte, outcome) {
	parts, between := c.argv, ""
	if c.separator {
		if parts[0].IsNull(int(i)) {
			return dst, outcome{null: true}
		}
		between, parts = textAt(parts[0], i), parts[1:]
	}
	first := true
	for _, v := range parts {
		if v.IsNull(int(i)) {
			continue
		}
		if !first {
			dst = append(dst, between...)
		}
		dst, first = append(dst, textAt(v, i)...), false
	}
	return dst, outcome{}
}

// textAt is row i of a string vector of any form.
func textAt(v *vector.Vector, i int32) string {
	switch v.Form {
	case vector.Constant:
		return v.Str[0]
	case vector.Dictionary:
		return v.Dict.Str[v.Codes[i]]
	}
	return v.Str[i]
}

// NewConcat is || : NULL where an operand is. It joins texts, or bytes.
func NewConcat(args ...Expr) (Expr, error) {
	ret, operand := typeText, want(wantText)
	for _, a := range args {
		if a.Type().Kind == vector.Blob {
			ret, operand = typeBlob, func(function string, e Expr) (Expr, error) {
				if _, ok := textLiteral(e); ok || e.Type().Kind == vector.Null {
					return NewCast(e, typeBlob, false)
				}
				if e.Type().Kind != vector.Blob {
					return nil, noOperator(OpConcat, typeBlob, e.Type())
				}
				return e, nil
			}
		}
	}
	e := args[0]
	for _, a := range args[1:] {
		if a.Type().IsNested() || e.Type().IsNested() {
			return nil, unsupportedNested("||", a.Type())
		}
		var err error
		e, err = newCall("||", []Expr{e, a}, ret, text2(func(dst []byte, x, y string) ([]byte, outcome) {
			return append(append(dst, x...), y...), outcome{}
		}), true, operand, operand)
		if err != nil {
			return nil, err
		}
	}
	return e, nil
}
