package text

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// HashFunctions compute digests and encode bytes as text.
var HashFunctions = []expr.Function{
	{Name: "MD5", Help: "the MD5 hash in hexadecimal digits", Example: "MD5('abc') → 900150983cd24fb0d6963f7d28e17f72",
		Total: true, Binding: hashing(md5.New)},
	{Name: "SHA1", Help: "the SHA-1 hash in hexadecimal digits", Example: "SHA1('abc') → a9993e364706816aba3e25717850c26c9cd0d89d",
		Total: true, Binding: hashing(sha1.New)},
	{Name: "SHA256", Help: "the SHA-256 hash in hexadecimal digits", Example: "SHA256('abc') → ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		Total: true, Binding: hashing(sha256.New)},
	{Name: "HEX", Aliases: []string{"TO_HEX"}, Help: "the hexadecimal digits of a number, or of the bytes of a text", Example: "HEX('abc') → 616263",
		Binding: define.Custom(hexOf, "integer | VARCHAR | BLOB → VARCHAR")},
	{Name: "UNHEX", Aliases: []string{"FROM_HEX"}, Help: "the bytes of hexadecimal digits", Example: "UNHEX('616263')::VARCHAR → abc",
		Binding: define.Fixed(define.TypeBlob, kernel.TextWith1(appendUnhex), true, define.WantText)},
	Base64,
	{Name: "FROM_BASE64", Help: "the bytes of a text in base64", Example: "FROM_BASE64('YWJj')::VARCHAR → abc",
		Binding: define.Fixed(define.TypeBlob, kernel.Text1(appendUnbase64), true, define.WantText)},
	{Name: "ENCODE", Help: "the bytes of a text in UTF-8", Example: "HEX(ENCODE('é')) → C3A9",
		Binding: define.Fixed(define.TypeBlob, kernel.Map1(func(s string) string { return s }), false, define.WantText)},
	{Name: "DECODE", Help: "the text of bytes in UTF-8; what is none is an error, with 'replace' question marks, with 'ignore' left out", Example: "DECODE(x'C3A9') → é",
		Binding: define.Overloaded(define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
			return expr.NewCast(args[0], define.TypeText, false)
		}, "BLOB → VARCHAR"), decodedBy)},
}

// Base64 writes bytes as text. Paths that lead to bytes use it too.
var Base64 = expr.Function{Name: "BASE64", Aliases: []string{"TO_BASE64"}, Help: "the bytes in base64", Example: "BASE64('abc') → YWJj",
	Binding: define.Fixed(define.TypeText, kernel.Pieces1(betweenThrees, appendBase64), true, define.WantBytes)}

// hashing is the hexadecimal digits of a hash.
func hashing(algorithm func() hash.Hash) expr.Binding {
	makeKernel := func() kernel.Func {
		h, block, sum := algorithm(), make([]byte, 0, hashBlock), []byte(nil)
		return kernel.TextWith1(func(t *kernel.TextBuffer, dst []byte, s string) ([]byte, kernel.Outcome) {
			h.Reset()
			for len(s) > 0 {
				n := min(len(s), hashBlock)
				h.Write(append(block, s[:n]...)) // never fails
				if err := t.Work(n); err != nil {
					return dst, kernel.Outcome{Err: err}
				}
				s = s[n:]
			}
			sum = h.Sum(sum[:0])
			return hex.AppendEncode(dst, sum), kernel.Outcome{}
		})()
	}
	return define.Fixed(define.TypeText, makeKernel, true, define.WantBytes)
}

// hashBlock is how many bytes are hashed at once, a whole number of blocks of each hash.
const hashBlock = 4 << 10

// appendingBytes makes text from each byte of a text or BLOB.
func appendingBytes(f func([]byte, string) ([]byte, kernel.Outcome)) expr.Binding {
	return define.Fixed(define.TypeText, kernel.Pieces1(anywhere, f), true, define.WantBytes)
}

// hexOf writes the hexadecimal digits of a number, or of the bytes of a text.
func hexOf(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if t := args[0].Type(); t.IsInteger() || isHugeInt(t) {
		return digitsOf(call, args, 16)
	}
	return appendingBytes(func(dst []byte, s string) ([]byte, kernel.Outcome) {
		at := len(dst)
		dst = slices.Grow(dst, 2*len(s))[:at+2*len(s)]
		out := dst[at:]
		for i := 0; i < len(s) && len(out) >= 2; i++ {
			pair := &hexDigits[s[i]]
			out[0], out[1] = pair[0], pair[1]
			out = out[2:]
		}
		return dst, kernel.Outcome{}
	}).Bind(call, args)
}

// hexDigits are the hexadecimal digits of each byte; hexValues is the reverse for a digit, noHex for other bytes.
var (
	hexDigits = func() (t [256][2]byte) {
		const digits = "0123456789ABCDEF"
		for c := range t {
			t[c] = [2]byte{digits[c>>4], digits[c&15]}
		}
		return t
	}()
	hexValues = func() (t [256]byte) {
		for c := range t {
			t[c] = noHex
			if v, ok := scalar.HexDigit(byte(c)); ok {
				t[c] = v
			}
		}
		return t
	}()
)

const noHex = 0x80

// digitsOf writes the digits of an integer; those of a negative one are of its 64 or 128
// bits.
func digitsOf(call expr.Callee, args []expr.Expr, base int) (expr.Expr, error) {
	make := kernel.Text1(func(dst []byte, v int64) ([]byte, kernel.Outcome) {
		return appendDigits(dst, uint64(v), base), kernel.Outcome{}
	})
	switch args[0].Type().Storage() {
	case vector.StoreUint64:
		make = kernel.Text1(func(dst []byte, v uint64) ([]byte, kernel.Outcome) {
			return appendDigits(dst, v, base), kernel.Outcome{}
		})
	case vector.StoreInt128:
		make = kernel.Text1(func(dst []byte, v vector.Int128) ([]byte, kernel.Outcome) {
			n := v.Big()
			if n.Sign() < 0 {
				n.Add(n, new(big.Int).Lsh(big.NewInt(1), 128))
			}
			return append(dst, strings.ToUpper(n.Text(base))...), kernel.Outcome{}
		})
	}
	return define.Strict(call, args, define.TypeText, make, true)
}

func appendDigits(dst []byte, v uint64, base int) []byte {
	var memory [64]byte
	return appendUpper(dst, strconv.AppendUint(memory[:0], v, base))
}

var errNoHex = errors.New("UNHEX: not hexadecimal digits")

func appendUnhex(t *kernel.TextBuffer, dst []byte, s string) ([]byte, kernel.Outcome) {
	if len(s)%2 == 1 {
		s = "0" + s
	}
	for len(s) > 0 {
		piece := s[:min(len(s), quota.BytesPerTell)]
		s = s[len(piece):]
		if err := t.Work(len(piece)); err != nil {
			return dst, kernel.Outcome{Err: err}
		}
		at, wrong := len(dst), byte(0)
		dst = slices.Grow(dst, len(piece)/2)[:at+len(piece)/2]
		out := dst[at:]
		for i := range out {
			high, low := hexValues[piece[2*i]], hexValues[piece[2*i+1]]
			out[i], wrong = high<<4|low, wrong|high|low
		}
		if wrong&noHex != 0 {
			return dst, kernel.Outcome{Err: errNoHex}
		}
	}
	return dst, kernel.Outcome{}
}

// anywhere is where a function of single bytes may be divided.
func anywhere(_ string, at int) int { return at }

// betweenThrees is where base64 may be divided: each three bytes are four digits.
func betweenThrees(s string, at int) int { return min(len(s), at+2-(at+2)%3) }

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

// decodedBy is DECODE(bytes, how). How is no encoding, which a reader may expect: other words are
// errors.
var decodedBy = define.Fixed(define.TypeText, kernel.Try2(func(bytes, how string) (string, kernel.Outcome) {
	switch strings.ToLower(how) {
	case "replace":
		if utf8.ValidString(bytes) {
			return bytes, kernel.Outcome{}
		}
		var out strings.Builder
		for i, r := range bytes {
			if r == utf8.RuneError && !strings.HasPrefix(bytes[i:], string(utf8.RuneError)) {
				r = '?'
			}
			out.WriteRune(r)
		}
		return out.String(), kernel.Outcome{}
	case "ignore":
		return strings.ToValidUTF8(bytes, ""), kernel.Outcome{}
	}
	return "", kernel.Outcome{Err: fmt.Errorf("DECODE: the second argument is 'replace' or 'ignore', not '%.100s': the bytes are UTF-8 always", how)}
}), true, define.Want{Types: "BLOB", Bind: func(function string, e expr.Expr) (expr.Expr, error) {
	return define.ImplicitCast(e, function, define.TypeBlob, func(t vector.Type) bool { return t.Kind == vector.Blob })
}}, define.WantText)
