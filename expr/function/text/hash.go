package text

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// HashFunctions compute digests and encode bytes as text.
var HashFunctions = []expr.Function{
	{Name: "MD5", Binding: appendingBytes(func(dst []byte, s string) ([]byte, kernel.Outcome) {
		sum := md5.Sum([]byte(s))
		return hex.AppendEncode(dst, sum[:]), kernel.Outcome{}
	})},
	{Name: "SHA1", Binding: appendingBytes(func(dst []byte, s string) ([]byte, kernel.Outcome) {
		sum := sha1.Sum([]byte(s))
		return hex.AppendEncode(dst, sum[:]), kernel.Outcome{}
	})},
	{Name: "SHA256", Binding: appendingBytes(func(dst []byte, s string) ([]byte, kernel.Outcome) {
		sum := sha256.Sum256([]byte(s))
		return hex.AppendEncode(dst, sum[:]), kernel.Outcome{}
	})},
	{Name: "HEX", Aliases: []string{"TO_HEX"}, Binding: define.Custom(hexOf, "integer | VARCHAR | BLOB → VARCHAR")},
	{Name: "BIN", Binding: define.Fixed(define.TypeText, kernel.Text1(func(dst []byte, v int64) ([]byte, kernel.Outcome) {
		return strconv.AppendUint(dst, uint64(v), 2), kernel.Outcome{}
	}), true, define.WantInt)},
	{Name: "UNHEX", Aliases: []string{"FROM_HEX"}, Binding: define.Fixed(define.TypeBlob, kernel.Text1(appendUnhex), true, define.WantText)},
	Base64,
	{Name: "FROM_BASE64", Binding: define.Fixed(define.TypeBlob, kernel.Text1(appendUnbase64), true, define.WantText)},
	{Name: "ENCODE", Binding: define.Fixed(define.TypeBlob, kernel.Map1(func(s string) string { return s }), false, define.WantText)},
	{Name: "DECODE", Binding: define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
		return expr.NewCast(args[0], define.TypeText, false)
	}, "BLOB → VARCHAR")},
}

// Base64 writes bytes as text. Paths that lead to bytes use it too.
var Base64 = expr.Function{Name: "BASE64", Aliases: []string{"TO_BASE64"}, Binding: appendingBytes(appendBase64)}

// appendingBytes makes text from the bytes of a text or BLOB.
func appendingBytes(f func([]byte, string) ([]byte, kernel.Outcome)) expr.Binding {
	return define.Fixed(define.TypeText, kernel.Text1(f), true, define.WantBytes)
}

// hexOf writes the hexadecimal digits of a number, or of the bytes of any other value.
func hexOf(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if args[0].Type().IsInteger() {
		if args[0].Type().Kind == vector.UBigInt {
			return define.Strict(call, args, define.TypeText, kernel.Text1(func(dst []byte, v uint64) ([]byte, kernel.Outcome) { return appendUpperHex(dst, v), kernel.Outcome{} }), true)
		}
		return define.Strict(call, args, define.TypeText, kernel.Text1(func(dst []byte, v int64) ([]byte, kernel.Outcome) {
			return appendUpperHex(dst, uint64(v)), kernel.Outcome{}
		}), true)
	}
	return appendingBytes(func(dst []byte, s string) ([]byte, kernel.Outcome) {
		const digits = "0123456789ABCDEF"
		for i := range len(s) {
			dst = append(dst, digits[s[i]>>4], digits[s[i]&15])
		}
		return dst, kernel.Outcome{}
	}).Bind(call, args)
}

func appendUpperHex(dst []byte, v uint64) []byte {
	return append(dst, strings.ToUpper(strconv.FormatUint(v, 16))...)
}

var errNoHex = errors.New("UNHEX: not hexadecimal digits")

func appendUnhex(dst []byte, s string) ([]byte, kernel.Outcome) {
	if len(s)%2 == 1 {
		s = "0" + s
	}
	for i := 0; i < len(s); i += 2 {
		high, ok1 := scalar.HexDigit(s[i])
		low, ok2 := scalar.HexDigit(s[i+1])
		if !ok1 || !ok2 {
			return dst, kernel.Outcome{Err: errNoHex}
		}
		dst = append(dst, high<<4|low)
	}
	return dst, kernel.Outcome{}
}

func appendBase64(dst []byte, s string) ([]byte, kernel.Outcome) {
	return base64.StdEncoding.AppendEncode(dst, []byte(s)), kernel.Outcome{}
}

func appendUnbase64(dst []byte, s string) ([]byte, kernel.Outcome) {
	dst, err := base64.StdEncoding.AppendDecode(dst, []byte(s))
	if err != nil {
		return dst, kernel.Outcome{Err: errors.New("FROM_BASE64: not base64")}
	}
	return dst, kernel.Outcome{}
}
