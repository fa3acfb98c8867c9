// Package text has functions of texts:
//
//   - characters and words: string.go, concat.go, letters.go by_character.go (LOWER and UPPER), character.go, trim.go, pad.go, split.go, and unit.go, which counts characters or, with
//     grapheme.go and grapheme_tables.go, grapheme clusters; normalize.go, path.go
//   - regular expressions and patterns: regexp.go, regexp_replace.go, regexp_lists.go, regexp_long.go, glob.go
//   - hashes and encodings: hash.go, hash_number.go, base.go
//   - how like two texts are: similarity.go, jaro.go, levenshtein.go
//   - values as text: format.go with format_parse.go, format_printf.go and format_value.go; size.go; TO_CHAR is in tochar.go,
//     tochar_date.go, tochar_interval.go, tochar_number.go and tochar_science.go
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/substring"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Functions change and measure strings. Positions and lengths count
// characters.
var Functions = []expr.Function{
	{Name: "LOWER", Aliases: []string{"LCASE"}, Help: "the text in lower case", Example: "LOWER('PARQUET') → parquet",
		Total: true, NotNull: true, Binding: lettered(expr.LowerLetters)},
	{Name: "UPPER", Aliases: []string{"UCASE"}, Help: "the text in upper case", Example: "UPPER('parquet') → PARQUET",
		Total: true, NotNull: true, Binding: lettered(expr.Letters{Fold: substring.Upper, All: upper})},
	{Name: "INITCAP", Help: "the text with each word in lower case but for its first letter", Example: "INITCAP('hello world') → Hello World",
		Total: true, Binding: define.Fixed(define.TypeText, kernel.Pieces1(behindBlank, appendInitcap), true, define.WantText)},
	{Name: "REVERSE", Help: "the text from its end", Example: "REVERSE('abc') → cba",
		Total: true, Binding: define.Fixed(define.TypeText, kernel.TextWith1(appendReverse), true, define.WantText)},
	{Name: "STRLEN", Help: "the number of bytes", Example: "STRLEN('né') → 3",
		Total: true, NotNull: true, Binding: counting(countBytes)},
	{Name: "OCTET_LENGTH", Help: "the number of bytes", Example: "OCTET_LENGTH('né') → 3",
		Total: true, NotNull: true, Binding: define.Fixed(define.TypeInt, kernel.Map1(countBytes), false, define.WantBytes)},
	{Name: "BIT_LENGTH", Help: "the number of bits", Example: "BIT_LENGTH('né') → 24",
		Total: true, Binding: define.Fixed(define.TypeInt, kernel.Map1(func(s string) int64 { return int64(len(s)) * 8 }), false, define.WantBytes)},
	{Name: "ASCII", Help: "the code point of the first character; 0 of an empty text", Example: "ASCII('Ω') → 937",
		Total: true, Binding: counting(firstRune)},
	{Name: "UNICODE", Aliases: []string{"ORD"}, Help: "the code point of the first character; -1 of an empty text", Example: "UNICODE('Ω') → 937",
		Total: true, Binding: counting(codePoint)},
	{Name: "CHR", Aliases: []string{"CHAR"}, Help: "the character of a code point", Example: "CHR(937) → Ω",
		Binding: define.Fixed(define.TypeText, characterOf, true, define.WantInt)},
	{Name: "TRIM", Aliases: []string{"BTRIM"}, Help: "the text without blanks, or other characters, at both ends", Example: "TRIM('>> abc <<', '<> ') → abc",
		Total: true, Binding: trimming(true, true)},
	{Name: "LTRIM", Help: "the text without blanks, or other characters, at its beginning", Example: "LTRIM('  abc') → abc",
		Total: true, Binding: trimming(true, false)},
	{Name: "RTRIM", Help: "the text without blanks, or other characters, at its end", Example: "RTRIM('abc!!', '!') → abc",
		Total: true, Binding: trimming(false, true)},
	{Name: "SUBSTRING", Aliases: []string{"SUBSTR", "MID"}, Help: "the part of a text from a position on, counted from 1 or from the end", Example: "SUBSTRING('parquet', 4, 2) → qu",
		Total: true, Binding: define.Overloaded(substringFrom, substringOf)},
	{Name: "LEFT", Help: "the first characters, or all but the last ones if the number is negative", Example: "LEFT('parquet', 3) → par",
		Total: true, Binding: define.Fixed(define.TypeText, kernel.Long2(characters.left), false, define.WantText, define.WantInt)},
	{Name: "RIGHT", Help: "the last characters, or all but the first ones if the number is negative", Example: "RIGHT('parquet', 4) → quet",
		Total: true, Binding: define.Fixed(define.TypeText, kernel.Long2(characters.right), false, define.WantText, define.WantInt)},
	{Name: "REPLACE", Help: "the text with all places of another one replaced", Example: "REPLACE('aabb', 'a', 'x') → xxbb",
		Binding: define.Total(define.Fixed(define.TypeText, kernel.Grow3(replacedSize, appendReplaced), true, define.WantText, define.WantText, define.WantText), growsMuch)},
	{Name: "TRANSLATE", Help: "the text with characters replaced by those at the same place in another list", Example: "TRANSLATE('abc', 'ab', 'xy') → xyc",
		Binding: define.Fixed(define.TypeText, kernel.Grow3(translatedSize, appendTranslated), true, define.WantText, define.WantText, define.WantText)},
	{Name: "CONCAT", Help: "the arguments as one text; NULLs are left out", Example: "CONCAT('a', NULL, 'b') → ab",
		Total: true, NotNull: true, Binding: concatenate(false)},
	{Name: "CONCAT_WS", Help: "the other arguments with the first one between them; NULLs are left out", Example: "CONCAT_WS(', ', 'a', NULL, 'b') → a, b",
		Binding: concatenate(true)},
	{Name: "SPLIT_PART", Help: "the part at a position, from 1 or from the end, between separators", Example: "SPLIT_PART('a;b;c', ';', 2) → b",
		Binding: define.Total(define.Fixed(define.TypeText, kernel.Long3(splitPart), true, define.WantText, define.WantText, define.WantInt), nil)},
	{Name: "SUBSTRING_INDEX", Help: "the text before the separator that has a number, or after it if the number is negative", Example: "SUBSTRING_INDEX('a.b.c', '.', 2) → a.b",
		Binding: define.Fixed(define.TypeText, kernel.Map3(substringIndex), true, define.WantText, define.WantText, define.WantInt)},
	{Name: "STRCMP", Help: "-1, 0 or 1: whether the first text is less, equal or greater", Example: "STRCMP('a', 'b') → -1",
		Total: true, Binding: define.Fixed(define.TypeInt, kernel.Map2(func(a, b string) int64 { return int64(strings.Compare(a, b)) }), false, define.WantText, define.WantText)},
}

// upper has the capital ẞ too, which strings.ToUpper leaves out.
func upper(s string) string { return strings.ReplaceAll(substring.ToUpper(s), "ß", "ẞ") }

// lettered is LOWER or UPPER.
func lettered(of expr.Letters) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		list, err := define.Arguments(call, args, []define.Want{define.WantText})
		if err != nil {
			return nil, err
		}
		return expr.NewCall(call, list, define.TypeText, &expr.Routine{Args: list, Operation: kernel.Operation{Make: letters(of)}, Letters: of}), nil
	}, "VARCHAR → VARCHAR")
}

func counting(f func(string) int64) expr.Binding {
	return define.Fixed(define.TypeInt, kernel.Map1(f), false, define.WantText)
}

func appending1(f func([]byte, string) ([]byte, kernel.Outcome)) expr.Binding {
	return define.Fixed(define.TypeText, kernel.Text1(f), true, define.WantText)
}

// Length is the number of characters.
var Length = define.Fixed(define.TypeInt, kernel.Sum1(kernel.BetweenRunes, countRunes), false, define.WantText)

// Contains says whether the second string is part of the first.
var Contains = define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	list, err := define.Arguments(call, args, []define.Want{define.WantText, define.WantText})
	if err != nil {
		return nil, err
	}
	return expr.NewCall(call, list, define.TypeBoolean, &expr.Routine{Args: list, Within: true, Node: define.LongNode(list, containing)}), nil
}, "VARCHAR, VARCHAR → BOOLEAN")

// containing keeps the last text that all rows were searched for.
func containing() kernel.LongPredicate {
	finder := substring.New("", substring.Exact)
	return func(m *quota.Meter, args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		s, part := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1])
		if text := part.At(0); part.Constant() && text != finder.Text() {
			finder = substring.New(strings.Clone(text), substring.Exact) // the memory of the batch is used again
		}
		k, work := 0, m.Work // each mention of a method's value makes one
		for _, i := range kernel.Listed(rows, n) {
			into[k] = i
			hit, err := false, error(nil)
			if part.Constant() {
				hit, err = contains(s.At(i), finder, work)
			} else {
				hit = strings.Contains(s.At(i), part.At(i))
			}
			if err != nil {
				return nil, err
			}
			if hit {
				k++
			}
		}
		return into[:k], nil
	}
}

// Character is the character at a position.
var Character = define.Fixed(define.TypeText, kernel.Long2(func(m *quota.Meter, s string, at int64) (string, error) { return characters.part(m, s, at, 1, true) }), false, define.WantText, define.WantInt)

func countBytes(s string) int64 { return int64(len(s)) }

// codePoint is the code point of the first character; -1 for an empty string, as in
// DuckDB.
func codePoint(s string) int64 {
	if s == "" {
		return -1
	}
	return firstRune(s)
}

// firstRune is codePoint for the function ASCII, which is 0 for an empty string.
func firstRune(s string) int64 {
	if s == "" {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(s)
	return int64(r)
}

// appendInitcap writes the first letter of each word in upper case, the others in lower.
func appendInitcap(dst []byte, s string) ([]byte, kernel.Outcome) {
	inside := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			return appendInitcapRunes(dst, s[i:], inside), kernel.Outcome{}
		}
		if lower := c | 0x20; lower >= 'a' && lower <= 'z' {
			if c = lower; !inside {
				c = lower &^ 0x20
			}
			inside = true
		} else {
			inside = c >= '0' && c <= '9'
		}
		dst = append(dst, c)
	}
	return dst, kernel.Outcome{}
}

// appendInitcapRunes is appendInitcap for any characters; inside tells that a word began before.
func appendInitcapRunes(dst []byte, s string, inside bool) []byte {
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
	return dst
}

// behindBlank is where INITCAP may be divided: behind a blank.
func behindBlank(s string, at int) int {
	next := strings.IndexByte(s[at:], ' ')
	if next < 0 {
		return len(s)
	}
	return at + next + 1
}

var (
	substringFrom = define.Fixed(define.TypeText, kernel.Long2(characters.rest), false, define.WantText, define.WantInt)
	substringOf   = define.Fixed(define.TypeText, kernel.Long3(characters.some), false, define.WantText, define.WantInt, define.WantInt)
)

// replacedSize is at least the length of REPLACE.
func replacedSize(s, old, with string) int {
	if old == "" || len(with) <= len(old) {
		return len(s)
	}
	return len(s) + kernel.Times(len(with)-len(old), int64(strings.Count(s, old)))
}

// growsMuch reports whether a REPLACE by constants may make a text that is too long of one that is not.
func growsMuch(args []expr.Expr) bool {
	with, ok := expr.Literal(args[2])
	return !ok || len(with.Str) > 16
}

func appendReplaced(t *kernel.TextBuffer, dst []byte, s, old, with string) ([]byte, kernel.Outcome) {
	if old == "" {
		return append(dst, s...), kernel.Outcome{}
	}
	for {
		at := strings.Index(s, old)
		if at < 0 {
			return append(dst, s...), kernel.Outcome{}
		}
		dst = append(append(dst, s[:at]...), with...)
		s = s[at+len(old):]
		if err := t.Work(at + len(old) + len(with)); err != nil {
			return dst, kernel.Outcome{Err: err}
		}
	}
}

// translatedSize is at least the length of TRANSLATE: a byte becomes a character.
func translatedSize(s, _, _ string) int { return kernel.Times(utf8.UTFMax, int64(len(s))) }

// appendTranslated replaces characters of from by those of to at the same position,
// and drops characters of from beyond the end of to.
func appendTranslated(t *kernel.TextBuffer, dst []byte, s, from, to string) ([]byte, kernel.Outcome) {
	for _, r := range s {
		if err := t.Work(1 + len(from)); err != nil {
			return dst, kernel.Outcome{Err: err}
		}
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
	return dst, kernel.Outcome{}
}

// splitPart returns the n-th part between separators, counted from the end if n is
// negative; it is empty if there is none. An empty separator splits into characters.
func splitPart(m *quota.Meter, s, separator string, n int64) (string, error) {
	if separator == "" {
		if n == 0 {
			return "", nil
		}
		return characters.part(m, s, n, 1, true)
	}
	parts := int64(strings.Count(s, separator)) + 1
	if n < 0 {
		n += parts + 1
	}
	if n < 1 || n > parts {
		return "", nil
	}
	for ; n > 1; n-- {
		size := strings.Index(s, separator) + len(separator)
		if err := m.Work(size); err != nil {
			return "", err
		}
		s = s[size:]
	}
	if at := strings.Index(s, separator); at >= 0 {
		return s[:at], nil
	}
	return s, nil
}

// substringIndex returns everything before the n-th separator; if n is negative,
// everything after the -n-th separator from the end.
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
