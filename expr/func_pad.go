package expr

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// padFunctions make strings longer; what they may ask for is bounded.
var padFunctions = map[string]binder{
	"LPAD":   fixed(typeText, text3(appendLeftPadded), true, wantText, wantInt, wantText),
	"RPAD":   fixed(typeText, text3(appendRightPadded), true, wantText, wantInt, wantText),
	"REPEAT": fixed(typeText, text2(appendRepeated), true, wantText, wantInt),
	"SPACE": fixed(typeText, text1(func(dst []byte, n int64) ([]byte, outcome) {
		return appendRepeated(dst, " ", n)
	}), true, wantInt),
}

// maxMadeText is how long a string made from a number may be.
const maxMadeText = 1 << 30

func appendRepeated(dst []byte, s string, n int64) ([]byte, outcome) {
	if n <= 0 || s == "" {
		return dst, outcome{}
	}
	if n > int64(maxMadeText/len(s)) {
		return dst, outcome{err: fmt.Errorf("REPEAT of %d bytes %d times: %w", len(s), n, errTooLong)}
	}
	for range n {
		dst = append(dst, s...)
	}
	return dst, outcome{}
}

var errNoPadding = errors.New("LPAD and RPAD need a text to pad with")

// appendPadding appends n characters of pad, over and over.
func appendPadding(dst []byte, pad string, n int64) ([]byte, error) {
	if n <= 0 {
		return dst, nil
	}
	if pad == "" {
		return dst, errNoPadding
	}
	if n > maxMadeText {
		return dst, fmt.Errorf("padding of %d characters: %w", n, errTooLong)
	}
	for rest := pad; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(rest)
		dst = append(dst, rest[:size]...)
		if rest = rest[size:]; rest == "" {
			rest = pad
		}
	}
	return dst, nil
}

func appendLeftPadded(dst []byte, s string, length int64, pad string) ([]byte, outcome) {
	n := countRunes(s)
	dst, err := appendPadding(dst, pad, length-n)
	return append(dst, leftOf(s, min(max(length, 0), n))...), outcome{err: err}
}

func appendRightPadded(dst []byte, s string, length int64, pad string) ([]byte, outcome) {
	n := countRunes(s)
	dst, err := appendPadding(append(dst, leftOf(s, min(max(length, 0), n))...), pad, length-n)
	return dst, outcome{err: err}
}

// searchFunctions look for strings in strings.
var searchFunctions = map[string]binder{
	"POSITION":    fixed(typeInt, map2(func(part, s string) int64 { return positionOf(s, part) }), false, wantText, wantText),
	"STRPOS":      fixed(typeInt, map2(positionOf), false, wantText, wantText),
	"INSTR":       fixed(typeInt, map2(positionOf), false, wantText, wantText),
	"LOCATE":      byCount(2, fixed(typeInt, map2(func(part, s string) int64 { return positionOf(s, part) }), false, wantText, wantText), locateFrom),
	"STARTS_WITH": test2(strings.HasPrefix),
	"PREFIX":      test2(strings.HasPrefix),
	"ENDS_WITH":   test2(strings.HasSuffix),
	"SUFFIX":      test2(strings.HasSuffix),
	"CONTAINS":    containsOf,
}

// positionOf is where part begins, counted from 1, or 0.
func positionOf(s, part string) int64 {
	at := strings.Index(s, part)
	if at < 0 {
		return 0
	}
	return countRunes(s[:at]) + 1
}

// locateFrom begins to search at a position.
var locateFrom = fixed(typeInt, map3(func(part, s string, from int64) int64 {
	if from < 1 || from > countRunes(s)+1 {
		return 0
	}
	if at := positionOf(s[runeOffset(s, from-1):], part); at > 0 {
		return at + from - 1
	}
	return 0
}), false, wantText, wantText, wantInt)

// containsOf looks for a part of a string, an element of a LIST or a key of a MAP.
func containsOf(name string, args []Expr) (Expr, error) {
	if len(args) == 2 && args[0].Type().IsNested() {
		return listContains(name, args)
	}
	return test2(strings.Contains)(name, args)
}
