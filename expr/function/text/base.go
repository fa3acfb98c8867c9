package text

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
)

// BaseFunctions write numbers and bytes in another base, and read them.
var BaseFunctions = []expr.Function{
	{Name: "TO_BASE", Help: "the digits of a number that is not negative, in a base from 2 to 36, with at least as many digits as the third argument", Example: "TO_BASE(42, 16, 5) → 0002A",
		Binding: define.Overloaded(
			define.Fixed(define.TypeText, kernel.Text2(func(dst []byte, v, base int64) ([]byte, kernel.Outcome) { return appendInBase(dst, v, base, 0) }), true, define.WantInt, define.WantInt),
			define.Fixed(define.TypeText, kernel.Text3(appendInBase), true, define.WantInt, define.WantInt, define.WantInt))},
	{Name: "BIN", Aliases: []string{"TO_BINARY"}, Help: "the binary digits of a number, or of the bytes of a text", Example: "BIN(5) → 101",
		Binding: define.Custom(binaryOf, "integer | VARCHAR | BLOB → VARCHAR")},
	{Name: "UNBIN", Aliases: []string{"FROM_BINARY"}, Help: "the bytes of binary digits", Example: "UNBIN('01100001')::VARCHAR → a",
		Binding: define.Fixed(define.TypeBlob, kernel.Text1(appendUnbin), true, define.WantText)},
	{Name: "UNESCAPE_BLOB", Help: "the bytes of a text, where \\x and two hexadecimal digits are a byte; so is a CAST of text to BLOB", Example: `UNESCAPE_BLOB('\x41b')::VARCHAR → Ab`,
		Binding: define.Fixed(define.TypeBlob, kernel.Try1(unescapedBytes), true, define.WantText)},
	{Name: "URL_ENCODE", Help: "the text with all bytes escaped that may not be in a part of an URL", Example: "URL_ENCODE('a b/é') → a%20b%2F%C3%A9",
		Binding: define.Fixed(define.TypeText, kernel.Pieces1(anywhere, appendURL), true, define.WantText)},
	{Name: "URL_DECODE", Help: "the text with the escapes of URLs replaced", Example: "URL_DECODE('a%20b%2F') → a b/",
		Binding: appending1(appendUnescaped)},
}

func appendInBase(dst []byte, v, base, digits int64) ([]byte, kernel.Outcome) {
	switch {
	case v < 0:
		return dst, kernel.Outcome{Err: fmt.Errorf("TO_BASE: %d is negative", v)}
	case base < 2 || base > 36:
		return dst, kernel.Outcome{Err: fmt.Errorf("TO_BASE: the base %d is not from 2 to 36", base)}
	case digits < 0 || digits > 64:
		return dst, kernel.Outcome{Err: fmt.Errorf("TO_BASE: the number of digits %d is not from 0 to 64", digits)}
	}
	var memory [64]byte
	s := strconv.AppendInt(memory[:0], v, int(base))
	for n := int64(len(s)); n < digits; n++ {
		dst = append(dst, '0')
	}
	return appendUpper(dst, s), kernel.Outcome{}
}

// appendUpper appends digits, the letters among them in upper case.
func appendUpper(dst, digits []byte) []byte {
	at := len(dst)
	dst = append(dst, digits...)
	for i, c := range dst[at:] {
		if c > '9' {
			dst[at+i] = c &^ 0x20
		}
	}
	return dst
}

// binaryOf writes the binary digits of a number, or of the bytes of a text.
func binaryOf(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if t := args[0].Type(); t.IsInteger() || isHugeInt(t) {
		return digitsOf(call, args, 2)
	}
	return appendingBytes(func(dst []byte, s string) ([]byte, kernel.Outcome) {
		dst = slices.Grow(dst, 8*len(s))
		for i := range len(s) {
			dst = append(dst, bitDigits[s[i]][:]...)
		}
		return dst, kernel.Outcome{}
	}).Bind(call, args)
}

// bitDigits are the binary digits of each byte.
var bitDigits = func() (t [256][8]byte) {
	for c := range t {
		for bit := range t[c] {
			t[c][bit] = '0' + byte(c>>(7-bit))&1
		}
	}
	return t
}()

var errBinary = errors.New("UNBIN: not binary digits")

func appendUnbin(dst []byte, s string) ([]byte, kernel.Outcome) {
	b, missing := byte(0), -len(s)&7 // the first byte may have fewer digits
	for i := range len(s) {
		if s[i] != '0' && s[i] != '1' {
			return dst, kernel.Outcome{Err: errBinary}
		}
		if b = b<<1 | s[i]&1; (i+missing)&7 == 7 {
			dst, b = append(dst, b), 0
		}
	}
	return dst, kernel.Outcome{}
}

// appendURL escapes all bytes but the unreserved characters of RFC 3986, section 2.3.
func appendURL(dst []byte, s string) ([]byte, kernel.Outcome) {
	const digits = "0123456789ABCDEF"
	start := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; !unreserved[c] {
			dst = append(append(dst, s[start:i]...), '%', digits[c>>4], digits[c&15])
			start = i + 1
		}
	}
	return append(dst, s[start:]...), kernel.Outcome{}
}

// unreserved are the bytes of texts that an URL has as they are.
var unreserved = func() (t [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~") {
		t[c] = true
	}
	return t
}()

// appendUnescaped leaves what is no escape as it is.
func appendUnescaped(dst []byte, s string) ([]byte, kernel.Outcome) {
	start := len(dst)
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			high, ok1 := scalar.HexDigit(s[i+1])
			low, ok2 := scalar.HexDigit(s[i+2])
			if ok1 && ok2 {
				dst = append(dst, high<<4|low)
				i += 2
				continue
			}
		}
		dst = append(dst, s[i])
	}
	if !utf8.Valid(dst[start:]) {
		return dst, kernel.Outcome{Err: fmt.Errorf("URL_DECODE: %q is not UTF-8 after decoding", s)}
	}
	return dst, kernel.Outcome{}
}

// unescapedBytes replaces \x and two hexadecimal digits by the byte that they are.
func unescapedBytes(s string) (string, kernel.Outcome) {
	b, ok := scalar.ParseBlob(s)
	if !ok {
		return "", kernel.Outcome{Err: fmt.Errorf("the text %.50q is no BLOB: a backslash begins \\x and two hexadecimal digits", s)}
	}
	return b, kernel.Outcome{}
}
