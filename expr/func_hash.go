package expr

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// hashFunctions are digests and the encodings of bytes as text.
var hashFunctions = map[string]binder{
	"MD5": appendingBytes(func(dst []byte, s string) ([]byte, outcome) {
		sum := md5.Sum([]byte(s))
		return hex.AppendEncode(dst, sum[:]), outcome{}
	}),
	"SHA1": appendingBytes(func(dst []byte, s string) ([]byte, outcome) {
		sum := sha1.Sum([]byte(s))
		return hex.AppendEncode(dst, sum[:]), outcome{}
	}),
	"SHA256": appendingBytes(func(dst []byte, s string) ([]byte, outcome) {
		sum := sha256.Sum256([]byte(s))
		return hex.AppendEncode(dst, sum[:]), outcome{}
	}),
	"HEX":         hexOf,
	"TO_HEX":      hexOf,
	"BIN":         fixed(typeText, text1(func(dst []byte, v int64) ([]byte, outcome) { return strconv.AppendUint(dst, uint64(v), 2), outcome{} }), true, wantInt),
	"UNHEX":       fixed(typeBlob, text1(appendUnhex), true, wantText),
	"FROM_HEX":    fixed(typeBlob, text1(appendUnhex), true, wantText),
	"BASE64":      appendingBytes(appendBase64),
	"TO_BASE64":   appendingBytes(appendBase64),
	"FROM_BASE64": fixed(typeBlob, text1(appendUnbase64), true, wantText),
	"ENCODE":      fixed(typeBlob, map1(func(s string) string { return s }), false, wantText),
	"DECODE": func(name string, args []Expr) (Expr, error) {
		if len(args) != 1 {
			return nil, wrongCount(name, args, "1")
		}
		return NewCast(args[0], typeText, false)
	},
}

// appendingBytes makes text of the bytes of a text or BLOB.
func appendingBytes(f func([]byte, string) ([]byte, outcome)) binder {
	return fixed(typeText, text1(f), true, wantBytes)
}

// hexOf is the digits of a number, or the bytes of anything else.
func hexOf(name string, args []Expr) (Expr, error) {
	if len(args) == 1 && args[0].Type().IsInteger() {
		if args[0].Type().Kind == vector.UBigInt {
			return newCall(name, args, typeText, text1(func(dst []byte, v uint64) ([]byte, outcome) { return appendUpperHex(dst, v), outcome{} }), true, keepArg)
		}
		return newCall(name, args, typeText, text1(func(dst []byte, v int64) ([]byte, outcome) { return appendUpperHex(dst, uint64(v)), outcome{} }), true, keepArg)
	}
	return appendingBytes(func(dst []byte, s string) ([]byte, outcome) {
		const digits = "0123456789ABCDEF"
		for i := range len(s) {
			dst = append(dst, digits[s[i]>>4], digits[s[i]&15])
		}
		return dst, outcome{}
	})(name, args)
}

func keepArg(_ string, e Expr) (Expr, error) { return e, nil }

func appendUpperHex(dst []byte, v uint64) []byte {
	return append(dst, strings.ToUpper(strconv.FormatUint(v, 16))...)
}

var errNoHex = errors.New("UNHEX: not hexadecimal digits")

func appendUnhex(dst []byte, s string) ([]byte, outcome) {
	if len(s)%2 == 1 {
		s = "0" + s
	}
	for i := 0; i < len(s); i += 2 {
		high, ok1 := hexDigit(s[i])
		low, ok2 := hexDigit(s[i+1])
		if !ok1 || !ok2 {
			return dst, outcome{err: errNoHex}
		}
		dst = append(dst, high<<4|low)
	}
	return dst, outcome{}
}

func appendBase64(dst []byte, s string) ([]byte, outcome) {
	return base64.StdEncoding.AppendEncode(dst, []byte(s)), outcome{}
}

func appendUnbase64(dst []byte, s string) ([]byte, outcome) {
	dst, err := base64.StdEncoding.AppendDecode(dst, []byte(s))
	if err != nil {
		return dst, outcome{err: errors.New("FROM_BASE64: not base64")}
	}
	return dst, outcome{}
}
