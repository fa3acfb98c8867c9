package text

import (
	"errors"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/substring"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// RepeatBytes is a BLOB several times.
var RepeatBytes = define.Fixed(define.TypeBlob, kernel.Grow2(repeatedSize, appendRepeated), true, wantBlob, define.WantInt)

var wantBlob = define.Want{Types: "BLOB", Bind: func(function string, e expr.Expr) (expr.Expr, error) {
	return define.ImplicitCast(e, function, define.TypeBlob, func(t vector.Type) bool { return t.Kind == vector.Blob })
}}

// Repeat is a text several times.
var Repeat = define.Fixed(define.TypeText, kernel.Grow2(repeatedSize, appendRepeated), true, define.WantText, define.WantInt)

// PadFunctions make strings longer, up to quota.MaxValueText bytes.
var PadFunctions = []expr.Function{
	{Name: "LPAD", Help: "the text with a padding on the left, or cut, to a number of characters", Example: "LPAD('abc', 5, '*') → **abc",
		Binding: define.Fixed(define.TypeText, kernel.Grow3(paddedSize, appendLeftPadded), true, define.WantText, define.WantInt, define.WantText)},
	{Name: "RPAD", Help: "the text with a padding on the right, or cut, to a number of characters", Example: "RPAD('abc', 5, '*') → abc**",
		Binding: define.Fixed(define.TypeText, kernel.Grow3(paddedSize, appendRightPadded), true, define.WantText, define.WantInt, define.WantText)},
	{Name: "SPACE", Help: "a text of blanks", Example: "LENGTH(SPACE(3)) → 3",
		Binding: define.Fixed(define.TypeText, kernel.Grow1(
			func(n int64) int { return kernel.Times(1, n) },
			func(t *kernel.TextBuffer, dst []byte, n int64) ([]byte, kernel.Outcome) {
				return appendRepeated(t, dst, " ", n)
			}), true, define.WantInt)},
}

func repeatedSize(s string, n int64) int { return kernel.Times(len(s), n) }

func appendRepeated(t *kernel.TextBuffer, dst []byte, s string, n int64) ([]byte, kernel.Outcome) {
	if s == "" || n <= 0 {
		return dst, kernel.Outcome{}
	}
	start, end := len(dst), len(dst)+len(s)*int(n)
	if end-start < quota.OwnText {
		for range n {
			dst = append(dst, s...)
		}
		return dst, kernel.Outcome{}
	}
	dst = append(dst, s...)
	most := max(quota.CopiedPerLook/len(s), 1) * len(s)
	for len(dst) < end { // what there is doubles each time, up to a piece
		size := min(len(dst)-start, end-len(dst), most)
		if err := t.Work(size); err != nil {
			return dst, kernel.Outcome{Err: err}
		}
		dst = append(dst, dst[start:start+size]...)
	}
	return dst, kernel.Outcome{}
}

var errNoPadding = errors.New("LPAD and RPAD need padding that is not empty")

// paddedSize is at least the length of LPAD and RPAD.
func paddedSize(s string, length int64, pad string) int {
	if length <= 0 || pad == "" {
		return len(s)
	}
	missing := length
	if length > quota.OwnText { // counting pays
		missing -= countRunes(s)
	}
	if missing <= 0 {
		return len(s)
	}
	times := missing/countRunes(pad) + 1
	return len(s) + kernel.Times(len(pad), times)
}

// appendPadding appends n characters: pad, repeated.
func appendPadding(t *kernel.TextBuffer, dst []byte, pad string, n int64) ([]byte, error) {
	if n <= 0 {
		return dst, nil
	}
	if pad == "" {
		return dst, errNoPadding
	}
	if len(pad) == 1 && n < quota.OwnText {
		for range n {
			dst = append(dst, pad[0])
		}
		return dst, nil
	}
	width := countRunes(pad)
	dst, o := appendRepeated(t, dst, pad, n/width)
	if o.Err != nil {
		return dst, o.Err
	}
	rest, err := characters.left(t.Meter(), pad, n%width)
	return append(dst, rest...), err
}

func appendLeftPadded(t *kernel.TextBuffer, dst []byte, s string, length int64, pad string) ([]byte, kernel.Outcome) {
	first, missing, err := firstOf(t.Meter(), s, length)
	if err == nil {
		dst, err = appendPadding(t, dst, pad, missing)
	}
	if err != nil {
		return dst, kernel.Outcome{Err: err}
	}
	return t.Append(dst, first)
}

func appendRightPadded(t *kernel.TextBuffer, dst []byte, s string, length int64, pad string) ([]byte, kernel.Outcome) {
	first, missing, err := firstOf(t.Meter(), s, length)
	if err != nil {
		return dst, kernel.Outcome{Err: err}
	}
	dst, o := t.Append(dst, first)
	if o.Err == nil {
		dst, o.Err = appendPadding(t, dst, pad, missing)
	}
	return dst, o
}

// firstOf is at most the first n characters of a text, and how many are missing.
func firstOf(m *quota.Meter, s string, n int64) (first string, missing int64, err error) {
	n = max(n, 0)
	if n < int64(len(s)) && n < quota.OwnText { // the text may be longer: its beginning says it, in which each character is a byte
		if beginning := s[:n]; substring.ASCII(beginning) {
			return beginning, 0, nil
		}
	}
	all, err := characters.length(m, s)
	if err != nil || n >= all {
		return s, n - all, err
	}
	first, err = characters.left(m, s, n)
	return first, 0, err
}

// SearchFunctions look for strings in strings.
var SearchFunctions = []expr.Function{
	{Name: "POSITION", Help: "the position of a text in another one, from 1; 0 if it is not there", Example: "POSITION('que' IN 'parquet') → 4",
		Binding: define.Fixed(define.TypeInt, kernel.Map2(func(part, s string) int64 { return positionOf(s, part) }), false, define.WantText, define.WantText)},
	{Name: "STRPOS", Aliases: []string{"INSTR"}, Help: "the position of the second text in the first, from 1; 0 if it is not there", Example: "STRPOS('parquet', 'que') → 4",
		Binding: define.Fixed(define.TypeInt, kernel.Map2(positionOf), false, define.WantText, define.WantText)},
	{Name: "LOCATE", Help: "the position of the first text in the second, from 1; 0 if it is not there", Example: "LOCATE('que', 'parquet') → 4",
		Binding: define.Overloaded(define.Fixed(define.TypeInt, kernel.Map2(func(part, s string) int64 { return positionOf(s, part) }), false, define.WantText, define.WantText), locateFrom)},
	{Name: "STARTS_WITH", Aliases: []string{"PREFIX"}, Help: "whether the text begins with another one", Example: "STARTS_WITH('parquet', 'par') → true",
		Binding: define.TextPredicate(strings.HasPrefix)},
	{Name: "ENDS_WITH", Aliases: []string{"SUFFIX"}, Help: "whether the text ends with another one", Example: "ENDS_WITH('parquet', 'quet') → true",
		Binding: define.TextPredicate(strings.HasSuffix)},
}

// positionOf is the position of part, counted from 1; 0 if s does not contain it.
func positionOf(s, part string) int64 {
	at := strings.Index(s, part)
	if at < 0 {
		return 0
	}
	return countRunes(s[:at]) + 1
}

// locateFrom is LOCATE(part, s, from): it searches from a position on.
var locateFrom = define.Fixed(define.TypeInt, kernel.Map3(func(part, s string, from int64) int64 {
	if from < 1 || from > countRunes(s)+1 {
		return 0
	}
	if at := positionOf(s[runeOffset(s, from-1):], part); at > 0 {
		return at + from - 1
	}
	return 0
}), false, define.WantText, define.WantText, define.WantInt)
