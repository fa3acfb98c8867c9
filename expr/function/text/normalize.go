package text

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/substring"
)

// NormalizeFunctions write characters in the normal forms of Unicode (Standard Annex 15).
var NormalizeFunctions = []expr.Function{
	{Name: "STRIP_ACCENTS", Help: "the text without the marks of its letters", Example: "STRIP_ACCENTS('Mühle') → Muhle",
		Binding: define.Fixed(define.TypeText, kernel.Kept1(substring.ASCII, stripping), true, define.WantText)},
	{Name: "NFC_NORMALIZE", Help: "the text with letters and marks as one character where there is one", Example: "STRLEN(NFC_NORMALIZE('e' || CHR(769))) → 2",
		Binding: define.Fixed(define.TypeText, kernel.Kept1(norm.NFC.IsNormalString, kernel.Pieces1(beforeLetter, func(dst []byte, s string) ([]byte, kernel.Outcome) {
			return append(dst, norm.NFC.String(s)...), kernel.Outcome{} // AppendString would put marks at the beginning on the text before
		})), true, define.WantText)},
}

// beforeLetter is where a text may be divided: before a character that is not a mark, and
// is not put together with what stands before it.
func beforeLetter(s string, at int) int {
	for at = kernel.BetweenRunes(s, at); at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		if norm.NFC.PropertiesString(s[at:]).BoundaryBefore() && !unicode.Is(unicode.M, r) {
			return at
		}
		at += size
	}
	return at
}

// stripping is the kernel of STRIP_ACCENTS for texts that are not all ASCII.
func stripping() kernel.Func {
	by := byCharacter{all: func(s string) string { return string(appendStripped(nil, s)) }}
	return kernel.Pieces1(beforeLetter, func(dst []byte, s string) ([]byte, kernel.Outcome) {
		for _, r := range s {
			if r >= twoBytes { // it may be put together with what stands before it
				return appendStripped(dst, s), kernel.Outcome{}
			}
		}
		return by.append(dst, s), kernel.Outcome{}
	})()
}

// appendStripped appends s without marks: letters are divided from their marks (NFD), and
// what is left is put together again.
func appendStripped(dst []byte, s string) []byte {
	if substring.ASCII(s) {
		return append(dst, s...)
	}
	kept := make([]rune, 0, len(s))
	for _, r := range norm.NFD.String(s) {
		if !unicode.Is(unicode.M, r) {
			kept = append(kept, r)
		}
	}
	return append(dst, norm.NFC.String(string(kept))...)
}
